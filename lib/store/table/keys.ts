import type { LookupSlot } from '../../domain/contacts/lookup.ts';
import { uuid5 } from './digest.ts';
import type { KeyPattern, PartsOf } from './items.ts';
import * as items from './items.ts';

/**
 * Makes the keys of the kinds of items in `items.ts`, and reads their parts. No other file does.
 * DynamoDB allows 2,048 bytes for a partition key and 1,024 for a sort key; the contract keeps every part below that.
 */

export type Key = { pk: string; sk: string };

type Values<Parts extends string[]> = { [At in keyof Parts]: string };

/** The texts of a pattern between its parts. */
const texts = new Map<string, readonly string[]>();
function textsOf(pattern: string): readonly string[] {
  const known = texts.get(pattern);
  if (known) return known;
  const split = pattern.split(/<[^>]*>/);
  texts.set(pattern, split);
  return split;
}

/** @param from the position of the first part among all */
const filled = (pattern: string, parts: readonly string[], from = 0): string =>
  textsOf(pattern).reduce((text, next, index) => text + parts[from + index - 1] + next);

/** The partition of these parts. */
// @__NO_SIDE_EFFECTS__
const partitionOf = <const Of extends KeyPattern>({ pk }: Of, ...parts: Values<PartsOf<Of['pk']>>): string =>
  filled(pk, parts);

/** The key of these parts: those of the partition, and then those of the sort key. */
// @__NO_SIDE_EFFECTS__
const keyOf = <const Of extends KeyPattern>(
  { pk, sk }: Of,
  ...parts: [...Values<PartsOf<Of['pk']>>, ...Values<PartsOf<Of['sk']>>]
): Key => ({ pk: filled(pk, parts), sk: filled(sk, parts, textsOf(pk).length - 1) });

/** What the sort keys of a kind begin with. */
// @__NO_SIDE_EFFECTS__
const prefixOf = ({ sk }: Pick<KeyPattern, 'sk'>): string => textsOf(sk)[0]!;

/** The sort keys from the first of one kind to the last of another. */
// @__NO_SIDE_EFFECTS__
const rangeOf = (first: Pick<KeyPattern, 'sk'>, last: Pick<KeyPattern, 'sk'>) => ({
  from: prefixOf(first),
  to: last.sk.includes('<') ? `${prefixOf(last)}~` : last.sk,
});

/** An entry in a list of the directory index. */
const listed = (directory_pk: string, directory_sk: string) => ({ directory_pk, directory_sk });

/** Number of partitions of a team's directory: enough that a scan runs in parallel and no partition is hot. */
export const directoryShards = 4;

/** The owner of content that belongs to no team: global objectives. */
export const globalTeam = 'GLOBAL';

const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

export const contactPartition = (teamId: string, contactId: string) => partitionOf(items.contact, teamId, contactId);
export const contactKey = (teamId: string, contactId: string): Key => keyOf(items.contact, teamId, contactId);

export const contactIdOfPartition = (pk: string): string => pk.slice(pk.lastIndexOf('#') + 1);

export const linkKey = (teamId: string, contactId: string, accountNumber: string): Key =>
  keyOf(items.link, teamId, contactId, accountNumber);
export const linkPrefix = prefixOf(items.link);
export const isLinkKey = ({ sk }: Key): boolean => sk.startsWith(linkPrefix);
export const accountNumberOfLink = (key: Key): string => key.sk.slice(linkPrefix.length);
/** Sort keys from a contact's first link to the contact itself. */
export const linksAndContact = rangeOf(items.link, items.contact);

/** @param accountId set only if the template makes a journey for each account of a contact */
export const journeyKey = (teamId: string, contactId: string, templateId: string, accountId?: string): Key =>
  accountId === undefined
    ? keyOf(items.journey, teamId, contactId, templateId)
    : keyOf(items.accountJourney, teamId, contactId, templateId, accountId);
export const journeyActionKey = (
  teamId: string,
  contactId: string,
  templateId: string,
  { kind, page_id }: { kind: string; page_id: string },
  accountId?: string,
): Key =>
  accountId === undefined
    ? keyOf(items.action, teamId, contactId, templateId, kind, page_id)
    : keyOf(items.accountAction, teamId, contactId, templateId, accountId, kind, page_id);
