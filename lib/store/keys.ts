import { NIL, v5 as uuid5 } from 'uuid';
import type { LookupSlot } from '../domain/lookup.ts';

/**
 * Every key of the single table. No other file builds or takes apart a key.
 * DynamoDB allows 2,048 bytes for a partition key and 1,024 for a sort key; the contract bounds every part below that.
 */
export type Key = { pk: string; sk: string };

/** How many partitions a team's directory is spread over: enough that a scan runs in parallel and no partition is hot. */
export const directoryShards = 4;

/** The owner of what belongs to no team: global objectives. */
export const globalTeam = 'GLOBAL';

const team = (teamId: string) => `T#${teamId}`;
const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

export const contactPartition = (teamId: string, contactId: string) => `${team(teamId)}#C#${contactId}`;
export const contactKey = (teamId: string, contactId: string): Key => ({
  pk: contactPartition(teamId, contactId),
  sk: 'CONTACT',
});

export const contactIdOfPartition = (pk: string): string => pk.slice(pk.lastIndexOf('#') + 1);

/** A contact's link to an account. It lies with the contact, whether or not contact or account exist yet. */
export const linkKey = (teamId: string, contactId: string, accountNumber: string): Key => ({
  pk: contactPartition(teamId, contactId),
  sk: `ACCOUNT#${accountNumber}`,
});
export const linkPrefix = 'ACCOUNT#';
export const isLinkKey = ({ sk }: Key): boolean => sk.startsWith(linkPrefix);
export const accountNumberOfLink = (key: Key): string => key.sk.slice(linkPrefix.length);
/** Sort keys from a contact's first link to the contact itself: `ACCOUNT#…` sorts before `CONTACT`. */
export const linksAndContact = { from: 'ACCOUNT#', to: 'CONTACT' } as const;

/** A contact's journey from a template lies with the contact, behind its links and itself. */
export const journeyKey = (teamId: string, contactId: string, templateId: string): Key => ({
  pk: contactPartition(teamId, contactId),
  sk: `${journeyPrefix}${templateId}`,
});
/** What was done on a page of a journey: an item of its own, so that events at one moment never contend. */
export const journeyActionKey = (
  teamId: string,
  contactId: string,
  templateId: string,
  { kind, page_id }: { kind: string; page_id: string },
): Key => ({ pk: contactPartition(teamId, contactId), sk: `${journeyPrefix}${templateId}#${kind}#${page_id}` });
/** That a block of a page was answered, and how: beside the response itself, for whoever reads the journey. */
export const journeyAnswerKey = (
  teamId: string,
  contactId: string,
  templateId: string,
  { page_id, id }: { page_id: string; id: string },
): Key => ({
  pk: contactPartition(teamId, contactId),
  sk: `${journeyPrefix}${templateId}#${answeredKind}#${page_id}#${id}`,
});
export const journeyPrefix = 'JOURNEY#';
export const answeredKind = 'answered';
/** What a person answered to a block. Lies with the contact, in the order of time, behind all that pages are made from. */
export const responseKey = (
  teamId: string,
  contactId: string,
  journeyId: string,
  { at, id }: { at: string; id: string },
): Key => ({ pk: contactPartition(teamId, contactId), sk: `${responsePrefix(journeyId)}${at}#${id}` });
export const responsePrefix = (journeyId: string): string => `RESPONSE#${journeyId}#`;
/** The attempts to prove to be a contact. Lies with the contact, behind its journeys. */
export const identityCheckKey = (teamId: string, contactId: string): Key => ({
  pk: contactPartition(teamId, contactId),
  sk: 'PROOF',
});
/** Sort keys of all that is read with a contact, from its first link to its attempts; behind them lie its responses. */
export const contactAggregate = { from: 'ACCOUNT#', to: 'PROOF' } as const;
/** The template of a journey or of an action; `kind` and `pageId` of an action alone. */
export function partsOfJourneyKey({ sk }: Key): { templateId: string; kind?: string; pageId?: string } {
  const [templateId = '', kind, pageId] = sk.slice(journeyPrefix.length).split('#');
  return kind === undefined || pageId === undefined ? { templateId } : { templateId, kind, pageId };
}
/** Say whose journey has this id, or this slug. */
export const journeyIdKey = (teamId: string, journeyId: string): Key => ({
  pk: `${team(teamId)}#J#${journeyId}`,
  sk: 'JOURNEY',
});
export const slugKey = (slug: string): Key => ({ pk: `S#${slug}`, sk: 'JOURNEY' });

export const accountKey = (teamId: string, accountNumber: string): Key => ({
  pk: `${team(teamId)}#A#${accountNumber}`,
  sk: 'ACCOUNT',
});

