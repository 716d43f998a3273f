import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { judge } from './checker.ts';
import { faultKinds, type Part } from './faults.ts';
import { readEverything } from './final-reads.ts';
import { ImportClient } from './import-client.ts';
import { type ChaosReport, reportOf } from './report.ts';
import { prepare, type Setting } from './setting.ts';

export type SingleFaultOptions = { seed: number; rounds: number; history: string };

type Cause = { part: Part; fault: (typeof faultKinds)[number] } | { death: 'service' | 'engine' };

const causes: readonly Cause[] = [
  ...faultKinds.map((fault) => ({ part: 'dynamodb' as const, fault })),
  // The queue has no partial success and no transactions.
  ...faultKinds
    .filter((fault) => fault !== 'throttled-parts' && fault !== 'conflict')
    .map((fault) => ({ part: 'sqs' as const, fault })),
  { death: 'service' },
  { death: 'engine' },
];
/** The approximate number of requests for a chunk. The fault affects any of them. */
const requestsOfChunk = { dynamodb: 12, sqs: 1 } as const;
const giveUpMilliseconds = 240_000;
const lookEvery = 100;

/** Injects one fault at a time, and measures how long the team's chunks wait because of it. */
export async function singleFaults(options: SingleFaultOptions): Promise<ChaosReport> {
  await using parts = new AsyncDisposableStack();
  const setting = await prepare({ ...options, teams: 1, content: {} }, parts);
  const { history, teams } = setting;
  const again = `--single --rounds ${options.rounds}`;
  history.add({ kind: 'run', seed: options.seed, options: again });
  const [api] = teams;
  if (!api) throw new Error('there is no team');
  const random = new Random(options.seed, 'single');
  let writes = 0;
  const imports = new ImportClient(
    api,
    new Random(options.seed, 'imports'),
    () => `c${writes++}`,
    () => false,
  );
  for (let round = 0; round < options.rounds; round++) {
    for (const cause of causes) {
      const began = await meet(cause, setting, imports, random);
      const until = history.now() + giveUpMilliseconds;
      while (imports.open.size > 0 && history.now() < until) {
        await imports.look();
        await sleep(lookEvery);
      }
      const milliseconds = Math.round(history.now() - began);
      history.add({ kind: 'stall', at: history.now(), cause: nameOf(cause), milliseconds });
    }
  }
  await setting.quiet();
  for (const batch of imports.batches) await imports.readBatch(batch, true);
  await readEverything(api);
  return reportOf(again, options, history.events, judge(history.events));
}

const nameOf = (cause: Cause) => ('death' in cause ? `death of the ${cause.death}` : `${cause.part}: ${cause.fault}`);

/** Sends chunks until the fault has occurred. @returns the time of the fault */
async function meet(cause: Cause, setting: Setting, imports: ImportClient, random: Random): Promise<number> {
  const { service, history, plans } = setting;
  if ('death' in cause) {
    const began = await imports.sendPair().then(() => history.now());
    if (cause.death === 'service') await service.killService();
    else await service.killEngine();
    await service.start();
    return began;
  }
  const plan = plans[cause.part];
  plan.once(cause.fault, random.between(0, 2 * requestsOfChunk[cause.part]));
  while (plan.isArmed) await imports.sendPair();
  return history.events.findLast((event) => event.kind === 'fault')?.at ?? history.now();
}
