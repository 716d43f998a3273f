import { accountRecord } from '../../lib/domain/account-record.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { workTeam } from '../../lib/operations/imports/work.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { ProductRegistry } from '../../lib/store/products.ts';
import { tableClient } from '../../lib/store/table-client.ts';
import { benchRecord } from '../records.ts';

/** Runs the worker in its own process, with new records and then with the same records again. Prints the measurements. */
const [endpoint = '', chunkCount = '20', ahead = '1'] = process.argv.slice(2);
const chunks = Number(chunkCount);
const recordsPerChunk = 500;

const client = tableClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
});
const database = new DynamoDatabase({ tableName: 'bench', client });
const dependencies: ImportDependencies = {
  database,
  queue: { wake: async () => {}, postpone: async () => {} },
  products: new ProductRegistry(database),
  now: Date.now,
  newId: () => crypto.randomUUID(),
  pause: async () => {},
  onLostWake: () => {},
};
const teamId = crypto.randomUUID();

async function accept(batch_id: string, from: number): Promise<void> {
  for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
    const records = Array.from({ length: recordsPerChunk }, (_, n) =>
      accountRecord.parse(benchRecord(`${from + chunk_index * recordsPerChunk + n}`)),
    );
    await acceptBatch(dependencies, teamId, {
      pair: { batch_id, chunk_index },
      namesChunkCount: false,
      digest: () => '',
      validate: () => ({ type: 'account', batch_id, chunk_index, chunk_count: undefined, records }),
    });
  }
}

/** Applies records with account numbers from `from` on. */
async function measure(batchId: string, from: number) {
  await accept(batchId, from);
  global.gc?.();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const { records } = await workTeam(dependencies, teamId, () => true, { ahead: Number(ahead) });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { records, seconds, cpu_seconds: (user + system) / 1e6 };
}

// Warm-up: on Lambda most chunks run in an instance that has worked before.
await measure('warm-up', 0);
await measure('warm-up again', 0);
const fresh = await measure('new', 1_000_000);
const unchanged = await measure('unchanged', 1_000_000);
const peak_mb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ new: fresh, unchanged, peak_mb })}\n`);
process.exit();
