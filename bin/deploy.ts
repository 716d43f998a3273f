import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { longRequests } from '../lib/store/aws/connections.ts';
import { Command } from './command.ts';
import { type Assembly, copyAssembly, readAssembly, stacksOf, templateOf } from './deploy/assembly.ts';
import { withOldGrants } from './deploy/grant-plan.ts';
import { indexSteps } from './deploy/index-plan.ts';
import type { Template } from './deploy/template.ts';

type Options = { stage: string; show: boolean; yes: boolean };

const command = new Command('npm run deploy --')
  .description(
    'Deploys a stage. Before that, shows what was changed outside CloudFormation (drift) and the change set of the ' +
      'release, and asks. If the release adds several indexes to the table, deploys them one after another first: ' +
      'CloudFormation creates only one index of a table in an update. If the release takes permissions away, it does so ' +
      'in a last step, when no old version runs.',
  )
  .requiredOption('--stage <name>', 'a stage of infra/stages.ts')
  .option('--show', 'only show drift and change set', false)
  .option('--yes', 'do not ask', false)
  .addHelpText('after', '\nExit status: 0 if the release is deployed (with --show: shown), 1 otherwise.');

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
const output = join(projectFolder, 'cdk.out');

async function main({ stage, show, yes }: Options): Promise<boolean> {
  if (!cdk('synth', '--quiet', '--output', output, '--context', `stage=${stage}`)) return false;
  const steps = (await Promise.all(stacksOf(output).map((stackId) => stepsOf(readAssembly(output, stackId))))).flat();
  if (!cdk('drift', '--app', output)) console.log('The drift could not be read.');
  if (!cdk('diff', '--all', '--app', output)) return false;
  for (const { what } of steps) console.log(`Deployed before the rest: ${what}.`);
  if (show) return true;
  if (!yes && !(await agrees(`Deploy the stage ${stage}? [y/N] `))) return false;
  for (const step of steps) if (!deployStep(step)) return false;
  return cdk('deploy', '--all', '--app', output, '--require-approval', 'never');
}

/** A template that is deployed before the release itself. */
type Step = { what: string; template: Template; assembly: Assembly };

async function stepsOf(assembly: Assembly): Promise<Step[]> {
  const region = /^aws:\/\/[^/]+\/(?<region>[a-z0-9-]+)$/.exec(assembly.stack.environment ?? '')?.groups?.region;
  const deployed = await deployedTemplate(assembly.stackId, region === 'unknown-region' ? undefined : region);
  if (!deployed) return [];
  const next = templateOf(assembly);
  const indexes = indexSteps(deployed, next).map(({ index, template }) => ({
    what: `the index ${index}, which is filled while the service runs`,
    template,
    assembly,
  }));
  const template = withOldGrants(deployed, next);
  const what =
    'the release with the permissions that it takes away, which old versions use until all traffic has moved';
  return template ? [...indexes, { what, template, assembly }] : indexes;
}

function deployStep({ what, assembly, template }: Step): boolean {
  console.log(`Deploying ${what}.`);
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-deploy-'));
  try {
    copyAssembly(folder, assembly, template);
    return cdk('deploy', assembly.stackId, '--exclusively', '--app', folder, '--require-approval', 'never');
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

/** Runs the CDK of this project at the terminal. @returns true if it succeeded */
function cdk(...args: string[]): boolean {
  const program = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: projectFolder, stdio: 'inherit' });
  return status === 0;
}

/** The template of the stack as it is deployed, or undefined if there is no such stack. */
async function deployedTemplate(stackName: string, region: string | undefined): Promise<Template | undefined> {
  const client = new CloudFormationClient({ requestHandler: longRequests, ...(region ? { region } : {}) });
  try {
    const { TemplateBody = '' } = await client.send(
      new GetTemplateCommand({ StackName: stackName, TemplateStage: 'Original' }),
    );
    return JSON.parse(TemplateBody);
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    if (error instanceof Error && error.message === 'Region is missing')
      throw new Error('Set the region of the stage in infra/stages.ts, or the variable AWS_REGION.', { cause: error });
    throw error;
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