const accountJourneyPrefix = prefixOf(items.accountJourney);
/** True for a journey, and for an action in one. */
export const isJourneyKey = ({ sk }: Key): boolean =>
  sk.startsWith(prefixOf(items.journey)) || sk.startsWith(accountJourneyPrefix);
/** What the sort keys of a contact's journeys about accounts, from this template, begin with. */
export const accountJourneysPrefix = (templateId: string): string => `${accountJourneyPrefix}${templateId}#`;
export const responseKey = (
  teamId: string,
  contactId: string,
  journeyId: string,
  { at, id }: { at: string; id: string },
): Key => keyOf(items.response, teamId, contactId, journeyId, at, id);
export const responsePrefix = (journeyId: string): string => `${prefixOf(items.response)}${journeyId}#`;
export const identityCheckKey = (teamId: string, contactId: string): Key =>
  keyOf(items.identityAttempts, teamId, contactId);
export const judgedKey = (teamId: string, contactId: string): Key => keyOf(items.judged, teamId, contactId);
/** Of a contact that was targeted without a journey, for one account or for the contact as a whole. */
export const targetedNoteKey = (
  teamId: string,
  contactId: string,
  { template_id, account_id }: { template_id: string; account_id: string | null },
): Key =>
  account_id === null
    ? keyOf(items.targetedNote, teamId, contactId, template_id)
    : keyOf(items.accountNote, teamId, contactId, template_id, account_id);
export const targetedNotePrefix = prefixOf(items.targetedNote);
/**
 * Sort keys of the contact aggregate, from the first link to the attempts. What sorts between them is read with every
 * page. The responses sort after them.
 */
export const contactAggregate = rangeOf(items.link, items.identityAttempts);
/** The parts of the key of a journey or action. `kind` and `pageId` are set only for an action, `id` only for an answer. */
export type JourneyKeyParts = { templateId: string; accountId?: string; kind?: string; pageId?: string; id?: string };
export function partsOfJourneyKey({ sk }: Key): JourneyKeyParts {
  const [, templateId = '', ...rest] = sk.split('#');
  const ofAccount = sk.startsWith(accountJourneyPrefix) ? { accountId: rest.shift() ?? '' } : {};
  const [kind, pageId, id] = rest;
  if (kind === undefined || pageId === undefined) return { templateId, ...ofAccount };
  return { templateId, ...ofAccount, kind, pageId, ...(id === undefined ? {} : { id }) };
}
export const earlierConsentKey = (teamId: string, contactId: string, at: string, version: number): Key =>
  keyOf(items.earlierConsent, teamId, contactId, at, String(version));
export const earlierConsentPrefix = prefixOf(items.earlierConsent);
export const journeyIdKey = (teamId: string, journeyId: string): Key => keyOf(items.journeyId, teamId, journeyId);
export const slugKey = (slug: string): Key => keyOf(items.slug, slug);

/**
 * A journey's position among those of its template in the directory index, by the time of its last change that was
 * counted.
 */
export const journeyListKey = (
  teamId: string,
  { id, contact_id, template_id }: { id: string; contact_id: string; template_id: string },
  updatedAt: string,
) => listed(journeyListPartition(teamId, template_id, shardOf(contact_id)), `${updatedAt}#${id}`);
export const journeyListPartition = (teamId: string, templateId: string, shard: number) =>
  `${teamPartition(teamId)}#Y#${templateId}#${shard}`;
/** A response's position among those to its template in the directory index, by its time. */
export const responseListKey = (
  teamId: string,
  { contactId, templateId }: { contactId: string; templateId: string },
  { at, id }: { at: string; id: string },
) => listed(responseListPartition(teamId, templateId, shardOf(contactId)), `${at}#${id}`);
export const responseListPartition = (teamId: string, templateId: string, shard: number) =>
  `${teamPartition(teamId)}#Z#${templateId}#${shard}`;
