import { describe, expect, test } from 'vitest';
import { loadTeamFile } from '../../bin/admin/store/team-files.ts';
import { loadAccounts, loadLinks, loadStampedItems } from '../../lib/store/accounts.ts';
import { auditEntries } from '../../lib/store/audit.ts';
import { listBatchIds, loadBatch, loadChunk, loadClaimState } from '../../lib/store/claims.ts';
import { loadClient } from '../../lib/store/clients.ts';
import { loadContact } from '../../lib/store/contacts.ts';
import { loadLookups } from '../../lib/store/content.ts';
import type { Attributes, Database } from '../../lib/store/database.ts';
import { scanDirectory } from '../../lib/store/directory.ts';
import { loadDrop } from '../../lib/store/drop-files.ts';
import { listExpectedFiles } from '../../lib/store/expected-files.ts';
import { loadIdentities } from '../../lib/store/identities.ts';
import { loadAttempts } from '../../lib/store/identity-checks.ts';
import { loadFailed, loadImportState, loadWork } from '../../lib/store/import-work.ts';
import { findJourney, findSlug, loadActions, loadJourneyWithActions, loadResponses } from '../../lib/store/journeys.ts';
import * as keys from '../../lib/store/keys.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';
import { loadTeam } from '../../lib/store/teams.ts';
import { ModelDatabase } from '../support/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const id = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de002';
const other = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de003';
const secret = 'a stored value';

