import { maxRecordsPerChunk } from '../../../lib/domain/batch.ts';
import { matches, pathsOf, refused, same, uuidPattern } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import type { Team } from '../world.ts';

const { row, elsewhere } = sectionOf('POST /v1/batches');
const accounts = sectionOf('GET /v1/contacts/:contact_id/accounts');

const account = (number: string, uniqueId: string, more: object = {}) => ({
  account_number: number,
  contact: { unique_id: uniqueId },
  product: { code: 'plain', type: 'checking' },
  ...more,
});

const newBatch = () => `conformance-${crypto.randomUUID()}`;
const nicknames = async (team: Team, contact: { id: string }) =>
  (await team.accountsOf(contact)).map((each) => each.account.nickname);

/** Records that link one account to nobody. */
const plain = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    account_number: `many-${at}`,
    product: { code: 'plain', type: 'checking' },
  }));

export const batchRows: readonly Row[] = [
  accounts.row(
    'The response is an array of contact-account entries.',
    'Reads a contact with two accounts, in the order of their numbers, one with none (`[]`), and unknown ones (404).',
    async ({ team, featured }) => {
      const contact = await team.contact();
      same(await team.accountsOf(contact), [], 'the accounts at first');
      await team.imported(['b', 'a'].map((at) => account(`${at}-${contact.id}`, contact.unique_id, { nickname: at })));
      same(await nicknames(team, contact), ['a', 'b'], 'the nicknames');
      await featured.call(404, `GET /v1/contacts/${contact.id}/accounts`);
      await team.call(404, `GET /v1/contacts/${crypto.randomUUID()}/accounts`);
    },
  ),
  row(
    '`type` is required, and is `account` or `accounts`.',
    'Sends both (202) and reads the applied accounts; another type and none: 422.',
    async ({ team }) => {
      const contact = await team.contact();
      for (const type of ['account', 'accounts']) {
        const records = [account(`${type}-${contact.id}`, contact.unique_id, { nickname: type })];
        const { body } = await team.call(202, 'POST /v1/batches', { type, records });
        same(body.type, 'account', 'type');
        await team.finished(body.batch_id);
      }
      same(await nicknames(team, contact), ['account', 'accounts'], 'the nicknames');
      for (const type of ['contacts', 'Accounts', null, undefined]) {
        const refusal = await team.call(422, 'POST /v1/batches', { type, records: plain(1) });
        refused(refusal, 'validation_failed', '/type');
      }
    },
  ),
  row(
    '`records` is an array of account objects.',
    'Imports three and reads them; no array, an empty one, and records that are no objects: 422, each named.',
    async ({ team }) => {
      const contact = await team.contact();
      const records = [1, 2, 3].map((at) => account(`${at}-${contact.id}`, contact.unique_id));
      const status = await team.imported(records);
      same(status.records, { accepted: 3, applied: 3, unchanged: 0, superseded: 0, rejected: 0 }, 'the counts');
      same((await team.accountsOf(contact)).length, 3, 'the number of accounts');
      for (const wrong of [undefined, null, {}, []]) {
        const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records: wrong });
        same(pathsOf(refusal), ['/records'], 'the named path');
      }
      const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records: [plain(1)[0], 'x', null] });
      same(pathsOf(refusal), ['/records/1', '/records/2'], 'the named paths');
    },
  ),
  row(
    '`batch_id` is for diagnostics. When it is omitted, the service assigns a UUID.',
    'Sends a request with it (returned, and its status can be read) and without it (a UUID).',
    async ({ team }) => {
      const batch_id = newBatch();
      const named = await team.call(202, 'POST /v1/batches', { type: 'accounts', batch_id, records: plain(1) });
      same(named.body.batch_id, batch_id, 'batch_id');
      same((await team.finished(batch_id)).batch_id, batch_id, 'batch_id of the status');
      const other = await team.call(202, 'POST /v1/batches', { type: 'accounts', records: plain(1) });
      matches(other.body.batch_id, uuidPattern, 'the assigned batch_id');
    },
  ),
  row(
    '`batch_id` is required when `chunk_index` is sent.',
    'Sends `chunk_index` without it, with `null` and with an empty one: 400 at `/batch_id`.',
    async ({ team }) => {
      for (const batch_id of [undefined, null, '']) {
        const request = { type: 'accounts', batch_id, chunk_index: 0, records: plain(1) };
        refused(await team.call(400, 'POST /v1/batches', request), 'invalid_request', '/batch_id');
      }
    },
  ),
  row(
    '`chunk_index` is an optional integer, the position of the request in the batch from zero, for uploads split across requests.',
    'Sends the chunks 0 and 1 of a batch: both are applied. -1, 1.5 and text: 422.',
    async ({ team }) => {
      const contact = await team.contact();
      const batch_id = newBatch();
      for (const chunk_index of [0, 1]) {
        const records = [account(`${chunk_index}-${contact.id}`, contact.unique_id)];
        const { body } = await team.call(202, 'POST /v1/batches', { type: 'accounts', batch_id, chunk_index, records });
        same(body.chunk_index, chunk_index, 'chunk_index');
      }
      const { chunks } = await team.finished(batch_id);
      same(chunks, { accepted: 2, completed: 2, failed: 0 }, 'the chunks');
      same((await team.accountsOf(contact)).length, 2, 'the number of accounts');
      for (const chunk_index of [-1, 1.5, 'one']) {
        const request = { type: 'accounts', batch_id: newBatch(), chunk_index, records: plain(1) };
        refused(await team.call(422, 'POST /v1/batches', request), 'validation_failed', '/chunk_index');
      }
    },
  ),
  row(
    '1. `batch_id` together with `chunk_index` is an idempotency key.',
    'Sends one pair in two requests at the same time: one is accepted, the other is its duplicate, and it is applied once.',
    async ({ team }) => {
      const request = { type: 'accounts', batch_id: newBatch(), chunk_index: 0, records: plain(2) };
      const both = await Promise.all([1, 2].map(() => team.call(202, 'POST /v1/batches', request)));
      same(both.map(({ body }) => body.duplicate).sort(), [false, true], 'duplicate');
      const { chunks, records } = await team.finished(request.batch_id);
      same([chunks.accepted, records.accepted], [1, 2], 'accepted chunks and records');
    },
  ),
  row(
    '2. A repeat of an accepted pair is a retry: its records are ignored, and those of the first request stand.',
    'Repeats a pair with other records: 202, `duplicate` true, and the first records are applied, not the others.',
    async ({ team }) => {
      const contact = await team.contact();
      const pair = { type: 'accounts', batch_id: newBatch(), chunk_index: 0 };
      const records = (nickname: string) => [account(`retry-${contact.id}`, contact.unique_id, { nickname })];
      const first = await team.call(202, 'POST /v1/batches', { ...pair, records: records('first') });
      same([first.body.duplicate, first.body.records], [false, 1], 'the first response');
      const more = [...records('second'), ...records('third')];
      const second = await team.call(202, 'POST /v1/batches', { ...pair, records: more });
      same(
        [second.body.duplicate, second.body.records, second.body.same_records],
        [true, 1, false],
        'the second response',
      );
      await team.finished(pair.batch_id);
      same(await nicknames(team, contact), ['first'], 'the nickname');
    },
  ),
  row(
    '2. It is safe to resend after a timeout or a 5xx.',
    'Resends the same request three times, also after it is applied: the counts stay those of one request.',
    async ({ team }) => {
      const request = { type: 'accounts', batch_id: newBatch(), chunk_index: 0, records: plain(3) };
      await team.call(202, 'POST /v1/batches', request);
      const before = await team.finished(request.batch_id);
      for (const _ of [1, 2, 3]) {
        const { body } = await team.call(202, 'POST /v1/batches', request);
        same([body.duplicate, body.same_records], [true, true], 'duplicate and same_records');
      }
      same(await team.finished(request.batch_id), before, 'the status');
    },
  ),
  row(
    '3. Each distinct set of records needs its own `chunk_index`; a pair must not be reused for other data.',
    'Sends two sets under two indexes: both are applied, in this order.',
    async ({ team }) => {
      const contact = await team.contact();
      const batch_id = newBatch();
      for (const [chunk_index, nickname] of ['first', 'second'].entries()) {
        const records = [account(`own-${contact.id}`, contact.unique_id, { nickname })];
        await team.call(202, 'POST /v1/batches', { type: 'accounts', batch_id, chunk_index, records });
      }
      await team.finished(batch_id);
      same(await nicknames(team, contact), ['second'], 'the nickname');
    },
  ),
  row(
    '4. The rule applies to every batch type that the endpoint accepts.',
    'Sends a pair with the type `account`, then with `accounts`: the second one is a duplicate.',
    async ({ team }) => {
      const request = { batch_id: newBatch(), chunk_index: 0, records: plain(1) };
      await team.call(202, 'POST /v1/batches', { ...request, type: 'account' });
      const { body } = await team.call(202, 'POST /v1/batches', { ...request, type: 'accounts' });
      same(body.duplicate, true, 'duplicate');
    },
  ),
  row(
    `5. A request that asks for de-duplication and has more than ${maxRecordsPerChunk} \`records\` is rejected with 400.`,
    'Sends 501 records with a pair: 400 at `/records`, and the pair stays free for 500 records (202, not a duplicate).',
    async ({ team }) => {
      const pair = { type: 'accounts', batch_id: newBatch(), chunk_index: 0 };
      const refusal = await team.call(400, 'POST /v1/batches', { ...pair, records: plain(maxRecordsPerChunk + 1) });
      refused(refusal, 'invalid_request', '/records');
      const { body } = await team.call(202, 'POST /v1/batches', { ...pair, records: plain(maxRecordsPerChunk) });
      same([body.duplicate, body.records], [false, maxRecordsPerChunk], 'duplicate and records');
    },
  ),
  row(
    `The server-side chunk size is ${maxRecordsPerChunk} records: a longer request without \`chunk_index\` is split.`,
    'Imports 501 records without `chunk_index`: two chunks, all records applied.',
    async ({ team }) => {
      const status = await team.imported(plain(maxRecordsPerChunk + 1));
      same([status.chunks.accepted, status.records.accepted], [2, maxRecordsPerChunk + 1], 'chunks and records');
      same(status.status, 'completed', 'the status');
    },
  ),
  elsewhere(
    '6. The endpoint is also used by file-transfer, admin and integration imports.',
    'The drop box and `npm run import` need files. They accept and apply chunks with the same operations.',
    'test/import-command/',
  ),
];
