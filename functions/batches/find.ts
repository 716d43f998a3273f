import { batchListPages } from '../../lib/domain/batch-list.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { findBatch } from '../../lib/http/contracts/batches.ts';
import { linkToNext, reply } from '../../lib/http/reply.ts';
import { validatedWith } from '../../lib/http/validation.ts';
import { cursorErrors } from '../../lib/operations/cursors.ts';
import { listBatches, readBatch } from '../../lib/operations/imports/status.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(findBatch, async ({ caller: { teamId }, validate, event }) => {
  const { query } = await validatedWith(validate, () =>
    cursorErrors(runtime().database, teamId, batchListPages, event.queryStringParameters?.cursor),
  );
  const { batch_id, chunk_index } = query;
  if (batch_id !== undefined) return reply(200, await readBatch(runtime(), teamId, batch_id, chunk_index));
  const page = await listBatches(runtime(), teamId, query);
  return reply(200, page, linkToNext(urlAt(environment().ISSUER, '/v1/batches'), page.next_cursor));
});
