import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { costText, pageWith } from './cost/report.ts';

const page = 'docs/cost.md';

new Command('node bench/cost.ts')
  .description(
    'Calculates what the service costs on AWS in a month, for three sizes of institution, by part, with the assumptions ' +
      `of bench/cost/workload.ts. ${page} explains the numbers.`,
  )
  .option('--write', `update ${page}`, false)
  .action(({ write }: { write: boolean }) => {
    const text = costText();
    if (write) writeFileSync(page, pageWith(readFileSync(page, 'utf8'), text));
    console.log(text);
  })
  .parse();
