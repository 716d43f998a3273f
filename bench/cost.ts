import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import * as z from 'zod';
import { costReport } from './cost/report.ts';
import { pageWith, textOf } from './cost/text.ts';
import { type Workload, workloadChange } from './cost/workload.ts';

type Options = { workload?: string; json: boolean; write: boolean };

const command = new Command('node bench/cost.ts')
  .description(
    'Calculates what the service costs on AWS in a month, for three sizes of institution, by part. ' +
      'docs/performance.md explains the numbers.',
  )
  .option('--workload <file>', 'a JSON file with other assumptions than those of bench/cost/workload.ts')
  .option('--write', 'update docs/performance.md', false)
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText('after', '\nExample of a workload file: { "contacts": 80000, "changedShare": 0.1 }');

command.action((options: Options) => {
  if (options.write && options.workload) throw new Error('--write takes no other assumptions than those of the page');
  const report = costReport(options.workload ? readWorkload(options.workload) : {});
  const text = textOf(report);
  if (options.write) writeFileSync('docs/performance.md', pageWith(readFileSync('docs/performance.md', 'utf8'), text));
  console.log(options.json ? JSON.stringify(report) : text);
});

/** @throws Error if the file is not a workload */
function readWorkload(file: string): Partial<Workload> {
  const parsed = workloadChange.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a workload:\n${z.prettifyError(parsed.error)}`);
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

try {
  command.parse();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
