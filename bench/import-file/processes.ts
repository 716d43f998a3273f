import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../../bin/import/summary.ts';
import { descriptionPath, type LocalDescription } from '../../bin/local/data-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const startMilliseconds = 60_000;
const lookEvery = 100;

/** The local service with a data folder, on a fixed port. It can be killed and started again. */
export class Service {
  readonly #directory: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  async start(): Promise<LocalDescription> {
    const child = spawn(process.execPath, serviceCommand, {
      cwd: root,
      env: { ...process.env, PORT: String(this.#port), DATA_DIR: this.#directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#child = child;
    for (const end = Date.now() + startMilliseconds; Date.now() < end && child.exitCode === null; await sleep(50)) {
      const path = descriptionPath(this.#directory);
      const local = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LocalDescription) : undefined;
      if (local?.pid === child.pid && local) return local;
    }
    throw new Error('the local service did not start');
  }

  /** The peak memory of the running service; 0 on systems other than Linux. */
  peakMegabytes(): number {
    return peakOf(this.#child?.pid);
  }

  /** The memory of the running service; 0 on systems other than Linux. */
  megabytes(): number {
    return megabytesOf(this.#child?.pid, 'VmRSS');
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill(signal);
    await ended;
  }
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string; import: string };
};
/** The arguments of Node in `npm start` and in `npm run import`. */
const serviceCommand = scripts.start.split(' ').slice(1);
const importCommand = scripts.import.split(' ').slice(1);

export type Run = { summary: Summary | undefined; peakMegabytes: number };

/**
 * Runs the importer. `look` is called every 100 ms and decides whether to kill it. Memory is 0 on systems other than Linux.
 */
export async function runImporter(
  args: string[],
  directory: string,
  look: () => Promise<'kill' | undefined>,
): Promise<Run> {
  const child = spawn(process.execPath, [...importCommand, ...args, '--json'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close');
  let peakMegabytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid));
    if ((await look()) === 'kill') child.kill('SIGKILL');
    await Promise.race([ended, sleep(lookEvery)]);
  }
  await ended;
  return { summary: output === '' ? undefined : (JSON.parse(output) as Summary), peakMegabytes };
}

const peakOf = (pid: number | undefined): number => megabytesOf(pid, 'VmHWM');

function megabytesOf(pid: number | undefined, field: 'VmHWM' | 'VmRSS'): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(path, 'utf8')) ?? [];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}
