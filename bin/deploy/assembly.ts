import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from './template.ts';

/** The cloud assembly that `cdk synth` wrote, as far as this command reads it. */
type Artifact = { type: string; environment?: string; displayName?: string; properties?: Record<string, string> };
type Manifest = { artifacts: Record<string, Artifact> };
type Asset = { source: { path: string } };

export type Assembly = { directory: string; stackId: string; stack: Artifact };

/** @param stackId the id of the stack in the app, which is also its name */
export function readAssembly(directory: string, stackId: string): Assembly {
  const { artifacts }: Manifest = readJson(join(directory, 'manifest.json'));
  const stack = artifacts[stackId];
  if (stack?.type !== 'aws:cloudformation:stack') throw new Error(`${directory} has no stack ${stackId}`);
  return { directory, stackId, stack };
}

/** The ids of all stacks of the assembly. */
export const stacksOf = (directory: string): string[] =>
  Object.entries((readJson(join(directory, 'manifest.json')) as Manifest).artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id]) => id);

export const templateOf = ({ directory, stack }: Assembly): Template =>
  readJson(join(directory, stack.properties?.templateFile ?? ''));

/** Copies the assembly, with another template for this stack. */
export function copyAssembly(target: string, assembly: Assembly, template: Template): void {
  cpSync(assembly.directory, target, { recursive: true });
  writeTemplate({ ...assembly, directory: target }, template);
}

/**
 * Replaces the template of the stack. The new one has a key of its own in the bucket: the CDK does not upload a file
 * whose key exists.
 */
export function writeTemplate({ directory, stackId, stack }: Assembly, template: Template): void {
  const templateFile = stack.properties?.templateFile ?? '';
  const lists = [`${stackId}.assets.json`, 'manifest.json'].map((name) => join(directory, name));
  const { files }: { files: Record<string, Asset> } = readJson(lists[0]!);
  const [old] = Object.entries(files).find(([, { source }]) => source.path === templateFile) ?? [];
  if (!old) throw new Error(`${lists[0]} does not contain the template`);
  const text = JSON.stringify(template);
  writeFileSync(join(directory, templateFile), text);
  const hash = createHash('sha256').update(text).digest('hex');
  for (const list of lists) writeFileSync(list, readFileSync(list, 'utf8').replaceAll(old, hash));
}

// biome-ignore lint/suspicious/noExplicitAny: files of the CDK, whose schema is not published as a type
const readJson = (file: string): any => JSON.parse(readFileSync(file, 'utf8'));
