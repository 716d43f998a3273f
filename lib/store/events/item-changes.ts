import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import type { AccountStep } from '../../domain/events/account-events.ts';
import type { Change } from '../../domain/events/events.ts';
import { type EndedChunk, isEnded } from '../../domain/imports/batch-status.ts';
import { isRemovalBatchId } from '../../domain/imports/own-batch.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { accountOf, removedAt, stampTimes } from '../accounts/accounts.ts';
import { contactStateOf, erasedContact } from '../contacts/contacts.ts';
import { dropOutcomeOf } from '../drop-box/drop-files.ts';
import { chunkOf } from '../imports/chunk-items.ts';
import { actionStateOf, responseStateOf, storedJourney } from '../journeys/journey-items.ts';
import { type JourneyWithActions, journeysOf } from '../journeys/journeys.ts';
import { sendStateOf } from '../messages/records.ts';
import type { Item } from '../table/database.ts';
import { type ItemPlace, kindOf, placeOf } from '../table/item-kinds.ts';
import { accountNumberOfLink } from '../table/keys.ts';
import { InvalidStoredItem, itemReader } from '../table/stored-item.ts';
import { noteOf } from '../targeting/notes.ts';
import { accountWorkOf } from './completion-work.ts';

/** Reads the records of the table's stream. */

/** A record as Lambda passes it to the function. */
export type StreamRecord = {
  dynamodb?:
    | {
        Keys?: Image | undefined;
        OldImage?: Image | undefined;
        NewImage?: Image | undefined;
        SequenceNumber?: string | undefined;
        /** Seconds since the epoch. */
        ApproximateCreationDateTime?: number | undefined;
      }
    | undefined;
};
type Image = Record<string, unknown>;

/** Identifies a record in the log, without data of a person: account numbers are left out. */
export type RecordIds = { sequence: string } & Partial<
  Record<'team_id' | 'item' | 'contact_id' | 'template_id' | 'batch_id' | 'file_id', string>
>;

/** @param isFirst only the first of several records, which have no other ids in common than that of the team */
export function idsOf({ dynamodb = {} }: StreamRecord, isFirst = false): RecordIds {
  const { Keys, SequenceNumber: sequence = '' } = dynamodb;
  const place = Keys && placeOf(keyItem(plain(Keys)));
  if (!place || isFirst) return { sequence, ...(place ? { team_id: place.teamId } : {}) };
  const { teamId: team_id, kind: item, ...of } = { contactId: '', templateId: '', batchId: '', fileId: '', ...place };
  const ids = { contact_id: of.contactId, template_id: of.templateId, batch_id: of.batchId, file_id: of.fileId };
  return { ...{ sequence, team_id, item }, ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== '')) };
}

/** A change of a stored item that is an event, ends a batch or can complete pages. */
export type ItemChange = {
  teamId: string;
  /** Identifies the record in its shard of the stream. */
  sequence: string;
  /** When the item changed, to the second. */
  at: string;
  /** The journey that the record inserts. */
  created?: JourneyWithActions | undefined;
} & Told;
type Told = Change | ChunkEnd | NewLink | AccountChange | HoldersPage;

/** A chunk that was open has ended, or one that was failed was discarded. Removals are nobody's batch. */
export type ChunkEnd = { kind: 'chunk'; batchId: string; ending: EndedChunk };
/** A contact was linked to an account. `unlinkedAt`: when an earlier link of the two was removed. */
export type NewLink = {
  kind: 'link';
  contactId: string;
  accountNumber: string;
  insertedAt: string;
  unlinkedAt?: string | undefined;
};
/**
 * An account was created, or its product or its closing date changed. `since`: as in {@link AccountStep}. `closedAt`: when
 * its `closed_date` was first stored; `isClosing` if it was by this change.
 */
export type AccountChange = {
  kind: 'account';
  accountNumber: string;
  productCode: string;
  isNew: boolean;
  insertedAt: string;
  changedAt: string;
  closedAt?: string | undefined;
} & Pick<AccountStep, 'since' | 'isClosing'>;
/** The holders of an account between these sort keys are to be told of a change: a page of waiting work. */
export type HoldersPage = {
  kind: 'holders';
  accountNumber: string;
  step: AccountStep;
  after: string | undefined;
  to: string;
};

