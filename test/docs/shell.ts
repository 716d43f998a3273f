import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCredential } from '../../bin/local/demo-team.ts';
import { projectRoot } from '../architecture/sources.ts';
import type { TestService } from '../support/service.ts';
import type { Block } from './pages.ts';

/** What the pages take from the folder of the project. */
const linked = ['package.json', 'node_modules', 'bin', 'lib', 'examples', 'client', 'tsconfig.json'];

/**
 * A folder that looks like the project's with the service running, but with a demo team of its own, so that pages do
 * not get into each other's way.
 */
export async function readersFolder(service: TestService): Promise<{ path: string; remove(): void }> {
  const path = mkdtempSync(join(tmpdir(), 'onboarding-docs-'));
  for (const name of linked) symlinkSync(join(projectRoot, name), join(path, name));
  mkdirSync(join(path, '.data'));
  const local = { ...service.local, ...(await demoCredential(service.database, undefined)) };
  writeFileSync(join(path, '.data', 'local.json'), JSON.stringify(local));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** The commands without npm around them, which would take half a second each time. Nothing else is asked of npm. */
const npm = `npm() {
  case "$1 $2 $3 $4" in
    'run --silent admin --' | 'run --silent import --') local script="bin/$3.ts"; shift 4; node "$script" "$@" ;;
    *) return 1 ;;
  esac
}`;

/** Runs the blocks in one shell, as somebody who pastes them would. @returns what each wrote to standard output. */
export async function paste(blocks: readonly Block[], folder: string): Promise<string[]> {
  const mark = '--- next block ---';
  const script = `${npm}\n${blocks.map(({ text }) => text).join(`\necho; echo '${mark}'\n`)}`;
  // The project's own Node comes first, as in every script of npm.
  const PATH = `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}`;
  const options = { cwd: folder, env: { ...process.env, PATH }, timeout: 50_000 };
  const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  const outputs = stdout.split(mark);
  if (status === 0) return outputs;
  throw new Error(`${blocks[outputs.length - 1]?.place} ended with ${status}: ${stderr}\n${outputs.at(-1)}`);
}
