import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCredential } from '../../../bin/local/first-start.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import type { Block } from '../../support/docs/pages.ts';
import type { TestService } from '../../support/service/service.ts';

/** Files of the project folder that the pages use. */
const linked = ['package.json', 'node_modules', 'bin', 'lib', 'examples', 'client', 'tsconfig.json'];

/**
 * A copy of the project folder for the running service, with its own demo team, so that pages do not affect each other.
 */
export async function readersFolder(service: TestService): Promise<{ path: string; remove(): void }> {
  const path = mkdtempSync(join(tmpdir(), 'onboarding-docs-'));
  for (const name of linked) symlinkSync(join(projectRoot, name), join(path, name));
  const data = join(path, '.data');
  mkdirSync(data);
  const local = { ...service.local, ...(await demoCredential(service.database, data)) };
  writeFileSync(join(data, 'local.json'), JSON.stringify(local));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** The npm scripts as shell functions, because npm itself takes half a second each time. */
const npm = `npm() {
  case "$1 $2 $3 $4" in
    'run --silent admin --' | 'run --silent import --') local script="bin/$3.ts"; shift 4; node "$script" "$@" ;;
    *) return 1 ;;
  esac
}`;

/** Milliseconds. Only ends a shell that hangs, before the test ends. */
const maxTime = 170_000;

/** Runs the blocks in one shell, as if they were pasted. @returns the standard output of each */
export async function paste(blocks: readonly Block[], folder: string): Promise<string[]> {
  const mark = '--- next block ---';
  const script = `${npm}\n${blocks.map(({ text }) => text).join(`\necho; echo '${mark}'\n`)}`;
  // The project's own Node is first in the path, as in every npm script.
  const PATH = `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}`;
  const options = { cwd: folder, env: { ...process.env, PATH }, timeout: maxTime };
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
  const ending = status === null ? `was ended after ${maxTime / 1000} s` : `ended with ${status}`;
  throw new Error(`${blocks[outputs.length - 1]?.place} ${ending}: ${stderr}\n${outputs.at(-1)}`);
}