/** A record with the item before and after the change, and what its key says. */
export type ReadRecord = Pick<ItemChange, 'sequence' | 'at'> & {
  place: ItemPlace;
  before: Item | undefined;
  after: Item | undefined;
};

/** @throws InvalidStoredItem */
export function readRecord({ dynamodb = {} }: StreamRecord): ReadRecord | undefined {
  const { Keys, OldImage, NewImage, SequenceNumber: sequence = '', ApproximateCreationDateTime = 0 } = dynamodb;
  const key = Keys && keyItem(plain(Keys));
  // It passes the filter, so it must not be lost.
  if (key && !kindOf(key)) throw new InvalidStoredItem('change', ['sk']);
  const place = key && placeOf(key);
  if (!place) return undefined;
  const [before, after] = [OldImage, NewImage].map((image) => image && keyItem(plain(image)));
  return { place, before, after, sequence, at: timestamp(ApproximateCreationDateTime * 1000) };
}

/**
 * What the record says. `undefined` if it is of no importance.
 * @throws InvalidStoredItem
 */
export function changeOf({ place, before, after, sequence, at }: ReadRecord): ItemChange | undefined {
  const change = changeIn(place, before, after);
  return change && { ...change, teamId: place.teamId, sequence, at };
}

const keyItem = itemReader('change', z.looseObject({ pk: z.string(), sk: z.string() }));
const plain = (image: Image) => unmarshall(image as Record<string, AttributeValue>);

function changeIn(
  place: ItemPlace,
  before: Item | undefined,
  after: Item | undefined,
): (Told & Pick<ItemChange, 'created'>) | undefined {
  const both = <State>(read: (item: Item) => State) => ({
    before: before && read(before),
    after: after && read(after),
  });
  switch (place.kind) {
    case 'contact': {
      const isErased = after === undefined || after.moved_to === erasedContact;
      return { kind: 'contact', contactId: place.contactId, isErased, ...both(contactStateOf) };
    }
    case 'journey': {
      const [created] = after && !before ? journeysOf([after]) : [];
      if (created) return { ...place, kind: 'journey', before: undefined, after: created.journey, created };
      return { ...place, kind: 'journey', ...both((item) => storedJourney(item).journey) };
    }
    case 'action':
      return { ...place, kind: 'action', ...both(actionStateOf) };
    case 'response':
      return { kind: 'response', contactId: place.contactId, ...both(responseStateOf) };
    case 'file':
      return { ...place, kind: 'file', ...both(dropOutcomeOf) };
    case 'note':
      return { ...place, kind: 'note', ...both(noteOf) };
    case 'send':
      return { kind: 'send', contactId: place.contactId, ...both(sendStateOf) };
    case 'link':
      return after?.data && !before?.data
        ? {
            ...{ kind: 'link', contactId: place.contactId, accountNumber: accountNumberOfLink(after) },
            ...{ insertedAt: stampTimes(after).inserted_at, unlinkedAt: stampTimes(after).unlinked_at },
          }
        : undefined;
    case 'account': {
      const account = after && (!before || before.product_at !== after.product_at) ? accountOf(after) : undefined;
      if (!after || !account) return undefined;
      const { inserted_at: insertedAt, updated_at: changedAt = insertedAt, closed_at: closedAt } = stampTimes(after);
      return {
        ...{ ...place, kind: 'account', productCode: account.product_code, isNew: before === undefined },
        ...{ insertedAt, changedAt, closedAt, isClosing: closedAt !== undefined && before?.closed_at === undefined },
        since: before?.data ? undefined : ((before && removedAt(before)) ?? ''),
      };
    }
    case 'holders': {
      const { before: was, after: page } = both(accountWorkOf);
      if (!was || page?.after === undefined || page.after === was.after) return undefined;
      const { accountNumber, step, after: to } = page;
      return { kind: 'holders', accountNumber, step, after: was.after, to };
    }
    case 'chunk': {
      const { before: was, after: ending } = both(chunkOf);
      if (isRemovalBatchId(place.batchId)) return undefined;
      const isDiscard = was?.status === 'failed' && ending?.status === 'discarded';
      const isEnd = (was?.status === 'open' || isDiscard) && ending && isEnded(ending);
      return isEnd ? { kind: 'chunk', batchId: place.batchId, ending } : undefined;
    }
  }
}
