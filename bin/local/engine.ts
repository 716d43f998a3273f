import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { hiddenAddress, StartFailure } from './ports.ts';

export type Engine = {
  /** For the functions only. Other programs use the guard: see startGuard. */
  endpoint: string;
  /** Resolves if the engine ends unexpectedly, not when it is stopped. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

const attempts = 3;
const startMilliseconds = 5000;
const stopMilliseconds = 1000;

/**
 * The embedded DynamoDB-compatible engine, in memory unless `databasePath` is given. If this process is killed,
 * `temporaryFolder` is deleted.
 * @throws StartFailure if there is no engine for this platform, or if it does not start
 */
export async function startEngine(databasePath?: string, temporaryFolder?: string): Promise<Engine> {
  const binary = engineBinary();
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(binary, await hiddenAddress(), databasePath, temporaryFolder);
    } catch (error) {
      // Another program may have taken the port in the meantime.
      if (attempt === attempts) throw error;
    }
  }
}

/** An engine that is already running. It is not stopped with the service. */
export function externalEngine(endpoint: string): Engine {
  return { endpoint, lost: new Promise(() => {}), stop: async () => {} };
}

function engineBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch {
    throw new StartFailure(
      `The embedded database is not installed for this platform. Install the package ${name} (npm install --no-save ${name}), ` +
        'or set DYNAMODB_ENDPOINT to a DynamoDB-compatible endpoint.',
    );
  }
}

type Address = { host: string; port: number };

async function launch(
  binary: string,
  { host, port }: Address,
  databasePath: string | undefined,
  temporaryFolder: string | undefined,
): Promise<Engine> {
  const endpoint = `http://${host}:${port}`;
  const storage = databasePath === undefined ? [] : ['--db-path', databasePath];
  // In its own process group, so that Ctrl-C reaches only the service, which needs the engine to stop cleanly.
  const child = spawn(binary, ['--host', host, '--port', String(port), ...storage], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit').then(() => {});
  const lastError = lastLine(child);
  const watch = startWatcher(child, temporaryFolder);
  try {
    await untilReady(endpoint, child);
  } catch {
    child.kill('SIGKILL');
    watch.kill();
    throw new StartFailure(`The embedded database did not start: ${lastError() || 'it does not respond'}`);
  }
  let stopping = false;
  return {
    endpoint,
    lost: new Promise((resolve) => ended.then(() => !stopping && resolve())),
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(stopMilliseconds, undefined, { ref: false })]);
      child.kill('SIGKILL');
      watch.kill();
    },
  };
}

/** Kills the engine, and deletes the folder, when this process ends, even by `kill -9`: the pipe to the watcher closes in every case. */
function startWatcher(engine: ChildProcess, folder: string | undefined): ChildProcess {
  const removal =
    folder === undefined ? '' : `require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })`;
  const script = `process.stdin.resume().on('end', () => { try { process.kill(${engine.pid}, 'SIGKILL') } catch {} ${removal} })`;
  const watch = spawn(process.execPath, ['-e', script, folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watch.unref();
  return watch;
}

function lastLine(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return () => text.trim().split('\n').at(-1) ?? '';
}

async function untilReady(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startMilliseconds;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
    // Another program may have taken the port. Then it responds, and the engine ends.
    if (response?.headers.get('server')?.startsWith('Dynoxide') && child.exitCode === null) return;
    await sleep(10);
  }
  throw new Error('the engine does not respond');
}
