import { describe, expect, test } from 'vitest';
import { loadTeamFile } from '../../../bin/admin/store/campaigns/team-files.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import { loadClient } from '../../../lib/store/access/clients.ts';
import { loadPublicKeys } from '../../../lib/store/access/signing-keys.ts';
import { loadAccounts, loadLinks, loadStampedItems } from '../../../lib/store/accounts/accounts.ts';
import { loadLookups } from '../../../lib/store/campaigns/content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { scanDirectory } from '../../../lib/store/contacts/directory.ts';
import { loadIdentities } from '../../../lib/store/contacts/identities.ts';
import { loadDrop, loadImportedVersion } from '../../../lib/store/drop-box/drop-files.ts';
import { listExpectedFiles } from '../../../lib/store/drop-box/expected-files.ts';
import { listBatchIds, loadBatch, loadChunk, loadClaimState } from '../../../lib/store/imports/claims.ts';
import { loadFailed, loadImportState, loadWork } from '../../../lib/store/imports/import-work.ts';
import { loadAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import {
  findJourney,
  findSlug,
  loadActions,
  loadJourneyWithActions,
  loadResponses,
} from '../../../lib/store/journeys/journeys.ts';
import type { Attributes, Database } from '../../../lib/store/table/database.ts';
import { derivedFileNameId } from '../../../lib/store/table/ids.ts';
import * as keys from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const id = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de002';
const other = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de003';
const secret = 'a stored value';

const stamp = { order: 1, outcomes: 'a' };
const times = { inserted_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
const journey = {
  journey_id: id,
  slug: 's',
  name: null,
  owner_id: null,
  source: 'api',
  completion_verified_at: null,
  directory_sk: 'a#b',
};
const place = { contactId: id, templateId: other };
const chunk = { team_id: team, batch_id: 'b', claim: 'CHUNK#000000', order: 1, index: 0 };
const accepted = { ...chunk, payload_id: id, parts: 1, records: 1, accepted_at: times.inserted_at, accepted_after: 0 };
const contact = { unique_id: 'u', version: 1, ...times };
const drop = { key: 'k', version: 'v', phase: 'reading', warnings: [], parts: 0, partBytes: 0, failedChunks: [] };
const file = { file_id: id, team_id: team, type: 'image/png', bytes: 1, name: 'a.png', inserted_at: times.inserted_at };
const storedTeam = {
  team_id: team,
  name: secret,
  secret,
  secret_id: 1,
  previous_secret: null,
  language: null,
  timezone: null,
  words: null,
  privacy_policy_url: null,
  terms_of_service_url: null,
  ...times,
};
const client = {
  client_id: id,
  team_id: team,
  secrets: [],
  keys: null,
  scopes: null,
  name: null,
  expiry: null,
  revoked_at: null,
  ...times,
  version: 1,
};
const state = { begun: 1, left: 0, failed: 0, renames: 0, version: 1 };
const expected = { team_id: team, type: 'accounts', by: '05:00' } as const;
const text = (value: unknown) => JSON.stringify(value);

/** The database with one item in its index, which the model does not have. */
const indexOf = (database: Database, key: keys.Key): Database =>
  Object.assign(Object.create(database), { query: async () => ({ items: await database.get([key]) }) });

type Read = (database: Database) => Promise<unknown>;
const entryKey = keys.contactKey(team, id);
const batchKey = keys.batchKey(team, 'b');
const at = '2026-01-01T00:00:00.000000Z';

/** Where an item of each kind is, and how its repository reads it. What is in brackets is no part of the kind. */
const kinds = {
  file: [keys.teamFileKey(team, id), (d) => loadTeamFile(d, team, id)],
  contact: [keys.contactKey(team, id), (d) => loadContact(d, team, id)],
  'directory entry': [entryKey, (d) => scanDirectory(indexOf(d, entryKey), { teamId: team, search: '' }, () => {})],
  link: [keys.linkKey(team, id, '1'), (d) => loadLinks(d, team, id)],
  'link (stamped)': [keys.linkKey(team, id, '1'), (d) => loadStampedItems(d, [keys.linkKey(team, id, '1')])],
  'content pointer': [keys.contentKey(team), (d) => loadLookups(d, team)],
  account: [keys.accountKey(team, '1'), (d) => loadAccounts(d, team, ['1'])],
  journey: [keys.journeyKey(team, id, other), (d) => loadJourneyWithActions(d, team, place)],
  'id of a journey': [keys.journeyIdKey(team, id), (d) => findJourney(d, team, id)],
  'audit entry': [keys.auditKey(team, at, id), (d) => auditEntries(d, [team], {}, at).next()],
  'slug of a journey': [keys.slugKey('s'), (d) => findSlug(d, 's')],
  'action in a journey': [
    keys.journeyActionKey(team, id, other, { kind: 'viewed', page_id: id }),
    (d) => loadActions(d, team, { id, contact_id: id, template_id: other }, 'viewed', [id]),
  ],
  response: [
    keys.responseKey(team, id, other, { at: times.inserted_at, id }),
    (d) => loadResponses(d, team, place, other, { limit: 1 }),
  ],
  'count of identity attempts': [keys.identityCheckKey(team, id), (d) => loadAttempts(d, team, id)],
  identity: [keys.identityKey(team, 'u'), (d) => loadIdentities(d, team, ['u'])],
  team: [keys.teamKey(team), (d) => loadTeam(d, team)],
  client: [keys.clientKey(id), (d) => loadClient(d, id)],
  'signing key': [keys.signingKeyKey('k'), loadPublicKeys],
  'order counter': [keys.orderCounterKey(team), (d) => loadClaimState(d, team, {})],
  batch: [batchKey, (d) => loadBatch(d, team, 'b')],
  'batch in the list of batches': [batchKey, (d) => listBatchIds(indexOf(d, batchKey), team, 5)],
  chunk: [keys.chunkKey(team, 'b', 0), (d) => loadChunk(d, team, chunk)],
  'entry in a list of chunks': [keys.chunkListKey(team, 'OPEN', 1), (d) => loadWork(d, team, 5)],
  'entry in a list of chunks (failed)': [keys.chunkListKey(team, 'FAILED', 1), (d) => loadFailed(d, team)],
  'import state': [keys.importStateKey(team), (d) => loadImportState(d, team)],
  'dropped file': [keys.dropKey(team, id), (d) => loadDrop(d, team, id)],
  'imported version of a dropped file': [
    keys.importedVersionKey(team, derivedFileNameId('a')),
    (d) => loadImportedVersion(d, team, 'a'),
  ],
  'expected file': [keys.expectedFileKey(expected), (d) => listExpectedFiles(d)],
} satisfies Record<string, [keys.Key, Read]>;

const ofContact = (details: object) => ({ ...contact, data: text(details) });
const ofAccount = (account: object) => ({ ...stamp, data: text(account) });
const withoutResponse =
  'page_id, block_id, block_type, values, text, content_revision, identity_proved, shows_private, identity_facts_changed_at, identity_facts_changed_by, at, response_id';
const withoutDrop =
  'data.rows, data.hasUnsentChunk, data.turns, data.stalls, data.givenUp, data.received_at, data.began_at';

const cases: [kind: keyof typeof kinds, field: string, attributes: Attributes][] = [
  ['file', 'type', { ...file, type: secret }],
  ['contact', 'version', { ...contact, data: '{}', version: secret }],
  ['contact', 'data', { ...contact, data: secret }],
  ['contact', 'data.email', ofContact({ email: [secret] })],
  ['contact', 'data.meta_public', ofContact({ meta_public: { a: 1, [secret]: [secret] } })],
  ['contact', 'data.completions', ofContact({ completions: secret })],
  ['contact', 'data.completions', ofContact({ completions: [secret] })],
  ['contact', 'data.completions', ofContact({ completions: { a: secret, b: 1 } })],
  ['directory entry', 'row', { ...keys.directoryKey(team, id, times.inserted_at), row: 1 }],
  ['link', 'data.role', { ...stamp, data: text({ role: [secret] }) }],
  ['link (stamped)', 'order', { outcomes: 'a', data: text({ role: secret }) }],
  ['content pointer', 'parts', { revision: id, parts: secret, version: 1, lookups: [] }],
  ['account', 'data.fields.balance', ofAccount({ product_code: 'P', fields: { balance: [secret] } })],
  ['account', 'data.fields', ofAccount({ product_code: 'P', fields: secret })],
  ['account', 'data.fields', ofAccount({ product_code: 'P', fields: [[secret]] })],
  ['account', 'data.product_code', ofAccount({ fields: { nickname: secret } })],
  ['journey', 'slug', { ...journey, ...times, contact_since: times.inserted_at, version: 1, name: secret, slug: 1 }],
  ['id of a journey', 'template_id', { contact_id: secret }],
  ['audit entry', 'outcome', { at, who: secret, what: 'w', team_id: team, ids: {}, outcome: 1 }],
  ['slug of a journey', 'team_id', { contact_id: secret, template_id: id }],
  ['action in a journey', 'at', { last: secret }],
  ['response', withoutResponse, { answer: null, typed_name: secret }],
  ['count of identity attempts', 'paused_until', { attempts: 1, paused_until: 5, version: 1 }],
  ['identity', 'contact_id', { moving_from: secret }],
  ['team', 'features.0', { ...storedTeam, features: [secret] }],
  ['client', 'revoked_by', { ...client, revoked_by: secret }],
  ['signing key', 'jwk', { kid: 'k', published_at: 1, usable_from: 1, rotation_id: secret }],
  ['order counter', 'last_order', { last_order: secret, left_seen: 0 }],
  ['batch', 'chunk_count', { chunk_count: secret }],
  ['batch in the list of batches', 'directory_sk', { directory_sk: 1 }],
  ['chunk', 'status', { ...accepted, status: secret }],
  ['entry in a list of chunks', 'payload_id', { ...accepted, payload_id: 1 }],
  ['entry in a list of chunks (failed)', 'cancelled', { ...accepted, cancelled: secret }],
  ['import state', 'attempt.count', { ...state, attempt: { order: 1, count: secret } }],
  ['dropped file', withoutDrop, { data: text(drop), version: 1 }],
  ['dropped file', 'data', { data: secret, version: 1 }],
  ['imported version of a dropped file', 'etag', { version: 'v', size: 1, etag: [secret] }],
  ['expected file', 'last_arrival_at', { ...expected, time_zone: 'UTC', ...times, last_arrival_at: [secret] }],
];

const errorOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => error,
  );

describe('an item that does not fit its schema', () => {
  test.each(cases)('of kind %s is an error that names %s and no value', async (name, field, attributes) => {
    const [key, read] = kinds[name];
    const kind = name.replace(/ \(.*/, '');
    const database = new ModelDatabase();
    await database.write([{ kind: 'insert', item: { ...key, ...attributes } }]);
    const error = await errorOf(read(database));
    expect(error).toMatchObject({ code: 'internal_error', message: `a stored ${kind} is invalid: ${field}` });
    expect(String((error as Error).stack)).not.toContain(secret);
  });
});

test('what an item has beyond its schema is ignored, and what may be absent is absent', async () => {
  const database = new ModelDatabase();
  await database.write([
    { kind: 'insert', item: { ...keys.contactKey(team, id), ...contact, data: '{}', of_another_version: 1 } },
  ]);
  const stored = await loadContact(database, team, id);
  expect(stored).toMatchObject({ version: 1, creationId: undefined });
  expect(stored!.entries).toEqual({});
});
