import type { LookupSlot } from '../../domain/contacts/lookup.ts';
import { uuid5 } from './digest.ts';

/**
 * Every key of the single table. No other file builds or parses a key.
 * DynamoDB allows 2,048 bytes for a partition key and 1,024 for a sort key; the contract keeps every part below that.
 */
export type Key = { pk: string; sk: string };
const key = (pk: string, sk: string): Key => ({ pk, sk });
/** An entry in a list of the directory index. */
const listed = (directory_pk: string, directory_sk: string) => ({ directory_pk, directory_sk });

/** Number of partitions of a team's directory: enough that a scan runs in parallel and no partition is hot. */
export const directoryShards = 4;

/** The owner of content that belongs to no team: global objectives. */
export const globalTeam = 'GLOBAL';

const team = (teamId: string) => `T#${teamId}`;
const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

export const contactPartition = (teamId: string, contactId: string) => `${team(teamId)}#C#${contactId}`;
export const contactKey = (teamId: string, contactId: string): Key =>
  key(contactPartition(teamId, contactId), 'CONTACT');

export const contactIdOfPartition = (pk: string): string => pk.slice(pk.lastIndexOf('#') + 1);

/** A contact's link to an account, in the contact's partition. Neither the contact nor the account has to exist yet. */
export const linkKey = (teamId: string, contactId: string, accountNumber: string): Key =>
  key(contactPartition(teamId, contactId), `ACCOUNT#${accountNumber}`);
export const linkPrefix = 'ACCOUNT#';
export const isLinkKey = ({ sk }: Key): boolean => sk.startsWith(linkPrefix);
export const accountNumberOfLink = (key: Key): string => key.sk.slice(linkPrefix.length);
/** Sort keys from a contact's first link to the contact itself: `ACCOUNT#…` sorts before `CONTACT`. */
export const linksAndContact = { from: 'ACCOUNT#', to: 'CONTACT' } as const;

/** A contact's journey from a template, in the contact's partition. It sorts after the links and the contact. */
export const journeyKey = (teamId: string, contactId: string, templateId: string): Key =>
  key(contactPartition(teamId, contactId), `${journeyPrefix}${templateId}`);
/** An action on a page of a journey. Each action has its own item, so that concurrent events do not conflict. */
export const journeyActionKey = (
  teamId: string,
  contactId: string,
  templateId: string,
  { kind, page_id }: { kind: string; page_id: string },
): Key => key(contactPartition(teamId, contactId), `${journeyPrefix}${templateId}#${kind}#${page_id}`);
export const journeyPrefix = 'JOURNEY#';
/** A response to a block, in the contact's partition and in order of time. It sorts after all items that pages need. */
export const responseKey = (
  teamId: string,
  contactId: string,
  journeyId: string,
  { at, id }: { at: string; id: string },
): Key => key(contactPartition(teamId, contactId), `${responsePrefix(journeyId)}${at}#${id}`);
export const responsePrefix = (journeyId: string): string => `RESPONSE#${journeyId}#`;
/** The attempts to prove to be a contact, in the contact's partition. It sorts after the journeys. */
export const identityCheckKey = (teamId: string, contactId: string): Key =>
  key(contactPartition(teamId, contactId), 'PROOF');
/** Sort keys of the contact aggregate, from the first link to the attempts. The responses sort after them. */
export const contactAggregate = { from: 'ACCOUNT#', to: 'PROOF' } as const;
/** The template of a journey or action. `kind` and `pageId` are set only for an action, `id` only for an answer. */
export function partsOfJourneyKey({ sk }: Key): { templateId: string; kind?: string; pageId?: string; id?: string } {
  const [templateId = '', kind, pageId, id] = sk.slice(journeyPrefix.length).split('#');
  if (kind === undefined || pageId === undefined) return { templateId };
  return { templateId, kind, pageId, ...(id === undefined ? {} : { id }) };
}
/** The items that name the contact and template of the journey with this id, or with this slug. */
export const journeyIdKey = (teamId: string, journeyId: string): Key =>
  key(`${team(teamId)}#J#${journeyId}`, 'JOURNEY');
export const slugKey = (slug: string): Key => key(`S#${slug}`, 'JOURNEY');

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
  `${team(teamId)}#Y#${templateId}#${shard}`;
/** A response's position among those to its template in the directory index, by its time. */
export const responseListKey = (
  teamId: string,
  { contactId, templateId }: { contactId: string; templateId: string },
  { at, id }: { at: string; id: string },
) => listed(responseListPartition(teamId, templateId, shardOf(contactId)), `${at}#${id}`);
export const responseListPartition = (teamId: string, templateId: string, shard: number) =>
  `${team(teamId)}#Z#${templateId}#${shard}`;
