import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { OnboardingClient } from '../client/index.ts';
import { bundle } from '../infra/bundle.ts';
import { addStack, type Flame, flamePicture } from './calls/flame.ts';
import { type Part, partOf } from './calls/parts.ts';
import { environmentOf, type Invocation } from './functions/invocation.ts';
import { rounded } from './measure.ts';

/** The CPU time of one call of a function, by part of the code, from profiles of many calls in one warm instance. */
const calls = { warm: 500, measured: 3000 };

export type CallResult = {
  id: string;
  /** Microseconds of CPU for one call, user and system, of all threads. */
  cpu_us: number;
  /** Its share of the time in which the main thread was busy. */
  shares: Record<string, number>;
};

type Profiled = { profile: Profiler.Profile; cpu_us: number };

export async function benchCalls(local: LocalDescription, token: string): Promise<CallResult[]> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-calls-'));
  try {
    await bundle(directory);
    const results: CallResult[] = [];
    for (const invocation of await invocationsOf(local, token)) {
      const { profile, cpu_us } = await profiled(directory, invocation, local);
      const flame = flameOf(profile, sourceMapOf(join(directory, invocation.id, 'index.mjs')));
      const picture = flamePicture(`${invocation.id}: where the CPU time of a call goes`, flame);
      writeFileSync(new URL(`../docs/images/call-${invocation.id}.svg`, import.meta.url), picture);
      results.push({ id: invocation.id, cpu_us: Math.round(cpu_us), shares: sharesOf(flame) });
    }
    return results;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function invocationsOf(local: LocalDescription, token: string): Promise<Invocation[]> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
  const { id } = await new OnboardingClient({ baseUrl, clientId, clientSecret }).contacts.upsert({
    ...contact,
    unique_id: 'read',
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return [
    { id: 'get-contact', method: 'GET', path: `/v1/contacts/${id}`, pathParameters: { id }, headers, status: 200 },
    {
      ...{ id: 'upsert-contacts', method: 'POST', path: '/v1/contacts', headers, status: 201 },
      body: JSON.stringify({ ...contact, unique_id: '#' }),
    },
  ];
}

const contact = { name_first: 'Jana', name_last: 'Novotna', email: 'jana@example.com', meta_public: { branch: 7 } };

async function profiled(directory: string, invocation: Invocation, local: LocalDescription): Promise<Profiled> {
  const script = fileURLToPath(new URL('calls/profiled.ts', import.meta.url));
  const file = join(directory, invocation.id, 'index.mjs');
  const child = spawn(process.execPath, [script, file, JSON.stringify({ invocation, local, calls })], {
    env: { ...process.env, ...environmentOf(local) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = child.stdout.toArray();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${invocation.id} ended with ${code}`);
  return JSON.parse(Buffer.concat(await output).toString()) as Profiled;
}

const sourceMapOf = (file: string): SourceMap => new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));

/** A tree of the parts that call each other. Frames of the same part that follow each other are one. */
function flameOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, map: SourceMap): Flame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stacks = new Map<number, Part[]>();
  const stackOf = (id: number): Part[] => {
    const known = stacks.get(id);
    if (known) return known;
    const parent = parents.get(id);
    const above = parent === undefined ? [] : stackOf(parent);
    const part = partOf(byId.get(id)!.callFrame, map);
    const stack = part === undefined || part === above.at(-1) ? above : [...above, part];
    stacks.set(id, stack);
    return stack;
  };
  const root: Flame = { name: 'other', time: 0, children: new Map() };
  samples.forEach((id, index) => {
    if (byId.get(id)!.callFrame.functionName !== '(idle)') addStack(root, stackOf(id), timeDeltas[index]!);
  });
  return root;
}

/** The time of each part itself, without what it calls, as a share of all. */
function sharesOf(root: Flame): Record<string, number> {
  const own = new Map<string, number>();
  const visit = ({ name, time, children }: Flame) => {
    const below = [...children.values()];
    own.set(name, (own.get(name) ?? 0) + time - below.reduce((sum, child) => sum + child.time, 0));
    below.forEach(visit);
  };
  visit(root);
  const sorted = [...own].sort(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.map(([name, time]) => [name, rounded(time / root.time)]));
}

export function callsText(results: readonly CallResult[]): string {
  const names = [...new Set(results.flatMap(({ shares }) => Object.keys(shares)))];
  const percent = (share: number | undefined) => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`);
  return [
    `| part | ${results.map(({ id, cpu_us }) => `\`${id}\`, ${cpu_us} µs`).join(' | ')} |`,
    `|---|${results.map(() => '---:|').join('')}`,
    ...names.map((name) => `| ${name} | ${results.map(({ shares }) => percent(shares[name])).join(' | ')} |`),
  ].join('\n');
}