export const timeOfListKey = (sk: string): string => sk.slice(0, sk.indexOf('#'));
export const journeyIdOfResponseKey = ({ sk }: Key): string => sk.split('#')[1] ?? '';

export const countersKey = (teamId: string, templateId: string, shard: number, group: string): Key =>
  keyOf(items.counters, teamId, templateId, String(shard), group);
export const countersPartition = (teamId: string, templateId: string) =>
  partitionOf(items.counters, teamId, templateId);
/** What erased persons had counted of a group, or of several groups if there is none. */
export const erasedCountersKey = (teamId: string, templateId: string, part: number, group?: string): Key =>
  group === undefined
    ? keyOf(items.erasedCounters, teamId, templateId, String(part))
    : keyOf(items.erasedGroup, teamId, templateId, String(part), group);
export const groupOfErasedCounters = ({ sk }: Key): string | undefined => /^ERASED#\d+#(.+)$/s.exec(sk)?.[1];
export const isErasedCounters = ({ sk }: Key): boolean => sk.startsWith(prefixOf(items.erasedCounters));
export const groupOfCounters = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);

export const accountKey = (teamId: string, accountNumber: string): Key => keyOf(items.account, teamId, accountNumber);
export const holderKey = (teamId: string, accountNumber: string, contactId: string): Key =>
  keyOf(items.holder, teamId, accountNumber, contactId);
export const holdersKey = (teamId: string, accountNumber: string): Key => keyOf(items.holders, teamId, accountNumber);
const holderPrefix = prefixOf(items.holder);
export const isHolderKey = ({ sk }: Key): boolean => sk.startsWith(holderPrefix);
export const contactIdOfHolder = ({ sk }: Key): string => sk.slice(holderPrefix.length);

/** @param hash of an email address, see `lib/auth/address-hash.ts` */
export const suppressedKey = (teamId: string, hash: string): Key => keyOf(items.suppressed, teamId, hash);
export const listSecretKey = (teamId: string): Key => keyOf(items.listSecret, teamId);
export const hashOfSuppressed = ({ pk }: Key): string => pk.slice(pk.lastIndexOf('#') + 1);
/** The listed addresses of a team in the directory index, by the time of their last change. */
export const suppressedListPartition = (teamId: string) => `${teamPartition(teamId)}#SUPPRESSED`;
export const suppressedListKey = (teamId: string, hash: string, at: string) =>
  listed(suppressedListPartition(teamId), `${at}#${hash}`);
export const hashOfListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);
export const addressVerificationsKey = (teamId: string, hash: string): Key =>
  keyOf(items.addressVerifications, teamId, hash);

export const identityKey = (teamId: string, uniqueId: string): Key =>
  keyOf(items.identity, teamId, uniqueIdDigest(teamId, uniqueId));
export const erasureKey = (teamId: string, uniqueId: string): Key =>
  erasureKeyOf(teamId, uniqueIdDigest(teamId, uniqueId));
export const erasureKeyOf = (teamId: string, digest: string): Key => keyOf(items.erasure, teamId, digest);
export const erasureRequestsPartition = partitionOf(items.erasureRequest);
export const erasureRequestKey = (teamId: string, contactId: string): Key =>
  keyOf(items.erasureRequest, teamId, contactId);
export const lateLinksKey = (teamId: string, contactId: string, requestId: string): Key =>
  keyOf(items.lateLinks, teamId, contactId, requestId);

/** Identifies a `unique_id` of the team without containing it. */
export const uniqueIdDigest = (teamId: string, uniqueId: string): string => uuid5(uniqueId, teamId);

export const teamPartition = (teamId: string) => partitionOf(items.team, teamId);
export const teamKey = (teamId: string): Key => keyOf(items.team, teamId);
export const productKey = (teamId: string, code: string): Key => keyOf(items.product, teamId, code);
export const contentKey = (owner: string): Key => keyOf(items.content, owner);
export const contentPartition = (owner: string, revision: string) => partitionOf(items.contentPart, owner, revision);
export const contentPartKey = (owner: string, revision: string, part: number): Key =>
  keyOf(items.contentPart, owner, revision, pad(part, 3));