export const timeOfListKey = (sk: string): string => sk.slice(0, sk.indexOf('#'));
export const journeyIdOfResponseKey = ({ sk }: Key): string => sk.split('#')[1] ?? '';

/** A group of counters of the results of a template, in one of several shards so that no item is hot. */
export const countersKey = (teamId: string, templateId: string, shard: number, group: string): Key =>
  key(countersPartition(teamId, templateId), `${shard}#${group}`);
export const countersPartition = (teamId: string, templateId: string) => `${team(teamId)}#S#${templateId}`;
/** What erased persons had counted of a group, or of several groups if there is none. It is in the counters too. */
export const erasedCountersKey = (teamId: string, templateId: string, part: number, group?: string): Key =>
  key(countersPartition(teamId, templateId), `${erasedPrefix}${part}${group === undefined ? '' : `#${group}`}`);
const erasedPrefix = 'ERASED#';
export const groupOfErasedCounters = ({ sk }: Key): string | undefined => /^ERASED#\d+#(.+)$/s.exec(sk)?.[1];
export const isErasedCounters = ({ sk }: Key): boolean => sk.startsWith(erasedPrefix);
export const groupOfCounters = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);

export const accountKey = (teamId: string, accountNumber: string): Key =>
  key(`${team(teamId)}#A#${accountNumber}`, 'ACCOUNT');

/** A contact that can be linked to the account, in the account's partition; see `holders.ts`. */
export const holderKey = (teamId: string, accountNumber: string, contactId: string): Key =>
  key(accountKey(teamId, accountNumber).pk, `${holderPrefix}${contactId}`);
const holderPrefix = 'HOLDER#';
/** Says that the account can have holders beside it: one read instead of a query. */
export const holdersKey = (teamId: string, accountNumber: string): Key =>
  key(accountKey(teamId, accountNumber).pk, 'HOLDERS');
export const isHolderKey = ({ sk }: Key): boolean => sk.startsWith(holderPrefix);
export const contactIdOfHolder = ({ sk }: Key): string => sk.slice(holderPrefix.length);

/** Exists only if the `unique_id` has been part of a rename. Names the contact that the value belongs to now. */
export const identityKey = (teamId: string, uniqueId: string): Key =>
  key(`${team(teamId)}#I#${uniqueIdDigest(teamId, uniqueId)}`, 'IDENTITY');

/** State of the erasure of the person with this `unique_id`; deleted when the erasure has completed. */
export const erasureKey = (teamId: string, uniqueId: string): Key =>
  erasureKeyOf(teamId, uniqueIdDigest(teamId, uniqueId));
export const erasureKeyOf = (teamId: string, digest: string): Key => key(`${team(teamId)}#X#${digest}`, 'ERASURE');

