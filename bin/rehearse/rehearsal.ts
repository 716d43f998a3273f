import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../local/ports.ts';
import {
  type Assembly,
  checkOutEarlier,
  emulatedTypes,
  rolesOf,
  root,
  runCdk,
  stackName,
  synthesize,
} from './assembly.ts';
import { demoTeam, runSmallDemo } from './demo.ts';
import { type Deployed, openDeployed, rotate } from './deployed.ts';
import { type Emulator, removalFile, startEmulator, useEmulator } from './emulator.ts';
import { faultsAfter, loseChange, readerBefore } from './event-reader.ts';
import { must, type Run, run } from './processes.ts';
import { loseTable, restoreTable } from './restored-table.ts';
import type { TemplateChange } from './template.ts';
import { kept } from './template-rules.ts';

export type Options = {
  /** The revision to upgrade from. */
  from?: string;
  removeGrants: boolean;
};

export type Rehearsal = {
  changes: TemplateChange[];
  /** The parts of the rehearsal, each with its seconds. */
  stages: { isRight: boolean; seconds: number }[];
};

/** What the stages share. */
type Place = {
  python: string;
  folder: string;
  parts: AsyncDisposableStack;
  options: Options;
  say(text: string): void;
};

const account = 'aws://000000000000/us-east-1';
/** The settings of the stack beside those of the stage. An earlier release is deployed without them. */
const sending = { messages: { senders: { 'bank.example': [] } } };

/**
 * Deploys the stack to the emulator, tests it, enforces the roles and tests again; restores the table; then upgrades an
 * earlier release with data in place. `parts` takes everything down.
 */
export async function rehearse(place: Place): Promise<Rehearsal> {
  const { python, folder } = place;
  const made: Rehearsal = { changes: [], stages: [] };
  const types = await emulatedTypes(python);
  const current = await stage(place, made, 'synthesize the stack', async () => {
    await must('The build', process.execPath, ['infra/bundle.ts'], { cwd: root });
    const assembly = await synthesize(root, join(folder, 'current'), types, sending);
    made.changes = assembly.changes;
    return { result: assembly, notes: [`${assembly.changes.length} resources left out or rewritten`] };
  });
  const home = join(folder, 'first');
  const port = await freePort();
  const open = await start(place, home, port, false);
  await deployFirst(place, made, open, current);
  await tryOut(place, made, open, 'open');
  await stage(place, made, 'start again with roles enforced', async () => {
    await open.stop();
    return {};
  });
  const { removeGrants: removesGrants } = place.options;
  if (removesGrants) writeFileSync(join(home, removalFile), '');
  const enforced = await start(place, home, port, true);
  await stage(place, made, 'rotate the signing key', async () => {
    await rotate(await openDeployed(enforced.endpoint));
    return {};
  });
  if (removesGrants) {
    await stage(place, made, 'requests that lack a permission', () => removeGrants(home, current, enforced));
  }
  await tryOut(place, made, enforced, 'roles enforced', '--all');
  if (!removesGrants)
    await stage(place, made, 'permissions that no request needed', async () => ({
      ...unneeded(home, current),
      isRight: true,
    }));
  await restore(place, made, types, enforced);
  await enforced.stop();
  await upgrade(place, made, types, current);
  return made;
}

async function start(place: Place, folder: string, port: number, enforcesRoles: boolean): Promise<Emulator> {
  mkdirSync(folder, { recursive: true });
  const emulator = await startEmulator(place.python, folder, { port, enforcesRoles });
  place.parts.defer(emulator.stop);
  useEmulator(emulator);
  return emulator;
}

/** What a part of the rehearsal returns. */
type Outcome<T = undefined> = { result?: T; notes?: readonly string[]; isRight?: boolean };

/** Runs a part and notes its time. The notes are printed with it. */
async function stage<T>({ say }: Place, made: Rehearsal, name: string, run: () => Promise<Outcome<T>>): Promise<T> {
  const startedAt = Date.now();
  const { result, notes = [], isRight: right = true } = await run();
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  made.stages.push({ isRight: right, seconds });
  say(`${right ? 'ok    ' : 'FAILED'} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s`);
  for (const note of notes) say(`         ${note}`);
  return result as T;
}

async function deployFirst(place: Place, made: Rehearsal, emulator: Emulator, assembly: Assembly): Promise<void> {
  await stage(place, made, 'bootstrap', async () => {
    await runCdk('The bootstrap', ['bootstrap', account, '--app', assembly.folder]);
    return {};
  });
  await deploy(place, made, assembly, 'deploy');
  await stage(place, made, 'make the first signing key', async () => {
    await rotate(await openDeployed(emulator.endpoint));
    return {};
  });
}

const deploy = (place: Place, made: Rehearsal, { folder }: Assembly, name: string): Promise<undefined> =>
  stage(place, made, name, async () => {
    const args = ['deploy', stackName, '--app', folder, '--require-approval', 'never', '--progress', 'events'];
    const output = await runCdk('The deployment', args);
    const resources = /\|\s*\d+\/(\d+) \|/.exec(output)?.[1];
    return { notes: resources === undefined ? [] : [`${resources} resources`] };
  });

/** The acceptance checks, in the short form unless the arguments say more, and the small demo. */
async function tryOut(
  place: Place,
  made: Rehearsal,
  { endpoint }: Emulator,
  name: string,
  ...args: string[]
): Promise<void> {
  const deployed = await openDeployed(endpoint);
  await accept(place, made, deployed, name, ...args);
  await stage(place, made, `demo, ${name}`, async () => runSmallDemo(await demoTeam(deployed, root)));
}

