import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDescription } from '../../../bin/local/description.ts';

export type ServiceOptions = {
  /** A folder that remains after the service; by default a temporary folder that is deleted. */
  directory?: string;
  /** By default `--memory`. */
  persistent?: boolean;
  environment?: Record<string, string>;
  onOutput?(text: string): void;
};

export type ServiceProcess = {
  directory: string;
  pid: number;
  /** The output of the process so far. */
  output(): string;
  /** The exit status of the process, or the signal that ended it. */
  exited: Promise<number | string>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): void;
  stop(): Promise<void>;
};

const root = new URL('../../../', import.meta.url).pathname;
/** Rounds of 20 ms or more. The clock of a machine that was paused would say that the service had its time. */
const readyRounds = 2500;

export const temporaryDirectory = () => mkdtempSync(join(tmpdir(), 'onboarding-'));

/** Starts `bin/local.ts` in its own process, on any free port. */
export function launchService(options: ServiceOptions = {}): ServiceProcess {
  const directory = options.directory ?? temporaryDirectory();
  // Why these options of V8: see `vitest.config.ts`.
  const v8 = ['--min-semi-space-size=16', '--single-threaded-gc'];
  const args = [...v8, 'bin/local.ts', ...(options.persistent ? [] : ['--memory'])];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: directory, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      options.onOutput?.(chunk);
      // A test sees a missing grant only as a 500.
      for (const [line] of chunk.matchAll(/^the grants of .*/gm)) console.error(line);
    });
  }
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const { pid } = child;
  if (pid === undefined) throw new Error('the local service did not start');
  return {
    directory,
    pid,
    output: () => output,
    exited,
    kill: (signal) => child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Reads `local.json`, which a starting service may delete at any moment if a killed service left it. */
function written(path: string): LocalDescription | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Waits until the service responds, and returns its description. With a `pid`, waits for the file of that process,
 * because a killed process leaves its file behind.
 */
export async function description(
  directory: string,
  pid?: number,
  isRunning: () => boolean = () => true,
  rounds = readyRounds,
): Promise<LocalDescription> {
  const path = join(directory, 'local.json');
  for (let round = 0; round < rounds && isRunning(); round++) {
    const found = written(path);
    if (found && (pid === undefined || found.pid === pid)) return found;
    await sleep(20);
  }
  throw new Error(`no local service started in ${directory}`);
}