/** An accepted request to erase a contact, or links of one that were written late. One partition for all teams. */
export const erasureRequestsPartition = 'ERASURES';
export const erasureRequestKey = (teamId: string, contactId: string, lateId?: string): Key =>
  key(erasureRequestsPartition, `${teamId}#${contactId}${lateId === undefined ? '' : `#${lateId}`}`);

/** Identifies a `unique_id` of the team without containing it. */
export const uniqueIdDigest = (teamId: string, uniqueId: string): string => uuid5(uniqueId, teamId);

/** The kinds of items in a contact's partition. */
export type ContactItemKind = 'contacts' | 'links' | 'journeys' | 'actions' | 'responses' | 'identity_attempts';
export function contactItemKind(key: Key): ContactItemKind {
  if (isLinkKey(key)) return 'links';
  if (key.sk.startsWith('RESPONSE#')) return 'responses';
  if (!key.sk.startsWith(journeyPrefix)) return key.sk === 'PROOF' ? 'identity_attempts' : 'contacts';
  const { kind } = partsOfJourneyKey(key);
  return kind === undefined ? 'journeys' : 'actions';
}

/** A kind of item whose changes matter to others, and the ids in its key. */
export type ItemPlace = { teamId: string } & (
  | { kind: 'contact' | 'link' | 'response'; contactId: string }
  | { kind: 'journey' | 'action'; contactId: string; templateId: string }
  | { kind: 'account'; accountNumber: string }
  | { kind: 'chunk'; batchId: string }
  | { kind: 'file'; fileId: string }
);

export function placeOf({ pk, sk }: Key): ItemPlace | undefined {
  const [, teamId, kind, id] = /^T#([^#]+)#([ABCF])#(.+)$/s.exec(pk) ?? [];
  if (teamId === undefined || id === undefined) return undefined;
  if (kind === 'A') return sk === 'ACCOUNT' ? { teamId, kind: 'account', accountNumber: id } : undefined;
  if (kind === 'B') return sk === 'BATCH' ? undefined : { teamId, kind: 'chunk', batchId: id };
  if (kind === 'F') return { teamId, kind: 'file', fileId: id };
  const place = placesInContact[contactItemKind({ pk, sk })];
  return place && { teamId, contactId: id, templateId: partsOfJourneyKey({ pk, sk }).templateId, kind: place };
}
const placesInContact: Partial<Record<ContactItemKind, 'contact' | 'link' | 'response' | 'journey' | 'action'>> = {
  contacts: 'contact',
  links: 'link',
  responses: 'response',
  journeys: 'journey',
  actions: 'action',
};

export const teamPartition = (teamId: string) => team(teamId);
export const teamKey = (teamId: string): Key => key(team(teamId), 'TEAM');
export const productKey = (teamId: string, code: string): Key => key(team(teamId), `PRODUCT#${code}`);
/** Names the current revision of the owner's content. */
export const contentKey = (owner: string): Key => key(team(owner), 'CONTENT');
export const contentPartition = (owner: string, revision: string) => `${team(owner)}#R#${revision}`;
export const contentPartKey = (owner: string, revision: string, part: number): Key =>
  key(contentPartition(owner, revision), `PART#${pad(part, 3)}`);
/** A client's entry in its team's partition, so that a team's clients can be listed. */
export const teamClientKey = (teamId: string, clientId: string): Key => key(team(teamId), `CLIENT#${clientId}`);
export const teamClientPrefix = 'CLIENT#';
/** An image of the team. Its content is in the bucket of images. */
export const teamFileKey = (teamId: string, fileId: string): Key => key(team(teamId), `${teamFilePrefix}${fileId}`);
export const teamFilePrefix = 'FILE#';

/** The kinds of items that an export of a team contains. */
export type TeamItemKind = ContactItemKind | 'accounts' | 'products' | 'clients' | 'content' | 'team';
export function teamItemKind(teamId: string, key: Key): TeamItemKind | undefined {
  const { pk, sk } = key;
  if (pk.startsWith(contactPartition(teamId, ''))) return contactItemKind(key);
  if (pk.startsWith(accountKey(teamId, '').pk)) return sk === accountKey(teamId, '').sk ? 'accounts' : undefined;
  if (pk !== team(teamId)) return undefined;
  if (sk.startsWith(teamClientPrefix)) return 'clients';
  if (sk.startsWith(productKey(teamId, '').sk)) return 'products';
  return sk === contentKey(teamId).sk ? 'content' : sk === teamKey(teamId).sk ? 'team' : undefined;
}
/**
 * True for the items of a team that a reset keeps: the team and its clients, products (workers cache which ones exist),
 * its content, which is replaced as a whole, its order counter, its import state, and the log of its events, so that no
 * reader's position in it becomes invalid.
 */
export function isKeptByReset(teamId: string, { pk, sk }: Key): boolean {
  if (pk === team(teamId)) return !sk.startsWith(teamFilePrefix);
  if (pk === importPartition(teamId)) return sk === importStateSort;
  if (pk === eventPartition(teamId)) return true;
  return pk.startsWith(`${team(teamId)}#R#`);
}
export const accountNumberOfPartition = ({ pk }: Key): string => pk.slice(pk.indexOf('#A#') + 3);
export const clientIdOfEntry = (key: Key): string => key.sk.slice(teamClientPrefix.length);

export const teamsPartition = 'TEAMS';
export const teamsKey = (teamId: string): Key => key(teamsPartition, teamId);

/** The attributes that the chunks of a batch share, and the batch's entry in the team's list of batches. */
export const batchKey = (teamId: string, batchId: string): Key => key(batchPartition(teamId, batchId), 'BATCH');
export const isBatchKey = ({ sk }: Key): boolean => sk === 'BATCH';
/** The team's batches in the directory index, by the time of their first chunk. */
export const batchListPartition = (teamId: string) => `${team(teamId)}#BATCHES`;
export const batchListKey = (teamId: string, batchId: string, insertedAt: string) =>
  listed(batchListPartition(teamId), `${insertedAt}#${batchId}`);
export const batchIdOfListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);
export const batchPartition = (teamId: string, batchId: string) => `${team(teamId)}#B#${batchId}`;
export const chunkKey = (teamId: string, batchId: string, chunkIndex: number): Key =>
  key(batchPartition(teamId, batchId), `CHUNK#${pad(chunkIndex, 6)}`);