export const revisionsPartition = (owner: string) => partitionOf(items.contentRevision, owner);
export const contentRevisionKey = (owner: string, version: number): Key =>
  keyOf(items.contentRevision, owner, pad(version, 9));
export const contentRevisionPrefix = prefixOf(items.contentRevision);
export const pendingContentKey = (owner: string): Key => keyOf(items.pendingContent, owner);
export const teamClientKey = (teamId: string, clientId: string): Key => keyOf(items.teamClient, teamId, clientId);
export const teamClientPrefix = prefixOf(items.teamClient);
export const teamFileKey = (teamId: string, fileId: string): Key => keyOf(items.teamFile, teamId, fileId);
export const teamFilePrefix = prefixOf(items.teamFile);
export const accountNumberOfPartition = ({ pk }: Key): string => pk.slice(pk.indexOf('#A#') + 3);
export const clientIdOfEntry = (key: Key): string => key.sk.slice(teamClientPrefix.length);

export const teamsPartition = partitionOf(items.teams);
export const teamsKey = (teamId: string): Key => keyOf(items.teams, teamId);

export const batchKey = (teamId: string, batchId: string): Key => keyOf(items.batch, teamId, batchId);
export const isBatchKey = ({ sk }: Key): boolean => sk === items.batch.sk;
/** The team's batches in the directory index, by the time of their first chunk. */
export const batchListPartition = (teamId: string) => `${teamPartition(teamId)}#BATCHES`;
export const batchListKey = (teamId: string, batchId: string, insertedAt: string) =>
  listed(batchListPartition(teamId), `${insertedAt}#${batchId}`);
export const batchIdOfListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);
export const batchPartition = (teamId: string, batchId: string) => partitionOf(items.batch, teamId, batchId);
export const chunkKey = (teamId: string, batchId: string, chunkIndex: number): Key =>
  keyOf(items.chunk, teamId, batchId, pad(chunkIndex, 6));
export const uploadChunkPrefix = prefixOf(items.uploadChunk);
/** `uploadId` is new for each request. */
export const uploadChunkKey = (teamId: string, batchId: string, uploadId: string, part: number): Key =>
  keyOf(items.uploadChunk, teamId, batchId, uploadId, pad(part, 6));
/** The key of a chunk whose sort key is known. */
export const claimKey = (teamId: string, batchId: string, claim: string): Key => ({
  pk: batchPartition(teamId, batchId),
  sk: claim,
});

export const payloadPartition = (teamId: string, payloadId: string) => partitionOf(items.payload, teamId, payloadId);
export const payloadKey = (teamId: string, payloadId: string, part: number): Key =>
  keyOf(items.payload, teamId, payloadId, pad(part, 3));

export const orderCounterKey = (teamId: string): Key => keyOf(items.orderCounter, teamId);

/** The import state, the open chunks in their order and the failed chunks of a team. */
export const importPartition = (teamId: string) => partitionOf(items.importState, teamId);
export const importStateKey = (teamId: string): Key => keyOf(items.importState, teamId);
export type ChunkList = 'OPEN' | 'FAILED';
const chunkLists = { OPEN: items.openChunk, FAILED: items.failedChunk };
export const chunkListKey = (teamId: string, list: ChunkList, order: number): Key =>
  keyOf(chunkLists[list], teamId, pad(order, 12));
/** Sort keys from the import state to the last open chunk. */
export const stateAndOpenChunks = rangeOf(items.importState, items.openChunk);
export const chunkListPrefix = (list: ChunkList) => prefixOf(chunkLists[list]);

/**
 * The team's waiting work on completions, results and events of accounts: revisions that are published, before journeys
 * that were changed, before contacts, before accounts whose holders are walked, each by the time at which it was stored.
 */
