import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from './index-plan.ts';

/** The cloud assembly that `cdk synth` wrote, as far as this command reads it. */
type Artifact = { type: string; environment?: string; displayName?: string; properties?: Record<string, string> };
type Manifest = { version: string; artifacts: Record<string, Artifact> };
type Asset = { source: { path: string }; destinations: Record<string, { objectKey: string }> };

export type Assembly = { directory: string; stackId: string; stack: Artifact; manifest: Manifest };

/** @param stackId the id of the stack in the app, which is also its name */
export function readAssembly(directory: string, stackId: string): Assembly {
  const manifest: Manifest = readJson(join(directory, 'manifest.json'));
  const stack = manifest.artifacts[stackId];
  if (stack?.type !== 'aws:cloudformation:stack') throw new Error(`${directory} has no stack ${stackId}`);
  return { directory, stackId, stack, manifest };
}

/** The ids of all stacks of the assembly. */
export const stacksOf = (directory: string): string[] =>
  Object.entries((readJson(join(directory, 'manifest.json')) as Manifest).artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id]) => id);

export const templateOf = ({ directory, stack }: Assembly): Template =>
  readJson(join(directory, stack.properties?.templateFile ?? ''));

/**
 * Writes an assembly that deploys only this template to the stack, with the roles and the bucket of the given assembly.
 * The template has a key of its own in the bucket: the CDK does not upload a file whose key exists.
 */
export function writeAssembly(target: string, { directory, stackId, stack, manifest }: Assembly, template: Template) {
  const assetsId = `${stackId}.assets`;
  const assets: { version: string; files: Record<string, Asset> } = readJson(join(directory, `${assetsId}.json`));
  const templateFile = stack.properties?.templateFile ?? '';
  const old = Object.entries(assets.files).find(([, { source }]) => source.path === templateFile);
  if (!old) throw new Error(`${assetsId}.json does not contain the template`);
  const text = JSON.stringify(template);
  const hash = createHash('sha256').update(text).digest('hex');
  const renamed = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(old[0], hash));
  // The outputs of synthesis beside the template are not in the new assembly.
  const { additionalMetadataFile: _, ...described } = stack as Artifact & { additionalMetadataFile?: string };
  const artifacts = { [assetsId]: manifest.artifacts[assetsId], [stackId]: renamed(described) };
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, templateFile), text);
  const files = { [hash]: renamed(old[1]) };
  writeFileSync(join(target, `${assetsId}.json`), JSON.stringify({ version: assets.version, files, dockerImages: {} }));
  writeFileSync(join(target, 'manifest.json'), JSON.stringify({ version: manifest.version, artifacts }));
}

/** Copies the assembly, with another template for this stack. */
export function copyAssembly(target: string, { directory, stackId, stack }: Assembly, template: Template): void {
  cpSync(directory, target, { recursive: true });
  const templateFile = stack.properties?.templateFile ?? '';
  const lists = [`${stackId}.assets.json`, 'manifest.json'];
  const { files }: { files: Record<string, Asset> } = readJson(join(directory, lists[0]!));
  const [old] = Object.entries(files).find(([, { source }]) => source.path === templateFile) ?? [];
  if (!old) throw new Error(`${lists[0]} does not contain the template`);
  const text = JSON.stringify(template);
  writeFileSync(join(target, templateFile), text);
  const hash = createHash('sha256').update(text).digest('hex');
  for (const list of lists) {
    writeFileSync(join(target, list), readFileSync(join(directory, list), 'utf8').replaceAll(old, hash));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: files of the CDK, whose schema is not published as a type
const readJson = (file: string): any => JSON.parse(readFileSync(file, 'utf8'));
