import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from './command.ts';
import { type Assembly, readAssembly, stacksOf, templateOf, writeAssembly } from './deploy/assembly.ts';
import { cdk, projectFolder } from './deploy/cdk.ts';
import { deployedTemplate } from './deploy/deployed.ts';
import { type IndexStep, indexSteps } from './deploy/index-plan.ts';

type Options = { stage: string; show: boolean; yes: boolean };

const command = new Command('npm run deploy --')
  .description(
    'Deploys a stage. Before that, shows what was changed outside CloudFormation (drift) and the change set of the ' +
      'release, and asks. If the release adds several indexes to the table, deploys them one after another first: ' +
      'CloudFormation creates only one index of a table in an update.',
  )
  .requiredOption('--stage <name>', 'a stage of infra/stages.ts')
  .option('--show', 'only show drift and change set', false)
  .option('--yes', 'do not ask', false)
  .addHelpText('after', '\nExit status: 0 if the release is deployed (with --show: shown), 1 otherwise.');

const output = join(projectFolder, 'cdk.out');

async function main({ stage, show, yes }: Options): Promise<boolean> {
  if (!cdk('synth', '--quiet', '--output', output, '--context', `stage=${stage}`)) return false;
  const steps = await Promise.all(stacksOf(output).map((stackId) => stepsOf(readAssembly(output, stackId))));
  if (!cdk('drift', '--app', output)) console.log('The drift could not be read.');
  if (!cdk('diff', '--all', '--app', output)) return false;
  for (const { index } of steps.flat()) console.log(`Deployed before the release, on its own: the index ${index}.`);
  if (show) return true;
  if (!yes && !(await agrees(`Deploy the stage ${stage}? [y/N] `))) return false;
  for (const step of steps.flat()) if (!addIndex(step)) return false;
  return cdk('deploy', '--all', '--app', output, '--require-approval', 'never');
}

type Step = IndexStep & { assembly: Assembly };

async function stepsOf(assembly: Assembly): Promise<Step[]> {
  const region = /^aws:\/\/[^/]+\/(?<region>[a-z0-9-]+)$/.exec(assembly.stack.environment ?? '')?.groups?.region;
  const deployed = await deployedTemplate(assembly.stackId, region === 'unknown-region' ? undefined : region);
  if (!deployed) return [];
  return indexSteps(deployed, templateOf(assembly)).map((step) => ({ ...step, assembly }));
}

function addIndex({ assembly, index, template }: Step): boolean {
  console.log(`Adding the index ${index}. Existing items are added to it while the service runs.`);
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-index-'));
  try {
    writeAssembly(folder, assembly, template);
    return cdk('deploy', assembly.stackId, '--app', folder, '--require-approval', 'never');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function agrees(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

main(command.parse().opts<Options>()).then(
  (isDone) => {
    process.exitCode = isDone ? 0 : 1;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