export const completionWorkPartition = (teamId: string) => partitionOf(items.changedWork, teamId);
const completionWork = {
  ...{ CHANGED: items.changedWork, CONTACTS: items.contactsWork, HOLDERS: items.holdersWork, TELL: items.tellWork },
  ...{ DUE: items.dueWork, SAME_TIME: items.sameTimeWork, PLAN: items.planWork, CAMPAIGNS: items.publicationWork },
};
export type CompletionWorkKind = keyof typeof completionWork;
export const completionWorkKey = (teamId: string, kind: CompletionWorkKind, at: string, name: string): Key =>
  keyOf(completionWork[kind], teamId, at, name);
/** What is due at a time, by this time. */
export const duePartition = (teamId: string) => partitionOf(items.dueJourney, teamId);
export const dueJourneyKey = (teamId: string, at: string, journeyId: string): Key =>
  keyOf(items.dueJourney, teamId, at, journeyId);
export const duePlanKey = (teamId: string, at: string, templateId: string): Key =>
  keyOf(items.duePlan, teamId, at, templateId);
export const duePublicationKey = (teamId: string, at: string, revision: string): Key =>
  keyOf(items.duePublication, teamId, at, revision);
/** When the entry is due, and of what. */
export function partsOfDueKey({
  sk,
}: Key): { at: string } & ({ journeyId: string } | { templateId: string } | { revision: string }) {
  const [at = '', kind, id = ''] = sk.split('#');
  if (kind === 'PUBLISH') return { at, revision: id };
  return { at, ...(kind === 'JOURNEY' ? { journeyId: id } : { templateId: id }) };
}

export const timeOfCompletionWork = ({ sk }: Key): string => sk.split('#')[1] ?? '';

/** The rules of a team, and the state of its targeting. */
export const targetingPartition = (teamId: string) => partitionOf(items.targetingRule, teamId);
export const targetingRuleKey = (teamId: string, templateId: string): Key =>
  keyOf(items.targetingRule, teamId, templateId);
export const targetingRulePrefix = prefixOf(items.targetingRule);
export const templateIdOfRule = ({ sk }: Key): string => sk.slice(targetingRulePrefix.length);
export const targetingStateKey = (teamId: string): Key => keyOf(items.targetingState, teamId);
export const heldPartition = (teamId: string, templateId: string) => partitionOf(items.heldContact, teamId, templateId);
export const heldContactKey = (teamId: string, templateId: string, contactId: string): Key =>
  keyOf(items.heldContact, teamId, templateId, contactId);
export const contactIdOfHeld = ({ sk }: Key): string => sk.slice(prefixOf(items.heldContact).length);
/** Number of lanes in which the contacts of a team wait to be judged. */
export const targetingLanes = 8;
export const marksPartition = (teamId: string, lane: number) => partitionOf(items.contactMark, teamId, String(lane));
export const contactMarkKey = (teamId: string, contactId: string): Key =>
  keyOf(items.contactMark, teamId, String(targetingLaneOf(contactId)), contactId);
/** @param lane that of its contacts */
export const contactsMarkKey = (teamId: string, lane: string, at: string, mark: string): Key =>
  keyOf(items.contactsMark, teamId, lane, at, mark);
export const holdersMarkKey = (teamId: string, accountNumber: string): Key =>
  keyOf(items.holdersMark, teamId, String(targetingLaneOf(uuid5(accountNumber, teamId))), accountNumber);
const targetingLaneOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 2), 16) % targetingLanes;
export const laneOfMark = ({ pk }: Key): string => pk.slice(pk.lastIndexOf('#') + 1);
/** What is marked: the contact, or the account whose holders are; `undefined` for a mark of several contacts. */
export function subjectOfMark({ sk }: Key): { contactId: string } | { accountNumber: string } | undefined {
  const [contact, holders] = [prefixOf(items.contactMark), prefixOf(items.holdersMark)];
  if (sk.startsWith(contact)) return { contactId: sk.slice(contact.length) };
  return sk.startsWith(holders) ? { accountNumber: sk.slice(holders.length) } : undefined;
}
export const walksPartition = (teamId: string) => partitionOf(items.walk, teamId);
export const walkKey = (teamId: string, name: string): Key => keyOf(items.walk, teamId, name);
export const nameOfWalk = ({ sk }: Key): string => sk.slice(prefixOf(items.walk).length);