export const uploadChunkPrefix = 'UPLOAD#';
/** A chunk that the service created from a request without `chunk_index`. `uploadId` is new for each request. */
export const uploadChunkKey = (teamId: string, batchId: string, uploadId: string, part: number): Key =>
  key(batchPartition(teamId, batchId), `${uploadChunkPrefix}${uploadId}#${pad(part, 6)}`);
/** The key of a chunk whose sort key is known. */
export const claimKey = (teamId: string, batchId: string, claim: string): Key =>
  key(batchPartition(teamId, batchId), claim);

export const payloadPartition = (teamId: string, payloadId: string) => `${team(teamId)}#U#${payloadId}`;
export const payloadKey = (teamId: string, payloadId: string, part: number): Key =>
  key(payloadPartition(teamId, payloadId), `PART#${pad(part, 3)}`);

/** The counter that gives accepted chunks their order numbers. */
export const orderCounterKey = (teamId: string): Key => key(team(teamId), 'IMPORT');

/**
 * The worker's partition of a team: the import state, the open chunks in their order and the failed chunks. One query
 * returns the state and the next chunks to work.
 */
export const importPartition = (teamId: string) => `${team(teamId)}#Q`;
export const importStateKey = (teamId: string): Key => key(importPartition(teamId), importStateSort);
const importStateSort = 'IMPORT';
export type ChunkList = 'OPEN' | 'FAILED';
export const chunkListKey = (teamId: string, list: ChunkList, order: number): Key =>
  key(importPartition(teamId), `${chunkListPrefix(list)}${pad(order, 12)}`);
/** Sort keys from the import state to the last open chunk: `FAILED#…` sorts before `IMPORT`. */
export const stateAndOpenChunks = { from: importStateSort, to: 'OPEN#~' } as const;
export const chunkListPrefix = (list: ChunkList) => `${list}#`;

/**
 * The team's waiting work on completions and results: journeys that were changed, before contacts, before accounts whose
 * holders are walked, each by the time at which it was stored.
 */
export const completionWorkPartition = (teamId: string) => `${importPartition(teamId)}#COMPLETIONS`;
export type CompletionWorkKind = 'CHANGED' | 'CONTACTS' | 'HOLDERS';
export const completionWorkKey = (teamId: string, kind: CompletionWorkKind, at: string, name: string): Key =>
  key(completionWorkPartition(teamId), `${kind}#${at}#${name}`);
export const timeOfCompletionWork = ({ sk }: Key): string => sk.split('#')[1] ?? '';

/** The progress of a dropped file. */
export const dropKey = (teamId: string, fileId: string): Key => key(`${team(teamId)}#F#${fileId}`, 'FILE');
/** The team's dropped files in the directory index, by the time at which they arrived. */
export const dropListPartition = (teamId: string) => `${team(teamId)}#FILES`;
export const dropListKey = (teamId: string, fileId: string, receivedAt: string) =>
  listed(dropListPartition(teamId), `${receivedAt}#${fileId}`);
export const fileIdOfDropListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);

/** The log of a team's events: its head, and the packs of events by their number. */
export const eventPartition = (teamId: string) => `${team(teamId)}#E`;
export const eventHeadKey = (teamId: string): Key => key(eventPartition(teamId), 'HEAD');
export const eventPackKey = (teamId: string, seq: number): Key =>
  key(eventPartition(teamId), `${eventPackPrefix}${pad(seq, 12)}`);
export const eventPackPrefix = 'PACK#';

/** A file that a team must drop every day. One partition for all teams. */
export const expectedPartition = 'EXPECTED';
export const expectedFileKey = ({ team_id, type, by }: { team_id: string; type: string; by: string }): Key =>
  key(expectedPartition, `${expectedPrefix(team_id)}${type}#${by}`);
export const expectedPrefix = (teamId: string) => `${teamId}#`;

/** The team's webhooks. Everybody who may read a team's items may read them, so their secrets are not in them. */
export const webhookPartition = (teamId: string) => `${team(teamId)}#W`;
export const webhookKey = (teamId: string, webhookId: string): Key =>
  key(webhookPartition(teamId), `WEBHOOK#${webhookId}`);
/** A webhook that its receiver ended. */
export const endedWebhookKey = (teamId: string, webhookId: string): Key =>
  key(webhookPartition(teamId), `ENDED#${webhookId}`);
