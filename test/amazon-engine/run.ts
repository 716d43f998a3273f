import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, loopback } from '../../bin/local/ports.ts';

/**
 * Runs the tests that reach the table on Amazon's own DynamoDB Local, whose parser of statements and expressions is
 * that of the real service. Needs a JDK of version 17 or newer, and Maven for the first run, which downloads the engine
 * from Maven Central into a cache folder. Arguments are passed on to vitest in place of the folders.
 */
const root = new URL('../../', import.meta.url).pathname;
const here = join(root, 'test/amazon-engine');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'onboarding-service');
const engine = join(cache, 'dynamodb-local-3.3.1');
const startMilliseconds = 60_000;

const tested = [
  'test/store/',
  'test/operations/',
  'test/imports/',
  'test/faults/',
  'test/admin/',
  'test/http/journey',
  'test/http/contact',
];

class Failure extends Error {}

function demand(program: string, reason: string): void {
  const { error, status } = spawnSync(program, ['-version'], { stdio: 'ignore' });
  if (error || status !== 0) throw new Failure(`test:amazon-engine needs ${program} in the PATH: ${reason}.`);
}

/** Downloads into a temporary folder first, so that an incomplete download is never used. */
function download(): void {
  if (existsSync(engine)) return;
  demand('mvn', 'Maven downloads DynamoDB Local');
  mkdirSync(cache, { recursive: true });
  const partial = `${engine}.${process.pid}`;
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`, '-DincludeScope=runtime'];
  const { status } = spawnSync('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), ...goal], { stdio: 'inherit' });
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Failure('Maven could not download DynamoDB Local.');
  }
  renameSync(partial, engine);
}

async function start(): Promise<{ child: ChildProcess; endpoint: string }> {
  const port = await freePort();
  const endpoint = `http://${loopback}:${port}`;
  const native = [`-Djava.library.path=${engine}`, `-Dsqlite4java.library.path=${engine}`];
  const memory = ['-Xmx1500m', '-XX:+UseSerialGC'];
  const program = ['-cp', join(engine, '*'), join(here, 'LoopbackRunner.java')];
  const options = ['-inMemory', '-port', String(port), '-disableTelemetry'];
  const child = spawn('java', [...memory, ...native, ...program, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const deadline = Date.now() + startMilliseconds;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const isUp = await fetch(endpoint, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    );
    if (isUp) return { child, endpoint };
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Failure('DynamoDB Local did not start.');
}

async function run(): Promise<number> {
  demand('java', 'DynamoDB Local runs on Java 17 or newer');
  download();
  const { child, endpoint } = await start();
  try {
    const paths = process.argv.length > 2 ? process.argv.slice(2) : tested;
    const tests = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...paths], {
      cwd: root,
      env: { ...process.env, DYNAMODB_ENDPOINT: endpoint },
      stdio: 'inherit',
    });
    // Ctrl-C at the terminal stops the tests; the engine must end after them.
    process.on('SIGINT', () => {});
    const [code] = await once(tests, 'close');
    return (code as number | null) ?? 1;
  } finally {
    child.kill('SIGKILL');
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
