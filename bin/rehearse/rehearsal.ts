import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeResults } from '../conformance/results.ts';
import { checkedRows } from '../conformance/rows.ts';
import { type ConformanceReport, isRight as conforms, runConformance } from '../conformance/run.ts';
import { functionIds } from '../smoke/grants.ts';
import { isRight, type SmokeReport } from '../smoke/report.ts';
import { runSmoke } from '../smoke/run.ts';
import { type Assembly, checkOutEarlier, emulatedTypes, root, runCdk, stackName, synthesize } from './assembly.ts';
import { type DemoResult, demoTeam, runSmallDemo } from './demo.ts';
import { type Deployed, openBasics, openDeployed, rotate } from './deployed.ts';
import { type Emulator, freePort, startEmulator, useEmulator } from './emulator.ts';
import { nothing, type Removal, removeParts } from './removals.ts';
import { restoreDrill } from './restore.ts';
import type { TemplateChange } from './template.ts';

export type Options = {
  /** The revision to upgrade from. */
  from?: string;
  /** Tries every part of every policy. */
  removeGrants: boolean;
  /** Writes the results of the conformance checks to `docs/`. */
  writeConformance: boolean;
};

/** A part of the rehearsal, with its time. */
export type Stage = { name: string; isRight: boolean; seconds: number; notes: string[] };

export type Rehearsal = {
  changes: TemplateChange[];
  stages: Stage[];
  smoke: Record<string, SmokeReport>;
  demo: Record<string, DemoResult>;
  /** With roles enforced. */
  conformance?: ConformanceReport;
  removals: Removal[];
  /** Why no upgrade was tried, or the revision that was upgraded. */
  upgrade: { from: string } | { reason: string };
};

/** What the stages share. */
type Place = {
  python: string;
  folder: string;
  parts: AsyncDisposableStack;
  options: Options;
  say(text: string): void;
};

/** Seconds that a step waits for a background function, and that it waits if a permission was removed. */
const patience = 30;
const patienceWithout = 6;

const account = 'aws://000000000000/us-east-1';

/**
 * Deploys the stack to the emulator, tests it, enforces the roles and tests again; then upgrades an earlier release with
 * data in place. `parts` takes everything down.
 */