type Key = keys.Key & Attributes;
const stamp = { order: 1, outcomes: 'a' };
const times = { inserted_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
const journey = { journey_id: id, slug: 's', name: null, owner_id: null, source: 'api', completion_verified_at: null };
const place = { contactId: id, templateId: other };
const chunk = { team_id: team, batch_id: 'b', claim: 'CHUNK#000000', order: 1, index: 0 };
const accepted = { ...chunk, payload_id: id, parts: 1, records: 1, accepted_at: times.inserted_at };
const contact = { unique_id: 'u', version: 1, ...times };
const drop = { key: 'k', version: 'v', phase: 'reading', warnings: [], parts: 0, partBytes: 0, failedChunks: [] };
const text = (value: unknown) => JSON.stringify(value);

/** The database with one item in its index, which the model does not have. */
const indexOf = (database: Database, key: keys.Key): Database =>
  Object.assign(Object.create(database), { query: async () => ({ items: await database.get([key]) }) });

/** An invalid item, the read of its repository, and what the error names. */
type Case = [
  kind: string,
  field: string,
  key: Key,
  attributes: Attributes,
  read: (database: Database) => Promise<unknown>,
];

const file = { file_id: id, team_id: team, type: 'image/png', bytes: 1, name: 'a.png', inserted_at: times.inserted_at };

const ofContact = (field: string, data: string, version: unknown = 1): Case => {
  const key = keys.contactKey(team, id);
  return ['contact', field, key, { ...contact, data, version }, (d) => loadContact(d, team, id)];
};
const ofAccount = (field: string, data: object): Case => {
  const key = keys.accountKey(team, '1');
  return ['account', field, key, { ...stamp, data: text(data) }, (d) => loadAccounts(d, team, ['1'])];
};

const cases: Case[] = [
  ['file', 'type', keys.teamFileKey(team, id), { ...file, type: secret }, (d) => loadTeamFile(d, team, id)],
  ofContact('version', '{}', secret),
  ofContact('data', secret),
  ofContact('data.email', text({ email: [secret] })),
  ofContact('data.meta_public', text({ meta_public: { a: 1, [secret]: [secret] } })),
  ...[secret, [secret], { a: secret, b: 1 }].map((completions) => ofContact('data.completions', text({ completions }))),
  ofAccount('data.fields.balance', { product_code: 'P', fields: { balance: [secret] } }),
  ...[secret, [[secret]]].map((fields) => ofAccount('data.fields', { product_code: 'P', fields })),
  ofAccount('data.product_code', { fields: { nickname: secret } }),
  [
    'directory entry',
    'row',
    keys.contactKey(team, id),
    { ...keys.directoryKey(team, id, times.inserted_at), row: 1 },
    (d) => scanDirectory(indexOf(d, keys.contactKey(team, id)), { teamId: team, search: '' }, () => {}),
  ],
  [
    'link',
    'data.role',
    keys.linkKey(team, id, '1'),
    { ...stamp, data: text({ role: [secret] }) },
    (d) => loadLinks(d, team, id),
  ],
  [
    'link',
    'order',
    keys.linkKey(team, id, '1'),
    { outcomes: 'a', data: text({ role: secret }) },
    (d) => loadStampedItems(d, [keys.linkKey(team, id, '1')]),
  ],
  [
    'content pointer',
    'parts',
    keys.contentKey(team),
    { revision: id, parts: secret, version: 1 },
    (d) => loadLookups(d, team),
  ],
  [
    'journey',
    'slug',
    keys.journeyKey(team, id, other),
    { ...journey, ...times, version: 1, name: secret, slug: 1 },
    (d) => loadJourneyWithActions(d, team, place),
  ],
  [
    'id of a journey',
    'template_id',
    keys.journeyIdKey(team, id),
    { contact_id: secret },
    (d) => findJourney(d, team, id),
  ],
  [
    'audit entry',
    'outcome',
    keys.auditKey(team, '2026-01-01T00:00:00.000000Z', id),
    { at: '2026-01-01T00:00:00.000000Z', who: secret, what: 'w', team_id: team, ids: {}, outcome: 1 },
    (d) => auditEntries(d, [team], {}, '2026-01-01T00:00:00.000000Z').next(),
  ],
  ['slug of a journey', 'team_id', keys.slugKey('s'), { contact_id: secret, template_id: id }, (d) => findSlug(d, 's')],
  [
    'action in a journey',
    'at',
    keys.journeyActionKey(team, id, other, { kind: 'viewed', page_id: id }),
    { last: secret },
    (d) => loadActions(d, team, place, 'viewed', [id]),
  ],
  [
    'response',
    'page_id, block_id, block_type, values, text, content_revision, identity_proved, at, response_id',
    keys.responseKey(team, id, other, { at: times.inserted_at, id }),
    { answer: null, typed_name: secret },
    (d) => loadResponses(d, team, place, other, { limit: 1 }),
  ],
  [
    'count of identity attempts',
    'paused_until',
    keys.identityCheckKey(team, id),
    { attempts: 1, paused_until: 5, version: 1 },
    (d) => loadAttempts(d, team, id),
  ],
  [
    'identity',
    'contact_id',
    keys.identityKey(team, 'u'),
    { moving_from: secret },
    (d) => loadIdentities(d, team, ['u']),
  ],
  [
    'team',
    'features.0',
    keys.teamKey(team),
    {
      team_id: team,
      name: secret,
      features: [secret],
      secret,
      privacy_policy_url: null,
      terms_of_service_url: null,
      ...times,
    },
    (d) => loadTeam(d, team),
  ],
  [
    'client',
    'revoked_by',
    keys.clientKey(id),
    { client_id: id, team_id: team, secrets: [], revoked_at: null, revoked_by: secret, ...times, version: 1 },
    (d) => loadClient(d, id),
  ],
  [
    'signing key',
    'jwk',
    keys.signingKeyKey('k'),
    { kid: 'k', published_at: 1, usable_from: 1, rotation_id: secret },
    loadPublicKeys,
  ],
  [
    'order counter',
    'last_order',
    keys.orderCounterKey(team),
    { last_order: secret },
    (d) => loadClaimState(d, team, {}),
  ],
  ['batch', 'chunk_count', keys.batchKey(team, 'b'), { chunk_count: secret }, (d) => loadBatch(d, team, 'b')],
  [
    'batch in the list of batches',
    'directory_sk',
    keys.batchKey(team, 'b'),
    { directory_sk: 1 },
    (d) => listBatchIds(indexOf(d, keys.batchKey(team, 'b')), team, 5),
  ],
  ['chunk', 'status', keys.chunkKey(team, 'b', 0), { ...accepted, status: secret }, (d) => loadChunk(d, team, chunk)],
  [
    'entry in a list of chunks',
    'payload_id',
    keys.chunkListKey(team, 'OPEN', 1),
    { ...accepted, payload_id: 1 },
    (d) => loadWork(d, team, 5),
  ],
  [
    'entry in a list of chunks',
    'cancelled',
    keys.chunkListKey(team, 'FAILED', 1),
    { ...accepted, cancelled: secret },
    (d) => loadFailed(d, team),
  ],
  [
    'import state',
    'attempt.count',
    keys.importStateKey(team),
    { begun: 1, attempt: { order: 1, count: secret }, left: 0, failed: 0, renames: 0, version: 1 },
    (d) => loadImportState(d, team),
  ],
  [
    'dropped file',
    'data.rows, data.stalls, data.givenUp, data.received_at',
    keys.dropKey(team, id),
    { data: text(drop), version: 1 },
    (d) => loadDrop(d, team, id),
  ],
  [
    'expected file',
    'last_arrival_at',
    keys.expectedFileKey({ team_id: team, type: 'accounts', by: '05:00' }),
    { team_id: team, type: 'accounts', by: '05:00', time_zone: 'UTC', ...times, last_arrival_at: [secret] },
    (d) => listExpectedFiles(d),
  ],
  ['dropped file', 'data', keys.dropKey(team, id), { data: secret, version: 1 }, (d) => loadDrop(d, team, id)],
];

const errorOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => error,
  );

describe('an item that does not fit its schema', () => {
  test.each(cases)('of kind %s is an error that names %s and no value', async (kind, field, key, attributes, read) => {
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