export const sendRecordKey = (teamId: string, contactId: string, journeyId: string, templateMessageId: string): Key =>
  keyOf(items.sendRecord, teamId, contactId, journeyId, templateMessageId);
/** What the sort keys of the records of a journey begin with. */
export const sendRecordPrefix = (journeyId: string): string => `${prefixOf(items.sendRecord)}${journeyId}#`;
export const sendRecordsPrefix = prefixOf(items.sendRecord);
/** The journey and the template message of a record. */
export function partsOfSendKey({ sk }: Key): { journeyId: string; templateMessageId: string } {
  const [, journeyId = '', templateMessageId = ''] = sk.split('#');
  return { journeyId, templateMessageId };
}
export const verificationRecordKey = (teamId: string, contactId: string, messageId: string): Key =>
  keyOf(items.verificationRecord, teamId, contactId, messageId);
export const verificationRecordPrefix = prefixOf(items.verificationRecord);
export const contactWeekKey = (teamId: string, contactId: string): Key => keyOf(items.contactWeek, teamId, contactId);
export const addressWeekKey = (teamId: string, hash: string): Key => keyOf(items.addressWeek, teamId, hash);
export const messageStateKey = (teamId: string): Key => keyOf(items.messageState, teamId);
export const messageCountsKey = (teamId: string): Key => keyOf(items.messageCounts, teamId);
export const messageIdKey = (teamId: string, messageId: string): Key => keyOf(items.messageId, teamId, messageId);
export const messageLanePartition = (teamId: string) => partitionOf(items.messageWork, teamId);
/** 1: transactional, 2: of a single journey, 3: for a whole campaign. Verifications come before them. */
export type SendOrder = 1 | 2 | 3;
export const messageWorkKey = (
  teamId: string,
  order: SendOrder,
  { at, journeyId, templateMessageId }: { at: string; journeyId: string; templateMessageId: string },
): Key => keyOf(items.messageWork, teamId, String(order), at, journeyId, templateMessageId);
export const verificationWorkKey = (
  teamId: string,
  { at, contactId, messageId }: { at: string; contactId: string; messageId: string },
): Key => keyOf(items.verificationWork, teamId, at, contactId, messageId);
/** What waits in the lane of messages, by its key. */
export type MessageWorkParts =
  | { order: SendOrder; at: string; journeyId: string; templateMessageId: string }
  | { at: string; contactId: string; messageId: string };
export function partsOfMessageWork({ sk }: Key): MessageWorkParts {
  const [first = '', at = '', second = '', third = '', fourth = ''] = sk.split('#');
  if (second === 'V') return { at, contactId: third, messageId: fourth };
  const order = first === '1' ? 1 : first === '2' ? 2 : 3;
  return { order, at, journeyId: second, templateMessageId: third };
}

export const dropKey = (teamId: string, fileId: string): Key => keyOf(items.dropFile, teamId, fileId);
export const importedVersionKey = (teamId: string, fileNameId: string): Key =>
  keyOf(items.importedVersion, teamId, fileNameId);
/** The team's dropped files in the directory index, by the time at which they arrived. */
export const dropListPartition = (teamId: string) => `${teamPartition(teamId)}#FILES`;
export const dropListKey = (teamId: string, fileId: string, receivedAt: string) =>
  listed(dropListPartition(teamId), `${receivedAt}#${fileId}`);
export const fileIdOfDropListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);

export const eventPartition = (teamId: string) => partitionOf(items.eventHead, teamId);
export const eventHeadKey = (teamId: string): Key => keyOf(items.eventHead, teamId);
export const eventPackKey = (teamId: string, seq: number): Key => keyOf(items.eventPack, teamId, pad(seq, 12));
export const eventPackPrefix = prefixOf(items.eventPack);

export const expectedPartition = partitionOf(items.expectedFile);
export const expectedFileKey = ({ team_id, type, by }: { team_id: string; type: string; by: string }): Key =>
  keyOf(items.expectedFile, team_id, type, by);
export const expectedPrefix = (teamId: string) => `${teamId}#`;

