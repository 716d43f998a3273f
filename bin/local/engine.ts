import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from './failure.ts';
import { hiddenAddress } from './ports.ts';

export type Engine = {
  /** Not for clients: see startGuard. */
  endpoint: string;
  /** Resolves when it has ended by itself; never while it is being stopped. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

const attempts = 3;
const startMilliseconds = 5000;
const stopMilliseconds = 1000;

/**
 * The embedded DynamoDB-compatible engine, in memory unless `databasePath` is given.
 * @throws StartFailure where this platform has no engine, or it does not come up.
 */
export async function startEngine(databasePath?: string): Promise<Engine> {
  const binary = engineBinary();
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(binary, await hiddenAddress(), databasePath);
    } catch (error) {
      // Somebody else may have taken the port in between.
      if (attempt === attempts) throw error;
    }
  }
}

/** An engine that runs already: of the given address, and not ours to stop. */
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
      `The embedded database is not installed for this platform: add the package ${name} (npm install --no-save ${name}), ` +
        'or set DYNAMODB_ENDPOINT to a DynamoDB-compatible endpoint.',
    );
  }
}

type Address = { host: string; port: number };

async function launch(binary: string, { host, port }: Address, databasePath: string | undefined): Promise<Engine> {
  const endpoint = `http://${host}:${port}`;
  const place = databasePath === undefined ? [] : ['--db-path', databasePath];
  // A group of its own: Ctrl-C at the terminal is for the service, which still needs the engine to stop cleanly.
  const child = spawn(binary, ['--host', host, '--port', String(port), ...place], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit').then(() => {});
  const complaint = lastLine(child);
  const watch = watchOver(child);
  try {
    await answers(endpoint, child);
  } catch {
    child.kill('SIGKILL');
    watch.kill();
    throw new StartFailure(`The embedded database did not start: ${complaint() || 'no answer from it'}`);
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

/** Ends the engine when this process is gone, however it went: its end of the pipe closes even on `kill -9`. */
function watchOver(engine: ChildProcess): ChildProcess {
  const script = `process.stdin.resume().on('end', () => { try { process.kill(${engine.pid}, 'SIGKILL') } catch {} })`;
  const watch = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
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

async function answers(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startMilliseconds;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
    // Another program may have taken the port: then our child is about to end.
    if (response?.headers.get('server')?.startsWith('Dynoxide') && child.exitCode === null) return;
    await sleep(10);
  }
  throw new Error('the engine does not answer');
}
