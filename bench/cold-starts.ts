import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { OnboardingClient } from '../client/index.ts';
import { bundle } from '../infra/bundle.ts';
import { RuntimeApi } from './cold-starts/runtime-api.ts';
import { environmentOf, type Invocation } from './functions/invocation.ts';
import { median, rounded } from './measure.ts';
import { startSampleJourney } from './sample-journey.ts';

/**
 * Cold starts under the runtime client of Lambda: from the start of the process to its first request for work, and from
 * there to the first response. Not measured is what Lambda itself does before it starts the process.
 */
const rounds = 9;
/** The runtime client of Node.js on Lambda, compiled here. It is not a dependency: compiling it takes minutes. */
const runtimeClient = { name: 'aws-lambda-ric', version: '4.0.2' };
const folder = fileURLToPath(new URL('../node_modules/.cache/runtime-client', import.meta.url));

type Phase = { cpu: number; wall: number };
export type ColdStart = {
  id: string;
  /** Milliseconds: CPU time of the process, and the time that it takes. */
  start: Phase;
  first_request: Phase;
  /** CPU time of both beside that of an empty handler. */
  to_empty: number;
};

export async function benchColdStarts(local: LocalDescription, token: string): Promise<ColdStart[]> {
  await installRuntimeClient();
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-cold-starts-'));
  try {
    await bundle(directory);
    mkdirSync(join(directory, 'empty'));
    writeFileSync(join(directory, 'empty/index.mjs'), 'export const handler = async () => ({ statusCode: 204 });\n');
    return await measureColdStarts(directory, await invocationsOf(local, token), local);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts every function once in each round. @param directory of the bundles */
export async function measureColdStarts(
  directory: string,
  invocations: readonly Invocation[],
  local: LocalDescription,
): Promise<ColdStart[]> {
  const measured = new Map<string, { start: Phase; first: Phase }[]>(invocations.map(({ id }) => [id, []]));
  for (let round = 0; round < rounds; round++) {
    for (const each of invocations) measured.get(each.id)!.push(await startOnce(directory, each, local));
  }
  const total = ({ start, first }: { start: Phase; first: Phase }) => start.cpu + first.cpu;
  const empty = measured.get('empty')!;
  return [...measured].map(([id, runs]) => {
    const middle = (of: (run: (typeof runs)[number]) => number) => rounded(median(runs.map(of)));
    return {
      id,
      start: { cpu: middle(({ start }) => start.cpu), wall: middle(({ start }) => start.wall) },
      first_request: { cpu: middle(({ first }) => first.cpu), wall: middle(({ first }) => first.wall) },
      to_empty: rounded(median(runs.map((run, round) => total(run) / total(empty[round]!)))),
    };
  });
}

async function invocationsOf(local: LocalDescription, token: string): Promise<Invocation[]> {
  const { url } = await startSampleJourney(local, 'cold-start');
  const slug = new URL(url).pathname.split('/').at(-1)!;
  const authorization = `Bearer ${token}`;
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
  const contact = { unique_id: 'cold-start', name_first: 'Jana' };
  const { id } = await new OnboardingClient({ baseUrl, clientId, clientSecret }).contacts.upsert(contact);
  return [
    { id: 'empty', method: 'GET', path: '/', status: 204 },
    { id: 'get-jwks', method: 'GET', path: '/.well-known/jwks.json', status: 200 },
    {
      ...{ id: 'get-contact', method: 'GET', path: `/v1/contacts/${id}`, status: 200 },
      pathParameters: { id },
      headers: { authorization },
    },
    {
      ...{ id: 'upsert-contacts', method: 'POST', path: '/v1/contacts', status: 200 },
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(contact),
    },
    { id: 'show-journey', method: 'GET', path: `/j/${slug}`, pathParameters: { slug }, status: 200 },
  ];
}

async function startOnce(directory: string, invocation: Invocation, local: LocalDescription) {
  const api = await RuntimeApi.start(invocation, local.base_url);
  const started = performance.now();
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const script = join(folder, 'node_modules', runtimeClient.name, 'index.mjs');
  const child = spawn(process.execPath, [script], {
    cwd: join(directory, invocation.id),
    env: {
      ...inherited,
      ...environmentOf(local),
      ...api.environment,
      LAMBDA_TASK_ROOT: join(directory, invocation.id),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const asked = await api.asked;
    const cpuAtFirst = cpuOf(child.pid!);
    api.deliver();
    const { at, status } = await api.answered;
    if (status !== invocation.status) throw new Error(`${invocation.id} answered ${status}`);
    return {
      start: { cpu: cpuAtFirst, wall: asked - started },
      first: { cpu: cpuOf(child.pid!) - cpuAtFirst, wall: at - asked },
    };
  } finally {
    child.kill('SIGKILL');
    await api.close();
  }
}

/** Milliseconds that the threads of the process had a processor, on Linux. Threads that have ended do not count. */
function cpuOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const times = readdirSync(folder).map((thread) => {
    try {
      return Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return 0;
    }
  });
  return times.reduce((sum, time) => sum + time, 0);
}

async function installRuntimeClient(): Promise<void> {
  if (existsSync(join(folder, 'node_modules', runtimeClient.name))) return;
  const { name, version } = runtimeClient;
  console.error(`Compiling ${name} (needs cmake and a C++ compiler, takes minutes) …`);
  mkdirSync(folder, { recursive: true });
  const allowed = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(allowed));
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
}

const cell = ({ cpu, wall }: Phase): string => `${cpu} | ${wall}`;

export const coldStartsText = (results: readonly ColdStart[]): string =>
  [
    '| function | start: CPU, ms | ms | first request: CPU, ms | ms | CPU to empty |',
    '|---|---:|---:|---:|---:|---:|',
    ...results.map(
      (each) => `| \`${each.id}\` | ${cell(each.start)} | ${cell(each.first_request)} | ${each.to_empty} |`,
    ),
  ].join('\n');