export async function rehearse(place: Place): Promise<Rehearsal> {
  const { python, folder, options } = place;
  const made: Rehearsal = { changes: [], stages: [], smoke: {}, demo: {}, removals: [], upgrade: { reason: '' } };
  const types = await emulatedTypes(python);
  const current = await stage(place, made, 'synthesize the stack', async () => {
    const assembly = await synthesize(root, join(folder, 'current'), types);
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
    return { result: undefined, notes: [] };
  });
  const enforced = await start(place, home, port, true);
  await tryOut(place, made, enforced, 'roles enforced');
  await conformance(place, made, enforced);
  await stage(place, made, 'restore drill', restoreDrill);
  if (options.removeGrants) await removeAll(place, made, enforced);
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

/** Runs a part and notes its time. The notes are printed with it. */
async function stage<T>(
  { say }: Place,
  made: Rehearsal,
  name: string,
  run: () => Promise<{ result: T; notes: string[]; isRight?: boolean }>,
): Promise<T> {
  const startedAt = Date.now();
  const { result, notes, isRight: right = true } = await run();
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  made.stages.push({ name, isRight: right, seconds, notes });
  say(`${right ? 'ok    ' : 'FAILED'} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s`);
  for (const note of notes) say(`         ${note}`);
  return result;
}

const done = (...notes: string[]) => ({ result: undefined, notes });

async function deployFirst(place: Place, made: Rehearsal, emulator: Emulator, assembly: Assembly): Promise<void> {
  await stage(place, made, 'bootstrap', async () => {
    await runCdk('The bootstrap', ['bootstrap', account, '--app', assembly.folder]);
    return done();
  });
  await deploy(place, made, assembly, 'deploy');
  await stage(place, made, 'make the first signing key', async () => {
    await rotate(await openBasics(emulator.endpoint));
    return done();
  });
}

const deploy = (place: Place, made: Rehearsal, { folder }: Assembly, name: string): Promise<undefined> =>
  stage(place, made, name, async () => {
    const args = ['deploy', stackName, '--app', folder, '--require-approval', 'never', '--progress', 'events'];
    const output = await runCdk('The deployment', args);
    const resources = /\|\s*\d+\/(\d+) \|/.exec(output)?.[1];
    return done(...(resources === undefined ? [] : [`${resources} resources`]));
  });

/** The smoke test and the small demo. */
async function tryOut(place: Place, made: Rehearsal, { endpoint }: Emulator, name: string): Promise<void> {
  const deployed = await openDeployed(endpoint, patience);
  await smoke(place, made, deployed, name);
  await stage(place, made, `demo, ${name}`, async () => demoStage(made, name, await demoTeam(deployed, root)));
}

const smoke = (place: Place, made: Rehearsal, deployed: Deployed, name: string): Promise<undefined> =>
  stage(place, made, `smoke test, ${name}`, async () => {
    const report = await runSmoke(deployed);
    made.smoke[name] = report;
    const failed = report.steps.filter(({ result }) => result === 'failed');
    return {
      result: undefined,
      isRight: isRight(report),
      notes: [
        `${report.passed} steps passed, ${report.failed} failed, ${report.skipped} skipped`,
        ...failed.map((step) => `${step.function}: ${step.name}: ${step.reason}`),
        ...(report.clean_up?.failures ?? []),
      ],
    };
  });

const conformance = (place: Place, made: Rehearsal, { endpoint }: Emulator): Promise<undefined> =>
  stage(place, made, 'conformance, roles enforced', async () => {
    const report = await runConformance(await openDeployed(endpoint, patience), checkedRows);
    made.conformance = report;
    if (place.options.writeConformance) writeResults('emulator', report);
    const failed = report.rows.filter(({ result }) => result === 'failed');
    return {
      result: undefined,
      isRight: conforms(report),
      notes: [
        `${report.passed} checks passed, ${report.failed} failed`,
        ...failed.map(({ row, reason }) => `${row}: ${reason}`),
        ...report.clean_up.flatMap(({ failures }) => failures),
      ],
    };
  });

async function demoStage(made: Rehearsal, name: string, service: Awaited<ReturnType<typeof demoTeam>>) {
  const result = await runSmallDemo(service);
  made.demo[name] = result;
  const { contacts, records, unchanged, differences } = result;
  const counts = `${contacts} contacts and ${records} account records, ${differences.length} differences`;
  const repeated = `${unchanged.contacts} contacts and ${unchanged.records} records were there already, unchanged`;
  return {
    result: undefined,
    isRight: result.isRight,
    notes: [counts, ...(unchanged.contacts > 0 ? [repeated] : []), ...differences],
  };
}

async function removeAll(place: Place, made: Rehearsal, { endpoint }: Emulator): Promise<void> {
  await stage(place, made, 'remove each permission', async () => {
    const deployed = await openDeployed(endpoint, patienceWithout);
    // A rotated key is used by all other functions, so its function is last.
    const last = 'rotate-signing-key';
    const ids = [...functionIds.filter((id) => id !== last), last] as const;
    for (const id of ids) {
      await removeParts(deployed, id, (removal) => {
        made.removals.push(removal);
        const { removed, found_by } = removal;
        if ((removed === nothing) === (found_by === undefined)) return;
        place.say(`         ${id}: ${removed === nothing ? `failed: ${found_by}` : `not found: ${removed}`}`);
      });
    }
    const removals = made.removals.filter(({ removed }) => removed !== nothing);
    const found = removals.filter(({ found_by }) => found_by !== undefined).length;
    const named = removals.filter((each) => each.named).length;
    const logged = removals.filter(({ log }) => log?.includes('AccessDenied')).length;
    return done(
      `${found} of ${removals.length} removals were found by the smoke test`,
      `${named} times it named the permission, ${logged} times the log of the function named the refusal`,
    );
  });
}

/** Deploys an earlier release to an empty emulator, loads data, and deploys the present one over it. */
async function upgrade(place: Place, made: Rehearsal, types: ReadonlySet<string>, current: Assembly): Promise<void> {
  const { folder, parts, options } = place;
  const earlier = await checkOutEarlier(join(folder, 'earlier-project'), options.from);
  if ('reason' in earlier) {
    made.upgrade = earlier;
    place.say(`No upgrade was tried: ${earlier.reason}.`);
    return;
  }
  parts.defer(earlier.remove);
  made.upgrade = { from: earlier.revision };
  const old = await stage(place, made, `synthesize ${earlier.revision}`, async () => ({
    result: await synthesize(earlier.project, join(folder, 'earlier'), types),
    notes: [],
  }));
  const emulator = await start(place, join(folder, 'second'), await freePort(), false);
  await deployFirst(place, made, emulator, old);
  const service = await demoTeam(await openBasics(emulator.endpoint), earlier.project);
  await stage(place, made, `demo, ${earlier.revision}`, () => demoStage(made, earlier.revision, service));
  await deploy(place, made, current, 'upgrade with data in place');
  const upgraded = await openDeployed(emulator.endpoint, patience);
  await stage(place, made, 'demo with the same data, upgraded', () => demoStage(made, 'upgraded', service));
  await smoke(place, made, upgraded, 'upgraded');
}
