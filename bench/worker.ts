import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rounded } from './measure.ts';

/**
 * Models the import of one team on AWS: the real worker with a store that responds to each call after 5 ms and to each
 * transaction after 10 ms. On Lambda the CPU share of a function grows with its memory; 1,769 MB are one CPU. If a chunk
 * needs more CPU time than the share provides, the CPU limits the rate.
 */
const chunks = 20;
const chunksAhead = [0, 1, 3];
const memories = [1024, 1769] as const;
const megabytesOfOneProcessor = 1769;

type Measured = { records: number; seconds: number; cpu_seconds: number };
type Run = { new: Measured; unchanged: Measured; peak_mb: number };

export type WorkerResult = {
  chunks_ahead: number;
  records: 'new' | 'unchanged';
  cpu_ms_a_record: number;
  /** Records a second, by memory of the function in megabytes. */
  records_a_second: Record<string, number>;
  bounded_by: Record<string, 'processor' | 'store'>;
  peak_mb: number;
};

export async function benchWorker(): Promise<WorkerResult[]> {
  const store = spawn(process.execPath, [pathOf('worker/store.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [url] = (await once(store.stdout.setEncoding('utf8'), 'data')) as [string];
    const results: WorkerResult[] = [];
    for (const ahead of chunksAhead) results.push(...resultsOf(ahead, await run(url.trim(), ahead)));
    return results;
  } finally {
    store.kill();
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

async function run(endpoint: string, ahead: number): Promise<Run> {
  const script = ['--expose-gc', pathOf('worker/run.ts'), endpoint, String(chunks), String(ahead)];
  const { stdout } = await promisify(execFile)(process.execPath, script);
  return JSON.parse(stdout);
}

function resultsOf(chunks_ahead: number, { peak_mb, ...measured }: Run): WorkerResult[] {
  return (['new', 'unchanged'] as const).map((kind) => {
    const { records, seconds, cpu_seconds } = measured[kind];
    const byMemory = memories.map((memory) => {
      const processor = cpu_seconds / Math.min(memory / megabytesOfOneProcessor, 1);
      const bound = processor > seconds ? ('processor' as const) : ('store' as const);
      return { memory, rate: rounded(records / Math.max(seconds, processor)), bound };
    });
    return {
      chunks_ahead,
      records: kind,
      cpu_ms_a_record: rounded((cpu_seconds * 1000) / records),
      records_a_second: Object.fromEntries(byMemory.map(({ memory, rate }) => [memory, rate])),
      bounded_by: Object.fromEntries(byMemory.map(({ memory, bound }) => [memory, bound])),
      peak_mb,
    };
  });
}

export const workerText = (results: readonly WorkerResult[]): string =>
  [
    `The import worker over a store of 5 ms a call and 10 ms a transaction, ${chunks} chunks of 500 records`,
    ...results.map(({ chunks_ahead, records, cpu_ms_a_record, records_a_second, bounded_by, peak_mb }) => {
      const rates = Object.entries(records_a_second).map(
        ([memory, rate]) => `${String(rate).padStart(6)} a second at ${memory} MB (${bounded_by[memory]})`,
      );
      return `  ${chunks_ahead} ahead, ${records.padEnd(10)}${rates.join('  ')}   ${cpu_ms_a_record} ms of processor a record, ${peak_mb} MB`;
    }),
  ].join('\n');
