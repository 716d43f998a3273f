import { maxBatchIdLength, maxChunkIndex, maxRecordsPerRequest } from '../../../lib/domain/batch.ts';
import type { Json } from '../../checks/http.ts';
import { holds, keysOf, matches, refused, same, timePattern } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import { eventually } from '../world.ts';

/** Fields, limits and endpoints of batches that the specification does not have. */
const { row, elsewhere } = sectionOf('Additions to the specification');
const plain = (count: number, of = 'added') =>
  Array.from({ length: count }, (_, at) => ({
    account_number: `${of}-${at}`,
    product: { code: 'plain', type: 'loan' },
  }));
const newBatch = () => `conformance-${crypto.randomUUID()}`;

export const batchAdditionRows: readonly Row[] = [
  row(
    'POST /v1/batches responds with `batch_id`, `type`, `chunk_index`, `records`, `status` (`accepted`) and `duplicate`, and a duplicate with `same_records`.',
    'Compares both whole responses.',
    async ({ team }) => {
      const batch_id = newBatch();
      const request = { type: 'accounts', batch_id, chunk_index: 0, records: plain(2) };
      const first = await team.call(202, 'POST /v1/batches', request);
      const accepted = { batch_id, type: 'account', chunk_index: 0, records: 2, status: 'accepted' };
      same(first.body, { ...accepted, duplicate: false }, 'the response');
      const { body } = await team.call(202, 'POST /v1/batches', { ...request, records: plain(1) });
      same(body, { ...accepted, duplicate: true, same_records: false }, 'the response to the repeated pair');
      const none = await team.call(202, 'POST /v1/batches', { type: 'accounts', records: plain(1) });
      same(none.body.chunk_index, null, 'chunk_index of a request without one');
    },
  ),
  row(
    `\`records\` has 1 to ${maxRecordsPerRequest} records, \`batch_id\` at most ${maxBatchIdLength} characters, and \`chunk_index\` is at most ${maxChunkIndex}.`,
    'Sends one more of each: 422 at its path. The longest `batch_id` and the largest index are accepted.',
    async ({ team }) => {
      const refusal = await team.call(422, 'POST /v1/batches', {
        type: 'accounts',
        records: plain(maxRecordsPerRequest + 1),
      });
      refused(refusal, 'validation_failed', '/records');
      const long = newBatch().padEnd(maxBatchIdLength, 'x');
      const request = { type: 'accounts', records: plain(1) };
      refused(
        await team.call(422, 'POST /v1/batches', { ...request, batch_id: `${long}x` }),
        'validation_failed',
        '/batch_id',
      );
      const above = { ...request, batch_id: long, chunk_index: maxChunkIndex + 1 };
      refused(await team.call(422, 'POST /v1/batches', above), 'validation_failed', '/chunk_index');
      await team.call(202, 'POST /v1/batches', { ...above, chunk_index: maxChunkIndex });
    },
  ),
  row(
    `\`chunk_count\` (1 to ${maxChunkIndex + 1}) says how many chunks the batch has; the status then has \`expected\` and \`missing\` (the first 100).`,
    'Sends chunk 1 of 3: 0 and 2 are missing and the batch is processing. Another count: 409 `conflict`. Without an index, and below it: 422.',
    async ({ team }) => {
      const batch_id = newBatch();
      const chunk = (chunk_index: number, chunk_count: number) => ({
        type: 'accounts',
        batch_id,
        chunk_index,
        chunk_count,
        records: plain(1),
      });
      await team.call(202, 'POST /v1/batches', chunk(1, 3));
      const status = async () => (await team.call(200, `GET /v1/batches/${batch_id}`)).body;
      const { chunks } = await eventually(async () => {
        const body = await status();
        holds(body.chunks.completed === 1, 'the chunk is not completed');
        return body;
      });
      same([chunks.expected, chunks.missing], [3, [0, 2]], 'expected and missing');
      same((await status()).status, 'processing', 'the status');
      same((await team.call(409, 'POST /v1/batches', chunk(0, 4))).body.error, 'conflict', 'the error');
      await team.call(422, 'POST /v1/batches', chunk(3, 3));
      const { chunk_index: _, ...without } = chunk(0, 3);
      refused(await team.call(422, 'POST /v1/batches', without), 'validation_failed', '/chunk_count');
      for (const at of [0, 2]) await team.call(202, 'POST /v1/batches', chunk(at, 3));
      same((await team.finished(batch_id)).status, 'completed', 'the status with all chunks');
    },
  ),
  row(
    '`GET /v1/batches/:batch_id` has `status` (`processing`, `completed`, `failed`), `chunks` (`accepted`, `completed`, `failed`), `records` (`accepted`, `applied`, `unchanged`, `superseded`, `rejected`), `errors`, `inserted_at` and `completed_at`.',
    'Imports the same records twice: applied, then unchanged. Compares the whole status. Unknown and of another team: 404.',
    async ({ team, featured }) => {
      const records = plain(2, newBatch());
      const first = await team.imported(records);
      const { batch_id, inserted_at, completed_at } = first;
      for (const time of [inserted_at, completed_at]) matches(time, timePattern, 'a time');
      const counts = { accepted: 2, applied: 2, unchanged: 0, superseded: 0, rejected: 0 };
      const chunks = { accepted: 1, completed: 1, failed: 0 };
      same(
        first,
        {
          batch_id,
          type: 'account',
          status: 'completed',
          chunks,
          records: counts,
          errors: [],
          inserted_at,
          completed_at,
        },
        'the status',
      );
      const second = await team.imported(records);
      same(second.records, { ...counts, applied: 0, unchanged: 2 }, 'the counts of the second batch');
      await team.call(404, `GET /v1/batches/${newBatch()}`);
      await featured.call(404, `GET /v1/batches/${batch_id}`);
    },
  ),
  row(
    'A record that only breaks a limit once it is merged is `rejected`, and `errors` names its `chunk`, `record` and `message`.',
    'Imports metadata of an account in two requests, each of 10 KB, over the limit of 16 KB together.',
    async ({ team }) => {
      const account_number = newBatch();
      const half = (key: string) => ({
        account_number,
        product: { code: 'plain', type: 'loan' },
        meta_public: { [key]: 'x'.repeat(10_000) },
      });
      await team.imported([half('a')]);
      const status = await team.imported([plain(1)[0]!, half('b')]);
      same(status.records.rejected, 1, 'the rejected records');
      const [error] = status.errors;
      same([keysOf(error), error.chunk, error.record], [['chunk', 'message', 'record'], 0, 1], 'the error');
    },
  ),
  row(
    '`GET /v1/batches` lists the `batches` of the team, newest first, with `limit` (20 by default, 100 at most), `cursor`, `has_more` and `next_cursor`. With `batch_id` it is the status of that one, with `chunk_index` that of one chunk.',
    'Lists two batches in pages of one, and reads one by its id and by a chunk. 101: 400.',
    async ({ team }) => {
      const ids = [newBatch(), newBatch()];
      for (const batch_id of ids) {
        await team.call(202, 'POST /v1/batches', { type: 'accounts', batch_id, chunk_index: 0, records: plain(1) });
        await team.finished(batch_id);
      }
      await eventually(async () => {
        const { body } = await team.call(200, 'GET /v1/batches?limit=100');
        const listed = body.batches.map((each: Json) => each.batch_id).filter((each: string) => ids.includes(each));
        same(listed, ids.toReversed(), 'the batches');
      });
      const { body: page } = await team.call(200, 'GET /v1/batches?limit=1');
      same([page.batches.length, page.limit, page.has_more], [1, 1, true], 'the page');
      const { body: next } = await team.call(200, `GET /v1/batches?cursor=${page.next_cursor}`);
      holds(next.batches[0].batch_id !== page.batches[0].batch_id, 'the second page is the first one');
      same((await team.call(200, 'GET /v1/batches')).body.limit, 20, 'the default limit');
      const status = (await team.call(200, `GET /v1/batches/${ids[0]}`)).body;
      same((await team.call(200, `GET /v1/batches?batch_id=${ids[0]}`)).body, status, 'the status by batch_id');
      const chunk = (await team.call(200, `GET /v1/batches/${ids[0]}?chunk_index=0`)).body;
      same(chunk.chunks, { accepted: 1, completed: 1, failed: 0 }, 'the status of the chunk');
      refused(await team.call(400, 'GET /v1/batches?limit=101'), 'invalid_request', 'limit');
    },
  ),
  row(
    'A batch is `failed` when a chunk failed; a repeat of its pair retries it, with `redriven` true.',
    'Sends a batch whose id makes every chunk of a [sandbox team](sandbox.md) fail, reads its status and sends it again.',
    async ({ team }) => {
      const batch_id = `sandbox-fails-${newBatch()}`;
      const request = { type: 'accounts', batch_id, chunk_index: 0, records: plain(1) };
      await team.call(202, 'POST /v1/batches', request);
      const { status, chunks } = await team.finished(batch_id);
      same([status, chunks], ['failed', { accepted: 1, completed: 0, failed: 1 }], 'status and chunks');
      const { body } = await team.call(202, 'POST /v1/batches', request);
      same([body.duplicate, body.redriven], [true, true], 'duplicate and redriven');
      await team.finished(batch_id);
    },
  ),
  elsewhere(
    'The status of a batch has `discarded` and `cancelled` chunks.',
    'They are discarded and cancelled with the admin command.',
    'test/http/batches-status.test.ts',
  ),
];