/** Present only once the `unique_id` has been part of a rename: says which contact the value names now. */
export const identityKey = (teamId: string, uniqueId: string): Key => ({
  pk: `${team(teamId)}#I#${uuid5(uniqueId, teamId)}`,
  sk: 'IDENTITY',
});

/** How far the erasure of the person whom a `unique_id` names has come; deleted when it has ended. */
export const erasureKey = (teamId: string, uniqueId: string): Key => ({
  pk: `${team(teamId)}#X#${uuid5(uniqueId, teamId)}`,
  sk: 'ERASURE',
});

/** The kinds of items in a contact's partition. */
export type ContactItemKind =
  | 'contacts'
  | 'links'
  | 'journeys'
  | 'actions'
  | 'answers'
  | 'responses'
  | 'identity_attempts';
export function contactItemKind(key: Key): ContactItemKind {
  if (isLinkKey(key)) return 'links';
  if (key.sk.startsWith('RESPONSE#')) return 'responses';
  if (!key.sk.startsWith(journeyPrefix)) return key.sk === 'PROOF' ? 'identity_attempts' : 'contacts';
  const { kind } = partsOfJourneyKey(key);
  return kind === undefined ? 'journeys' : kind === answeredKind ? 'answers' : 'actions';
}

export const teamPartition = (teamId: string) => team(teamId);
export const teamKey = (teamId: string): Key => ({ pk: team(teamId), sk: 'TEAM' });
export const productKey = (teamId: string, code: string): Key => ({ pk: team(teamId), sk: `PRODUCT#${code}` });
/** Says which revision of the owner's content counts. */
export const contentKey = (owner: string): Key => ({ pk: team(owner), sk: 'CONTENT' });
export const contentPartKey = (owner: string, revision: string, part: number): Key => ({
  pk: `${team(owner)}#R#${revision}`,
  sk: `PART#${pad(part, 3)}`,
});
/** A credential's entry with its team, so that a team's credentials can be listed. */
export const teamClientKey = (teamId: string, clientId: string): Key => ({
  pk: team(teamId),
  sk: `CLIENT#${clientId}`,
});
export const teamClientPrefix = 'CLIENT#';

/** What an export of a team reads of an item. */
export type TeamItemKind = ContactItemKind | 'accounts' | 'products' | 'clients' | 'content' | 'team';
export function teamItemKind(teamId: string, key: Key): TeamItemKind | undefined {
  const { pk, sk } = key;
  if (pk.startsWith(contactPartition(teamId, ''))) return contactItemKind(key);
  if (pk.startsWith(accountKey(teamId, '').pk)) return 'accounts';
  if (pk !== team(teamId)) return undefined;
  if (sk.startsWith(teamClientPrefix)) return 'clients';
  if (sk.startsWith(productKey(teamId, '').sk)) return 'products';
  return sk === contentKey(teamId).sk ? 'content' : sk === teamKey(teamId).sk ? 'team' : undefined;
}
export const accountNumberOfPartition = ({ pk }: Key): string => pk.slice(pk.indexOf('#A#') + 3);
export const clientIdOfEntry = (key: Key): string => key.sk.slice(teamClientPrefix.length);

export const teamsPartition = 'TEAMS';
export const teamsKey = (teamId: string): Key => ({ pk: teamsPartition, sk: teamId });

/** What the chunks of a batch share, and its place in the team's list of batches. */
export const batchKey = (teamId: string, batchId: string): Key => ({
  pk: batchPartition(teamId, batchId),
  sk: 'BATCH',
});
export const isBatchKey = ({ sk }: Key): boolean => sk === 'BATCH';
/** The team's batches in the directory index, by the time of their first chunk. */
export const batchListPartition = (teamId: string) => `${team(teamId)}#BATCHES`;
export const batchListKey = (teamId: string, batchId: string, insertedAt: string) => ({
  directory_pk: batchListPartition(teamId),
  directory_sk: `${insertedAt}#${batchId}`,
});
export const batchIdOfListKey = (sk: string): string => sk.slice(sk.indexOf('#') + 1);
export const batchPartition = (teamId: string, batchId: string) => `${team(teamId)}#B#${batchId}`;
export const chunkKey = (teamId: string, batchId: string, chunkIndex: number): Key => ({
  pk: batchPartition(teamId, batchId),
  sk: `CHUNK#${pad(chunkIndex, 6)}`,
});
/** A chunk that the service cut from a request without `chunk_index`; `uploadId` is fresh for each request. */
export const uploadChunkKey = (teamId: string, batchId: string, uploadId: string, part: number): Key => ({
  pk: batchPartition(teamId, batchId),
  sk: `UPLOAD#${uploadId}#${pad(part, 6)}`,
});
/** The key of a chunk that is known by its own sort key. */
export const claimKey = (teamId: string, batchId: string, claim: string): Key => ({
  pk: batchPartition(teamId, batchId),
  sk: claim,
});

