import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../../bin/client-build.ts';

const run = promisify(execFile);

/** npm of the script that runs the tests, otherwise the installed one. */
export function npm(args: readonly string[], cwd: string) {
  const own = process.env.npm_execpath;
  const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []];
  return run(program, [...first, ...args], { cwd });
}

/** Builds and packs the client, and installs the tarball in an empty project. Needs no network. @returns the project */
export async function projectWithClient(directory: string): Promise<string> {
  await buildClient(join(directory, 'package'));
  const { stdout } = await npm(['pack', './package', '--json', '--pack-destination', directory], directory);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const project = join(directory, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  await npm(['install', '--offline', '--no-audit', '--no-fund', join(directory, filename)], project);
  return project;
}
