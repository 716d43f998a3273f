import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAssembly, templateOf, writeTemplate } from '../deploy/assembly.ts';
import { policyOf } from '../deploy/template.ts';
import { must, run } from './processes.ts';
import { forEmulator, type TemplateChange, withNested } from './template.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const stackName = 'Onboarding';
const cdk = (project: string) => join(project, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Runs the CDK's command with this Node. */
export const runCdk = (what: string, args: readonly string[], project: string = root): Promise<string> =>
  must(what, process.execPath, [cdk(project), ...args], { cwd: project });

/** A synthesized stack, changed so that the emulator can deploy it. */
export type Assembly = { folder: string; changes: TemplateChange[] };

/**
 * Synthesizes the stack of the project in `project`, with the API reference, and adapts the copy.
 * @param settings settings of this project's stack that the stage does not have
 */
export async function synthesize(
  project: string,
  folder: string,
  types: ReadonlySet<string>,
  settings?: object,
): Promise<Assembly> {
  // Releases before the settings of stages take the reference as an option; later ones ignore it.
  const context = settings
    ? ['--app', `${process.execPath} bin/rehearse/settings-app.ts`, '-c', `settings=${JSON.stringify(settings)}`]
    : ['-c', 'stage=development', '-c', 'docs=true'];
  await runCdk('The synthesis', ['synth', '--quiet', '--output', folder, ...context], project);
  const stack = readAssembly(folder, stackName);
  const whole = withNested(templateOf(stack), (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const { template, changes } = forEmulator(whole, (type) => types.has(type));
  writeTemplate(stack, template);
  return { folder, changes };
}

/** The logical ids of the roles of functions that may do more than write their log. */
export const rolesOf = ({ folder }: Assembly): string[] =>
  Object.entries(templateOf(readAssembly(folder, stackName)).Resources).flatMap(([id, resource]) => {
    const policy = policyOf(resource);
    return policy?.PolicyName === 'Function' && policy.PolicyDocument.Statement.length > 1 ? [id] : [];
  });

/** The types of resources that the emulator has. */
export async function emulatedTypes(python: string): Promise<ReadonlySet<string>> {
  const program =
    'import json; from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS as h; print(json.dumps(list(h)))';
  const output = await must('Reading the types of the emulator', python, ['-c', program]);
  const types = JSON.parse(output.trim().split('\n').at(-1)!) as string[];
  return new Set([...types, 'AWS::CDK::Metadata']);
}

/** An earlier state of the project, in a folder of its own. */
export type Earlier = { revision: string; project: string; remove(): Promise<void> };

/** The folders of what is deployed. */
const deployedFolders = ['functions', 'infra', 'lib'];

/**
 * Checks out the last release, or the given revision.
 * @returns the reason if there is none
 */
export async function checkOutEarlier(
  folder: string,
  given: string | undefined,
): Promise<Earlier | { reason: string }> {
  const git = (...args: string[]) => run('git', ['-C', root, ...args]);
  const revision = given ?? (await lastRelease(git));
  if (revision === undefined) return { reason: 'there is no git history with an earlier release' };
  const { status, output } = await git('worktree', 'add', '--detach', '--force', folder, revision);
  if (status !== 0) return { reason: `git cannot check out ${revision}: ${output.trim().split('\n').at(-1)}` };
  const remove = async () => void (await git('worktree', 'remove', '--force', folder));
  try {
    await installIn(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  const named = await git('describe', '--tags', '--always', revision);
  return { revision: named.output.trim(), project: folder, remove };
}

/**
 * Before the first release, stored data may change in any commit. One commit back, it is the same unless that commit
 * changed it, and what is deployed is not.
 */
async function lastRelease(git: (...args: string[]) => ReturnType<typeof run>): Promise<string | undefined> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^');
  if (tag.status === 0) return tag.output.trim();
  const change = await git('rev-list', '-1', '--first-parent', 'HEAD', '--', ...deployedFolders);
  const before = await git('rev-parse', '--verify', '--quiet', `${change.output.trim()}^`);
  return before.status === 0 ? before.output.trim() : undefined;
}

/** With the same lockfile, the packages of this project are used. */
async function installIn(project: string): Promise<void> {
  const lock = 'package-lock.json';
  if (readFileSync(join(project, lock), 'utf8') === readFileSync(join(root, lock), 'utf8')) {
    for (const each of ['node_modules', 'client/node_modules']) symlinkSync(join(root, each), join(project, each));
    return;
  }
  await must('Installing the packages of the earlier release', 'npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: project,
  });
}