/**
 * The events of a webhook that wait for another attempt, by their place in the log, those that were given up, by time,
 * and tests.
 */
export const webhookEventPartition = (teamId: string, webhookId: string) => `${webhookPartition(teamId)}#${webhookId}`;
export type WebhookEventList = 'FAILED' | 'RETRY' | 'TEST';
export const webhookEventKey = (teamId: string, webhookId: string, list: WebhookEventList, name: string): Key =>
  key(webhookEventPartition(teamId, webhookId), webhookEventPrefix(list) + name);
export const webhookEventPrefix = (list: WebhookEventList) => `${list}#`;
export const nameOfWebhookEvent = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);
export const isWebhookTest = ({ sk }: Key): boolean => sk.startsWith(webhookEventPrefix('TEST'));
/** Sort keys of what the next turn of a webhook works on: `FAILED#…` sorts before it. */
export const retriesAndTests = { from: 'RETRY#', to: 'TEST#~' } as const;
/** The place of an event in the log. As text, places sort. */
export const logPlace = ({ seq, index }: { seq: number; index: number }): string => `${pad(seq, 12)}#${pad(index, 6)}`;
/** The secrets of a webhook, which only the function that signs may read. */
export const webhookSecretsKey = (webhookId: string): Key => key(`WEBHOOK#${webhookId}`, 'SECRETS');
/** A webhook in the list of those of all teams. */
export const webhooksPartition = 'WEBHOOKS';
export const webhooksKey = (teamId: string, webhookId: string): Key => key(webhooksPartition, `${teamId}#${webhookId}`);

/** The key of the webhook with this entry in the list. */
export function webhookOfEntry({ sk }: Key): Key {
  const [teamId = '', webhookId = ''] = sk.split('#');
  return webhookKey(teamId, webhookId);
}

export const clientKey = (clientId: string): Key => key(`CLIENT#${clientId}`, 'CLIENT');

/** An assertion with which a client has authenticated, by a digest of its `jti`. */
export const assertionKey = (clientId: string, digest: string): Key =>
  key(clientKey(clientId).pk, `ASSERTION#${digest}`);

/** The team that an audit entry belongs to, or `globalTeam` if it belongs to no team. */
export type AuditOwner = string;
/** Does not begin with `T#`: functions that may change all items of a team must not change its audit log. */
export const auditPartition = (owner: AuditOwner, month: string) => `AUDIT#${owner}#${month}`;
/** An entry of the audit log, sorted by time. */
export const auditKey = (owner: AuditOwner, at: string, entryId: string): Key =>
  key(auditPartition(owner, at.slice(0, 7)), `${at}#${entryId}`);

/** The read units that a client has used for scans of its team's directory. */
export const scanUseKey = (teamId: string, clientId: string): Key => key(`${team(teamId)}#M#${clientId}`, 'SCANS');

/** Changes every minute, so that a stream that stops is noticed. It belongs to no team and becomes no event. */
export const heartbeatKey: Key = key('HEARTBEAT', 'HEARTBEAT');

export const signingKeysPartition = 'KEYS';
export const signingKeyKey = (kid: string): Key => key(signingKeysPartition, kid);

/** A contact's entry in the directory: its shard, and within the shard the order of creation. */
export const directoryKey = (teamId: string, contactId: string, insertedAt: string) =>
  listed(directoryPartition(teamId, shardOf(contactId)), directoryPositionOf(insertedAt, contactId));
export const directoryPositionOf = (insertedAt: string, contactId: string): string => `${insertedAt}#${contactId}`;
export const directoryPartition = (teamId: string, shard: number) => `${team(teamId)}#D#${shard}`;
export const contactIdOfDirectoryKey = (sk: string): string => sk.slice(sk.lastIndexOf('#') + 1);
export const insertedAtOfDirectoryKey = (sk: string): string => sk.slice(0, sk.lastIndexOf('#'));
/** Sorts after every contact with this time: `$` is the character after `#`. */
export const directoryEndOf = (insertedAt: string): string => `${insertedAt}$`;

/** The shard of a contact, and of everything of the contact in an index. */
export const shardOf = (contactId: string) => Number.parseInt(contactId.slice(0, 2), 16) % directoryShards;

/** The contacts of a team with this value in this field, in the index of the field's slot. */
export const lookupPartition = (teamId: string, field: string, value: string) =>
  `${team(teamId)}#L#${uuid5(JSON.stringify([field, value]), teamId)}`;
export const lookupAttribute = (slot: LookupSlot): `lookup_${LookupSlot}` => `lookup_${slot}`;
