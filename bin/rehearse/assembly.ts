import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun, must, run } from './processes.ts';
import { forEmulator, type Template, type TemplateChange } from './template.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const stackName = 'Onboarding';
const cdk = (project: string) => join(project, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Runs the CDK's command with this Node. */
export const runCdk = (what: string, args: readonly string[], project: string = root): Promise<string> =>
  must(what, process.execPath, [cdk(project), ...args], { cwd: project });

/** A synthesized stack, changed so that the emulator can deploy it. */
export type Assembly = { folder: string; changes: TemplateChange[] };

/** Synthesizes the stack of the project in `project`, with the API reference, and adapts the copy. */
export async function synthesize(project: string, folder: string, types: ReadonlySet<string>): Promise<Assembly> {
  // Releases before the settings of stages take the reference as an option; later ones ignore it.
  const context = ['-c', 'stage=development', '-c', 'docs=true'];
  await runCdk('The synthesis', ['synth', '--quiet', '--output', folder, ...context], project);
  const path = join(folder, `${stackName}.template.json`);
  const original = readFileSync(path, 'utf8');
  const { template, changes } = forEmulator(JSON.parse(original) as Template, (type) => types.has(type));
  const adapted = JSON.stringify(template, undefined, 1);
  writeFileSync(path, adapted);
  // The template is uploaded under its digest, and not at all if an object with that key exists.
  renameAsset(folder, digestOf(adapted));
  return { folder, changes };
}

/** The logical ids of the roles of functions that may do more than write their log. */
export function rolesOf({ folder }: Assembly): string[] {
  const template = JSON.parse(readFileSync(join(folder, `${stackName}.template.json`), 'utf8')) as Template;
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    const [policy] = Type === 'AWS::IAM::Role' ? ((Properties?.Policies as Policy[]) ?? []) : [];
    return policy?.PolicyName === 'Function' && policy.PolicyDocument.Statement.length > 1 ? [id] : [];
  });
}

type Policy = { PolicyName: string; PolicyDocument: { Statement: unknown[] } };

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function renameAsset(folder: string, digest: string): void {
  const assets = join(folder, `${stackName}.assets.json`);
  const { files } = JSON.parse(readFileSync(assets, 'utf8')) as { files: Record<string, { source: { path: string } }> };
  const [old] = Object.entries(files).find(([, { source }]) => source.path === `${stackName}.template.json`) ?? [];
  if (old === undefined) throw new CannotRun(`${assets} does not name the template.`);
  for (const path of [assets, join(folder, 'manifest.json')]) {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(old, digest));
  }
}

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

/** Commits to go back if there is no tag of a release. */
const commitsBack = 50;

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

async function lastRelease(git: (...args: string[]) => ReturnType<typeof run>): Promise<string | undefined> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^');
  if (tag.status === 0) return tag.output.trim();
  const back = await git('rev-parse', '--verify', '--quiet', `HEAD~${commitsBack}`);
  return back.status === 0 ? back.output.trim() : undefined;
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
