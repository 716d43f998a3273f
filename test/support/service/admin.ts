import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { captured } from '../captured.ts';
import { temporaryDirectory } from './process.ts';

/** Runs the command in this process, because starting a process takes most of a second. */
export const admin = (args: string[], directory = inject('serviceDirectory')) =>
  onServiceOf(directory, () => runAdmin(args));

/** Until the end of the test, commands run at a terminal: they ask before they destroy something. */
export function atTerminal(): void {
  const { isTTY } = process.stdin;
  process.stdin.isTTY = true;
  onTestFinished(() => {
    process.stdin.isTTY = isTTY;
  });
}

/** Captures a command that runs with the local service of this folder. */
export async function onServiceOf(directory: string, run: () => Promise<number>) {
  const { DATA_DIR: before } = process.env;
  process.env.DATA_DIR = directory;
  try {
    return await captured(run);
  } finally {
    if (before === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = before;
  }
}

/** Standard output must contain one JSON value and nothing else. */
export async function adminJson(...args: string[]) {
  const { stdout, status } = await admin([...args, '--json']);
  return { status, value: JSON.parse(stdout) };
}

/** The path of a new file with this text, or with this value as JSON. */
export function fileOf(content: unknown, kind = 'json'): string {
  const path = join(temporaryDirectory(), `${randomUUID()}.${kind}`);
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(path, isText ? content : JSON.stringify(content));
  return path;
}
