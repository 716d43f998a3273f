import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { projectRoot } from '../architecture/sources.ts';
import { outcomesOf } from '../support/outcomes.ts';

const command = new Command('npm run test:flaky --')
  .description(
    'Runs tests several times while other processes keep the machine busy. Prints the tests that failed at least once.',
  )
  .argument('[argument...]', 'files, folders or `--project NAME`, as for `npm run test:only`; everything by default')
  .option('--runs <number>', 'how many times', '20')
  .option('--load <number>', 'processes that keep the machine busy', '2')
  .allowUnknownOption()
  .parse();
const { runs, load } = command.opts<{ runs: string; load: string }>();

const busy = Array.from({ length: Number(load) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
const failures = new Map<string, number>();
try {
  for (let run = 1; run <= Number(runs); run++) {
    const began = Date.now();
    const outcomes = await outcomesOf(projectRoot, command.args);
    const failed = outcomes.filter((outcome) => outcome.failed);
    for (const { file, name } of failed) failures.set(`${file}: ${name}`, (failures.get(`${file}: ${name}`) ?? 0) + 1);
    const seconds = Math.round((Date.now() - began) / 1000);
    const lines = failed.map(({ file, name, reason }) => `${file}: ${name}\n    ${reason ?? 'no reason'}`);
    console.log([`run ${run}: ${outcomes.length} tests, ${seconds} s, ${failed.length} failed`, ...lines].join('\n  '));
  }
} finally {
  for (const each of busy) each.kill('SIGKILL');
}
console.log(
  [`failed at least once: ${failures.size}`, ...[...failures].map(([test, times]) => `${times} × ${test}`)].join(
    '\n  ',
  ),
);
if (failures.size > 0) process.exitCode = 1;
