import { type FunctionResult, functionsText } from './functions.ts';
import type { ImportResult } from './import.ts';
import type { LookupResult } from './lookup.ts';
import type { Load, RequestsResult } from './requests.ts';
import { type WaitResult, waitsText } from './waits.ts';

export type BenchResult = {
  at: string;
  node: string;
  machine: string;
  /** Resident memory of the local service, without the engine. */
  service_memory_mb: { at_rest: number | undefined; after_imports: number | undefined };
  import: ImportResult;
  requests: RequestsResult;
  lookups: LookupResult[];
  functions: FunctionResult[];
  waits: WaitResult[];
};

/** Only the ratios are comparable between machines; the other numbers show how they arise. */
export function textOf({ machine, node, service_memory_mb, ...result }: BenchResult): string {
  const { import: imported, requests, lookups, functions, waits } = result;
  const n = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const load = (name: string, { requests_a_second, p50_ms, p99_ms }: Load, ratio = '') =>
    `  ${name.padEnd(28)}${n(requests_a_second).padStart(8)} a second   p50 ${p50_ms} ms, p99 ${p99_ms} ms${ratio}`;
  const line = (name: string, value: number, unit: string) => `  ${name.padEnd(28)}${n(value).padStart(8)} ${unit}`;
  return [
    `${machine}, Node ${node}`,
    `Memory of the service: ${service_memory_mb.at_rest} MB at rest, ${service_memory_mb.after_imports} MB after the imports`,
    '',
    `Import, ${n(imported.records_a_round)} records posted to applied (median of ${imported.rounds} rounds)`,
    line('new', imported.new_records_a_second, 'records a second'),
    line('unchanged', imported.unchanged_records_a_second, 'records a second'),
    line('items written', imported.imported_items_a_second, 'a second'),
    line('the same items by single puts', imported.put_items_a_second, 'a second, 32 at once'),
    line('ratio', imported.ratio_to_puts, 'items a second over items a second'),
    line('the same in batches', imported.batched_items_a_second, 'a second, 25 statements a request, 8 at once'),
    line('ratio', imported.ratio_to_batches, 'items a second over items a second'),
    line('unchanged items, bare reads', imported.read_items_a_second, 'a second, BatchGetItem of 100, 8 at once'),
    line('ratio', imported.ratio_to_reads, 'items a second over items a second'),
    '',
    'Requests, 8 connections',
    load('upsert of a new contact', requests.upsert, `   ${requests.upsert_to_bare} of bare`),
    load('bare handler, POST', requests.bare_post),
    load('read of a contact', requests.read, `   ${requests.read_to_bare} of bare`),
    load('bare handler, GET', requests.bare_get),
    load(
      'upsert, 16 connections',
      requests.upsert_at_16,
      `   ${requests.upsert_to_put} of bare puts (rounds: ${requests.upsert_to_put_rounds.join(', ')})`,
    ),
    line('conditional puts, 16 at once', requests.put_at_16, 'a second'),
    '',
    'Channel lookups, one after another',
    ...lookups.flatMap(({ contacts, indexed_cost: { warm }, indexed_p50_ms, indexed_p99_ms, unindexed_p50_ms }) => [
      `  ${`cost, ${n(contacts)} contacts`.padEnd(36)} ${warm.requests} requests, ${warm.read_units} read units`,
      `  ${`declared, ${n(contacts)} contacts`.padEnd(36)} p50 ${indexed_p50_ms} ms, p99 ${indexed_p99_ms} ms`,
      `  ${`not declared, ${n(contacts)} contacts`.padEnd(36)} p50 ${unindexed_p50_ms} ms`,
    ]),
    '',
    'Functions: module load in a fresh process, beside the clients of the SDK alone (medians of 7 rounds)',
    '',
    functionsText(functions),
    '',
    'Where a client of the local service waits, alone and beside an import',
    '',
    waitsText(waits),
  ].join('\n');
}