export const payloadPartition = (teamId: string, payloadId: string) => `${team(teamId)}#U#${payloadId}`;
export const payloadKey = (teamId: string, payloadId: string, part: number): Key => ({
  pk: payloadPartition(teamId, payloadId),
  sk: `PART#${pad(part, 3)}`,
});

/** The counter that gives accepted chunks their order numbers. */
export const orderCounterKey = (teamId: string): Key => ({ pk: team(teamId), sk: 'IMPORT' });

/**
 * The worker's own partition of a team: its import state, then its open chunks in their order, so that one query brings
 * the state and the chunks to work next; and its failed chunks.
 */
export const importPartition = (teamId: string) => `${team(teamId)}#Q`;
export const importStateKey = (teamId: string): Key => ({ pk: importPartition(teamId), sk: importStateSort });
const importStateSort = 'IMPORT';
export type ChunkList = 'OPEN' | 'FAILED';
export const chunkListKey = (teamId: string, list: ChunkList, order: number): Key => ({
  pk: importPartition(teamId),
  sk: `${list}#${pad(order, 12)}`,
});
/** Sort keys from the import state to the last open chunk: `FAILED#…` sorts before `IMPORT`. */
export const stateAndOpenChunks = { from: importStateSort, to: 'OPEN#~' } as const;
export const failedPrefix = 'FAILED#';

/** How far the reading of a dropped file has come. */
export const dropKey = (teamId: string, fileId: string): Key => ({ pk: `${team(teamId)}#F#${fileId}`, sk: 'FILE' });

export const clientKey = (clientId: string): Key => ({ pk: `CLIENT#${clientId}`, sk: 'CLIENT' });

/** An assertion that a client has authenticated with, by a digest of its `jti`. */
export const assertionKey = (clientId: string, digest: string): Key => ({
  pk: clientKey(clientId).pk,
  sk: `ASSERTION#${digest}`,
});

export const signingKeysPartition = 'KEYS';
export const signingKeyKey = (kid: string): Key => ({ pk: signingKeysPartition, sk: kid });

/** The directory's place for a contact: its shard, and the order of creation within it. */
export const directoryKey = (teamId: string, contactId: string, insertedAt: string) => ({
  directory_pk: directoryPartition(teamId, shardOf(contactId)),
  directory_sk: `${insertedAt}#${contactId}`,
});
export const directoryPartition = (teamId: string, shard: number) => `${team(teamId)}#D#${shard}`;
export const contactIdOfDirectoryKey = (sk: string): string => sk.slice(sk.lastIndexOf('#') + 1);
export const insertedAtOfDirectoryKey = (sk: string): string => sk.slice(0, sk.lastIndexOf('#'));
/** Behind every contact of that instant: `$` is the character after `#`. */
export const directoryEndOf = (insertedAt: string): string => `${insertedAt}$`;

const shardOf = (contactId: string) => Number.parseInt(contactId.slice(0, 2), 16) % directoryShards;

/** Contacts of a team that have this value in this field, in the index of the field's slot. */
export const lookupPartition = (teamId: string, field: string, value: string) =>
  `${team(teamId)}#L#${uuid5(JSON.stringify([field, value]), teamId)}`;
export const lookupAttribute = (slot: LookupSlot): `lookup_${LookupSlot}` => `lookup_${slot}`;

/**
 * System ids are derived, so that a writer knows the key without a lookup, concurrent creators meet on one item,
 * and a link can name a contact that does not exist yet. The prefix keeps the kinds apart.
 */
export const derivedContactId = (teamId: string, uniqueId: string) => uuid5(`contact:${uniqueId}`, teamId);
export const derivedAccountId = (teamId: string, accountNumber: string) => uuid5(`account:${accountNumber}`, teamId);
/** Of content that the imported document gives no id: the same name gets the same id at the next import. */
export const derivedContentId = (owner: string, name: string) =>
  uuid5(`content:${name}`, owner === globalTeam ? NIL : owner);
export const derivedProductId = (teamId: string, code: string) => uuid5(`product:${code}`, teamId);
/** Of one version of a file in the drop box. */
export const derivedFileId = (key: string, version: string) => uuid5(JSON.stringify(['file', key, version]), NIL);
/** A service of a product keeps its id as long as it keeps its name. */
export const derivedServiceId = (teamId: string, code: string, name: string) =>
  uuid5(`service:${name}`, derivedProductId(teamId, code));
