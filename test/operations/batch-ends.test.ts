import { beforeEach, expect, test } from 'vitest';
import { failNextChunk, importDependencies, postBatch, workAll } from '../support/import-operations.ts';
import { team } from '../support/journey-operations.ts';
import { eventsOfAll, openStream, stream } from '../support/publishing.ts';

beforeEach(openStream);

const send = (batch_id: string, chunk_index = 0) =>
  postBatch(importDependencies(stream), team, {
    ...{ batch_id, chunk_index },
    records: [{ account_number: batch_id, product: { code: 'P', type: 'checking' } }],
  });

test('a batch has ended although another batch of the team is open', async () => {
  await send('a');
  await send('b', 1);
  await failNextChunk(importDependencies(stream), team);
  expect(await eventsOfAll()).toMatchObject([{ type: 'batch.failed', batch_id: 'a' }]);
  await workAll(importDependencies(stream), team);
  expect((await eventsOfAll()).slice(1)).toMatchObject([{ type: 'batch.completed', batch_id: 'b' }]);
});

test('a batch has failed although its chunk is open again when that is told', async () => {
  await send('a');
  await failNextChunk(importDependencies(stream), team);
  expect(await send('a')).toMatchObject({ redriven: true });
  expect(await eventsOfAll()).toMatchObject([{ type: 'batch.failed', batch_id: 'a' }]);
});