const accept = (place: Place, made: Rehearsal, deployed: Deployed, name: string, ...args: string[]) =>
  stage(place, made, `acceptance, ${name}`, async () => {
    const { status, output } = await checks(deployed, ...args);
    return { isRight: status === 0, notes: output.trim().split('\n') };
  });

function checks({ baseUrl }: Deployed, ...args: string[]): Promise<Run> {
  const command = ['test/judges/acceptance/run.ts', '--stack', stackName, '--base-url', baseUrl, ...args];
  return run(process.execPath, command, { cwd: root });
}

/** Loses the table, restores it to an earlier time, and gives it to the stack, as docs/deployment.md says. */
async function restore(
  place: Place,
  made: Rehearsal,
  types: ReadonlySet<string>,
  { endpoint }: Emulator,
): Promise<void> {
  const give = async (name: string, settings: object) => {
    const own = { ...sending, ...settings };
    const assembly = await synthesize(root, join(place.folder, name.replaceAll(' ', '-')), types, own);
    await deploy(place, made, assembly, name);
  };
  const before = await openDeployed(endpoint);
  const service = await demoTeam(before, root);
  await stage(place, made, 'demo before the restore', () => runSmallDemo(service));
  const { reader, settings } = await stage(place, made, 'restore the table, then change it and lose it', async () => {
    const reader = await readerBefore(service);
    const settings = await restoreTable(before.tableName);
    await loseChange(reader);
    return { result: { reader, settings } };
  });
  await give('close the service', { closed: true });
  await loseTable(before.tableName);
  await give('use the restored table', { ...settings, closed: true });
  await give('open the service', settings);
  await stage(place, made, 'events after the restore', async () => {
    const notes = await faultsAfter(reader);
    return { notes, isRight: notes.length === 0 };
  });
  await stage(place, made, 'demo with the same data, restored', () => runSmallDemo(service));
  await accept(place, made, await openDeployed(endpoint), 'restored');
}

/** Deploys an earlier release to an empty emulator, loads data, and deploys the present one over it. */
async function upgrade(place: Place, made: Rehearsal, types: ReadonlySet<string>, current: Assembly): Promise<void> {
  const { folder, parts, options } = place;
  const earlier = await checkOutEarlier(join(folder, 'earlier-project'), options.from);
  if ('reason' in earlier) {
    place.say(`No upgrade was tried: ${earlier.reason}.`);
    return;
  }
  parts.defer(earlier.remove);
  const old = await stage(place, made, `synthesize ${earlier.revision}`, async () => ({
    result: await synthesize(earlier.project, join(folder, 'earlier'), types),
  }));
  const emulator = await start(place, join(folder, 'second'), await freePort(), false);
  await deployFirst(place, made, emulator, old);
  const service = await demoTeam(await openDeployed(emulator.endpoint), earlier.project);
  await stage(place, made, `demo, ${earlier.revision}`, () => runSmallDemo(service));
  await deploy(place, made, current, 'upgrade with data in place');
  const upgraded = await openDeployed(emulator.endpoint);
  await stage(place, made, 'demo with the same data, upgraded', () => runSmallDemo(service));
  await accept(place, made, upgraded, 'upgraded');
}

/**
 * All acceptance checks, only for their requests: one that failed half-way and is sent again can be answered otherwise,
 * for example with 200 instead of 201. It fails if a part of a policy is not needed, without a known reason.
 */
async function removeGrants(folder: string, assembly: Assembly, { endpoint }: Emulator): Promise<Outcome> {
  await checks(await openDeployed(endpoint), '--all');
  rmSync(join(folder, removalFile));
  const removed = Object.values(grantsIn(folder).removed).flat().length;
  const { notes = [], ...outcome } = unneeded(folder, assembly);
  return { ...outcome, notes: [`an invocation failed without each of ${removed} parts of policies`, ...notes] };
}

/** What the emulator saw of the policies of roles: by role, parts such as `Write dynamodb:PutItem`. */
type Grants = Record<'unused' | 'removed' | 'unnoticed', Record<string, string[]>>;
const grantsIn = (folder: string): Grants => JSON.parse(readFileSync(join(folder, 'grants.json'), 'utf8'));

/**
 * The parts of policies without which every request would have been allowed, for rare cases or for nothing, and those
 * without which none failed.
 */
function unneeded(folder: string, assembly: Assembly): Outcome {
  const { unused, unnoticed } = grantsIn(folder);
  const idOf = (role: string): string => role.split('-')[1]!;
  const used = Object.keys(unused).map(idOf);
  const idle = rolesOf(assembly).filter((role) => !used.includes(role));
  const named = (grants: Record<string, string[]>) =>
    Object.entries(grants).flatMap(([role, parts]) => parts.map((part) => `${idOf(role).slice(0, -12)} ${part}`));
  const left = [...idle.map((role) => `${role.slice(0, -12)} all`), ...named(unused), ...named(unnoticed)];
  const whyOf = (part: string) => Object.entries(kept).find(([beginning]) => part.startsWith(beginning))?.[1];
  return { isRight: left.every(whyOf), notes: left.map((part) => `${part}: ${whyOf(part) ?? 'no reason is known'}`) };
}
