import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Command } from 'commander';
import { reportOf } from './report.ts';
import { type Area, areaOf, areas, setMutatedFiles } from './scope.ts';

type Options = { concurrency: string; force: boolean };

const command = new Command('node test/mutation/run.ts')
  .description(
    'Changes the code in one place at a time and runs the tests. Prints the changes that no test noticed. Results of code and tests that have not changed are kept.',
  )
  .argument('<path...>', `files or folders in ${areas.flatMap(({ files }) => files).join(', ')}`)
  .option('--concurrency <number>', 'mutants that are tested at the same time', '2')
  .option('--force', 'test all mutants again', false);

async function main(): Promise<void> {
  const { concurrency, force } = command.parse().opts<Options>();
  const files = command.args.flatMap(filesOf);
  const byArea = Map.groupBy(files, areaOf);
  const unknown = byArea.get(undefined);
  if (unknown) throw new Error(`The tests of ${unknown[0]} are not known: add them to scope.ts`);
  const results = [];
  for (const [area, mutated] of byArea) {
    results.push(...(await mutate(area!, mutated, Number(concurrency), force)));
  }
  console.log(reportOf(results));
}

function filesOf(path: string): string[] {
  const inRoot = relative('', path);
  return statSync(inRoot).isDirectory() ? globSync(`${inRoot}/**/*.ts`).sort() : [inRoot];
}

type Results = { files: Record<string, { mutants: { status: string; coveredBy?: string[] }[] }> };

/**
 * Survivors without covering tests are tested again: those in code that runs when its module is loaded. Stryker does not
 * know their tests, so it would not notice a new one. Timed out mutants are too, because the machine may have been busy.
 */
function forgetUncertain(file: string): void {
  if (!existsSync(file)) return;
  const results: Results = JSON.parse(readFileSync(file, 'utf8'));
  for (const each of Object.values(results.files)) {
    each.mutants = each.mutants.filter(
      ({ status, coveredBy = [] }) =>
        status !== 'Timeout' && (coveredBy.length > 0 || !['Survived', 'NoCoverage'].includes(status)),
    );
  }
  writeFileSync(file, JSON.stringify(results));
}

/** The tests and the file of results differ by area, so each area is a run of its own. */
async function mutate(area: Area, files: string[], concurrency: number, force: boolean) {
  setMutatedFiles(files);
  const incrementalFile = `node_modules/.cache/mutation/${area.name}.json`;
  forgetUncertain(incrementalFile);
  const results = await new Stryker({
    mutate: files,
    testRunner: 'direct',
    plugins: ['./test/mutation/runner.ts', './test/mutation/ignored.ts'],
    ignorers: ['ignored'],
    incremental: true,
    incrementalFile,
    force,
    concurrency,
    // The cancellation of a run can also cancel the next one. `setup.ts` skips tests instead.
    disableBail: true,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    warnings: false,
    ignorePatterns: ['dist', 'cdk.out', '.data'],
    // Stryker would rewrite the file with the JavaScript API of TypeScript, which version 7 does not have.
    tsconfigFile: 'none',
    timeoutMS: 30_000,
    // Modules that were loaded for a mutant are never freed.
    maxTestRunnerReuse: 200,
  }).runMutationTest();
  return results.filter(({ fileName }) => files.includes(relative('', fileName)));
}

await main();
