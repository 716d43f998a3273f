import { type FunctionResult, functionsText } from './functions.ts';
import type { ImportResult } from './import.ts';
import type { RequestsResult } from './requests.ts';

export type BenchResult = {
  at: string;
  node: string;
  machine: string;
  /** Resident memory of the local service, without the engine. */
  service_memory_mb: { at_rest: number | undefined; after_imports: number | undefined };
  import: ImportResult;
  requests: RequestsResult;
  functions: FunctionResult[];
};

/** Only the ratios are comparable between machines. */
export function textOf({ machine, node, service_memory_mb: memory, ...result }: BenchResult): string {
  const { import: imported, requests } = result;
  const line = (name: string, value: number, ratio: number | string, beside: string) =>
    `  ${name.padEnd(12)}${value.toLocaleString('en').padStart(8)} a second, ${ratio} of ${beside}`;
  return [
    `${machine}, Node ${node}`,
    `Memory of the service: ${memory.at_rest} MB at rest, ${memory.after_imports} MB after the imports`,
    '',
    `Records of an import, posted to applied (medians of ${imported.rounds} rounds)`,
    line('new', imported.new, imported.new_to_batches, 'the same items, 25 conditional statements a request'),
    line('unchanged', imported.unchanged, imported.unchanged_to_reads, 'the same items, bare BatchGetItem of 100'),
    '',
    'Requests, 16 at once (a ratio for each round)',
    line('new contact', requests.upserts, requests.upserts_to_puts.join(', '), 'conditional puts'),
    line('read', requests.reads, requests.reads_to_gets.join(', '), 'bare reads'),
    '',
    functionsText(result.functions),
  ].join('\n');
}
