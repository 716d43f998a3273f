import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TeamApi } from './api.ts';
import { judge, maxWaitMilliseconds } from './checker.ts';
import { ContactClient } from './contact-client.ts';
import { type FaultKind, FaultPlan, type Part } from './faults.ts';
import { readEverything } from './final-reads.ts';
import { History } from './history.ts';
import { ImportClient } from './import-client.ts';
import { startFaultProxy } from './proxy.ts';
import { Random } from './random.ts';
import { type ChaosReport, reportOf } from './report.ts';
import { ServiceUnderTest } from './service.ts';

export type ChaosOptions = {
  seed: number;
  /** How long faults are injected, at least; as long as the kills take. */
  seconds: number;
  kills: number;
  teams: number;
  /** Where the history is written. */
  history: string;
};

/** Clients of one team at once. */
const importers = 3;
const contactClients = 2;
const lookEvery = 250;
/** What is still open so long after the last fault stays open. */
const giveUpMilliseconds = maxWaitMilliseconds + 60_000;

/** Runs the service among faults and kills, reads what came of it, and judges that. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-chaos-'));
  const history = new History(options.history);
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rmSync(directory, { recursive: true, force: true }));
  parts.defer(() => history.close());
  const service = await ServiceUnderTest.prepare(directory, history);
  parts.defer(() => service.stop());
  await service.start();
  const names = Array.from({ length: options.teams }, (_, place) => `team ${place}`);
  const credentials = await Promise.all(names.map((name) => service.newTeam(name)));
  await service.stop();
  const plans = await startProxies(service, history, options.seed, parts);
  await service.start();

  const run = { isOver: false, hasGivenUp: false };
  let writes = 0;
  const number = () => writes++;
  const teams = credentials.map((credential, place) => {
    const api = new TeamApi(service.baseUrl, credential, history);
    return new Team(api, options.seed, place, number, run);
  });
  for (const plan of plans) plan.start();
  const working = Promise.all(teams.map((team) => team.work()));
  await Promise.all([killAgainAndAgain(service, options), outages(plans, options), sleep(options.seconds * 1000)]);
  for (const plan of plans) plan.stop();
  history.add({ kind: 'calm', at: history.now() });
  run.isOver = true;
  const late = setTimeout(() => {
    run.hasGivenUp = true;
  }, giveUpMilliseconds);
  await working;
  clearTimeout(late);
  await Promise.all(teams.map((team) => team.settle()));
  return reportOf(options, history.events, judge(history.events));
}

async function startProxies(
  service: ServiceUnderTest,
  history: History,
  seed: number,
  parts: AsyncDisposableStack,
): Promise<FaultPlan[]> {
  const start = async (part: Part, target: string) => {
    const plan = new FaultPlan(part, new Random(seed, part));
    const onFault = (fault: FaultKind, operation: string) =>
      history.add({ kind: 'fault', at: history.now(), fault, part, operation });
    const proxy = await startFaultProxy({ part, target, plan, onFault });
    parts.defer(proxy.stop);
    return { plan, endpoint: proxy.endpoint };
  };
  const dynamodb = await start('dynamodb', service.dynamodbEndpoint);
  const sqs = await start('sqs', service.sqsEndpoint);
  service.throughProxies(dynamodb.endpoint, sqs.endpoint);
  return [dynamodb.plan, sqs.plan];
}

async function killAgainAndAgain(service: ServiceUnderTest, { seed, seconds, kills }: ChaosOptions): Promise<void> {
  const random = new Random(seed, 'kills');
  const pause = (seconds * 1000) / (kills + 1);
  for (let kill = 0; kill < kills; kill++) {
    // Sometimes soon after the start, sometimes after a good while of work.
    await sleep(random.between(0, Math.max(100, 2 * pause - 2000)));
    if (random.chance(0.6)) await service.killService();
    else await service.killEngine();
    await service.start();
  }
}

/** Now and then, database or queue fails altogether for a while. */
async function outages(plans: readonly FaultPlan[], { seed, seconds }: ChaosOptions): Promise<void> {
  const random = new Random(seed, 'outages');
  const end = Date.now() + seconds * 1000;
  for (;;) {
    await sleep(random.between(3000, 12_000));
    const length = random.between(500, 5000);
    if (Date.now() + length > end) return;
    const plan = random.pick(plans);
    plan.outage = random.pick([
      'error-500-before',
      'reset-before',
      'throttled',
      'hang-reset',
      'reset-after',
      'error-500-after',
    ]);
    await sleep(length);
    plan.outage = undefined;
  }
}

/** `isOver`: nothing new is begun. `hasGivenUp`: what is not answered yet never is. */
type Run = { isOver: boolean; hasGivenUp: boolean };

class Team {
  readonly #api: TeamApi;
  readonly #imports: ImportClient;
  readonly #contacts: ContactClient;
  readonly #random: (worker: string) => Random;
  readonly #run: Run;

  constructor(api: TeamApi, seed: number, place: number, number: () => number, run: Run) {
    const hasGivenUp = () => run.hasGivenUp;
    this.#random = (worker) => new Random(seed, `team ${place}, ${worker}`);
    this.#imports = new ImportClient(api, this.#random('imports'), () => `c${number()}`, hasGivenUp);
    this.#contacts = new ContactClient(api, this.#random('contacts'), () => `w${number()}`, hasGivenUp);
    this.#api = api;
    this.#run = run;
  }

  async work(): Promise<void> {
    const looking = this.#look();
    const importing = Array.from({ length: importers }, (_, place) => this.#import(this.#random(`importer ${place}`)));
    const others = Array.from({ length: contactClients }, (_, place) =>
      this.#contact(this.#random(`contacts ${place}`)),
    );
    await Promise.all([looking, ...importing, ...others]);
  }

  async #import(random: Random): Promise<void> {
    while (!this.#run.isOver) {
      if (!this.#imports.isFull) {
        if (random.chance(0.8)) await this.#imports.sendPair();
        else await this.#imports.sendUpload();
      }
      await sleep(random.between(10, 250));
    }
  }

  async #contact(random: Random): Promise<void> {
    while (!this.#run.isOver) {
      const action = random.weighted({ create: 2, update: 5, upsertBatch: 1, read: 3 });
      await this.#contacts[action]();
      await sleep(random.between(10, 150));
    }
  }

  async #look(): Promise<void> {
    while (!this.#run.isOver) {
      await this.#imports.look();
      await sleep(lookEvery);
    }
  }

  /** Waits until nothing is open, then reads everything. */
  async settle(): Promise<void> {
    const until = this.#api.history.now() + giveUpMilliseconds;
    while (this.#imports.open.size > 0 && this.#api.history.now() < until) {
      await this.#imports.look();
      await sleep(lookEvery);
    }
    for (const batch of this.#imports.batches) await this.#imports.readBatch(batch, true);
    await readEverything(this.#api);
  }
}