export const webhookPartition = (teamId: string) => partitionOf(items.webhook, teamId);
export const webhookKey = (teamId: string, webhookId: string): Key => keyOf(items.webhook, teamId, webhookId);
export const endedWebhookKey = (teamId: string, webhookId: string): Key => keyOf(items.endedWebhook, teamId, webhookId);
/**
 * The events of a webhook that wait for another attempt, by their place in the log, those that were given up, by time,
 * and tests.
 */
export const webhookEventPartition = (teamId: string, webhookId: string) =>
  partitionOf(items.testEvent, teamId, webhookId);
const webhookEvents = { FAILED: items.failedEvent, RETRY: items.retryEvent, TEST: items.testEvent };
export type WebhookEventList = keyof typeof webhookEvents;
export const webhookEventKey = (teamId: string, webhookId: string, list: WebhookEventList, name: string): Key => ({
  pk: webhookEventPartition(teamId, webhookId),
  sk: webhookEventPrefix(list) + name,
});
export const webhookEventPrefix = (list: WebhookEventList) => prefixOf(webhookEvents[list]);
export const nameOfWebhookEvent = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);
export const isWebhookTest = ({ sk }: Key): boolean => sk.startsWith(webhookEventPrefix('TEST'));
/** Sort keys of what the next turn of a webhook works on: `FAILED#…` sorts before it. */
export const retriesAndTests = rangeOf(items.retryEvent, items.testEvent);
/** The place of an event in the log. As text, places sort. */
export const logPlace = ({ seq, index }: { seq: number; index: number }): string => `${pad(seq, 12)}#${pad(index, 6)}`;
export const webhookSecretsKey = (webhookId: string): Key => keyOf(items.webhookSecrets, webhookId);

export const clientKey = (clientId: string): Key => keyOf(items.client, clientId);
/** By a digest of the `jti` of the assertion. */
export const assertionKey = (clientId: string, digest: string): Key => keyOf(items.assertion, clientId, digest);

/** The team that an audit entry belongs to, or `globalTeam` if it belongs to no team. */
export type AuditOwner = string;
export const auditPartition = (owner: AuditOwner, month: string) => partitionOf(items.audit, owner, month);
export const auditKey = (owner: AuditOwner, at: string, entryId: string): Key =>
  keyOf(items.audit, owner, at.slice(0, 7), at, entryId);

export const scanUseKey = (teamId: string, clientId: string): Key => keyOf(items.scanUse, teamId, clientId);

export const heartbeatKey: Key = keyOf(items.heartbeat);

export const signingKeysPartition = partitionOf(items.signingKey);
export const signingKeyKey = (kid: string): Key => keyOf(items.signingKey, kid);

/** A contact's entry in the directory: its shard, and within the shard the order of creation. */
export const directoryKey = (teamId: string, contactId: string, insertedAt: string) =>
  listed(directoryPartition(teamId, shardOf(contactId)), directoryPositionOf(insertedAt, contactId));
export const directoryPositionOf = (insertedAt: string, contactId: string): string => `${insertedAt}#${contactId}`;
export const directoryPartition = (teamId: string, shard: number) => `${teamPartition(teamId)}#D#${shard}`;
export const contactIdOfDirectoryKey = (sk: string): string => sk.slice(sk.lastIndexOf('#') + 1);
export const insertedAtOfDirectoryKey = (sk: string): string => sk.slice(0, sk.lastIndexOf('#'));
/** Sorts after every contact with this time: `$` is the character after `#`. */
export const directoryEndOf = (insertedAt: string): string => `${insertedAt}$`;

/** The shard of a contact, and of everything of the contact in an index. */
export const shardOf = (contactId: string) => Number.parseInt(contactId.slice(0, 2), 16) % directoryShards;

/** The contacts of a team with this value in this field, in the index of the field's slot. */
export const lookupPartition = (teamId: string, field: string, value: string) =>
  `${teamPartition(teamId)}#L#${uuid5(JSON.stringify([field, value]), teamId)}`;
export const lookupAttribute = (slot: LookupSlot): `lookup_${LookupSlot}` => `lookup_${slot}`;
