import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort, loopback } from '../../../bin/local/ports.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { EngineFailure, runOnEngine, type StartedEngine, untilItResponds } from './on-engine.ts';

/**
 * Runs the tests that reach the table on Amazon's own DynamoDB Local, whose parser of statements and expressions is
 * that of the real service. Needs a JDK of version 17 or newer, and Maven for the first run, which downloads the engine
 * from Maven Central into a cache folder. Arguments are passed on to vitest in place of the folders.
 */
const here = join(projectRoot, 'test/judges/amazon-engine');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'onboarding-service');
const engine = join(cache, 'dynamodb-local-3.3.1');
const startMilliseconds = 60_000;

const rooms = [
  ...['access', 'accounts', 'campaigns', 'contacts', 'drop-box', 'erasure', 'events', 'imports', 'journeys'],
  ...['messages', 'results', 'suppression', 'table', 'targeting', 'teams'],
];
const tested = [
  ...rooms.flatMap((room) => [`test/unit/${room}/`, `test/service/${room}/`]),
  ...['test/laws/imports/', 'test/laws/faults/', 'test/judges/acceptance/'],
];

function demand(program: string, reason: string): void {
  const { error, status } = spawnSync(program, ['-version'], { stdio: 'ignore' });
  if (error || status !== 0)
    throw new EngineFailure(`test/judges/amazon-engine needs ${program} in the PATH: ${reason}.`);
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
    throw new EngineFailure('Maven could not download DynamoDB Local.');
  }
  renameSync(partial, engine);
}

async function start(): Promise<StartedEngine> {
  demand('java', 'DynamoDB Local runs on Java 17 or newer');
  download();
  const port = await freePort();
  const endpoint = `http://${loopback}:${port}`;
  const native = [`-Djava.library.path=${engine}`, `-Dsqlite4java.library.path=${engine}`];
  const memory = ['-Xmx1500m', '-XX:+UseSerialGC'];
  const program = ['-cp', join(engine, '*'), join(here, 'LoopbackRunner.java')];
  const options = ['-inMemory', '-port', String(port), '-disableTelemetry'];
  const child = spawn('java', [...memory, ...native, ...program, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilItResponds(child, endpoint, startMilliseconds);
  return { endpoint, stop: async () => void child.kill('SIGKILL') };
}

await runOnEngine(start, tested);
