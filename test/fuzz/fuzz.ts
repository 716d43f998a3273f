import fc, { type Arbitrary } from 'fast-check';
import { errorDetailsOf } from './answers.ts';
import type { Trial } from './draft.ts';
import { invalidTrials, validTrials } from './requests.ts';
import { InterfaceDocument, type Operation } from './schema.ts';
import { connectTo, curlOf } from './transport.ts';
import { makeWorld, type Target, type World } from './world.ts';

export type FuzzOptions = { requests: number; seed: number };

export type Failure = { operation: string; seed: number; request: number; faults: string[]; curl: string };
export type Tally = {
  operation: string;
  requests: number;
  valid: number;
  statuses: Record<string, number>;
  failures: number;
};
export type FuzzReport = {
  seed: number;
  requests: number;
  seconds: number;
  operations: Tally[];
  failures: Failure[];
  /** True if the invalid requests changed nothing. */
  untouched: boolean;
};

const atOnce = 8;
/** The number of failures to report; more would not help. */
const maxFailures = 25;
/** Maximum time of the search for a smaller failing request, in milliseconds. */
const shrinkingTime = 2000;

/**
 * Sends requests that the document forbids, checks that they changed nothing, then sends requests that it allows. Every
 * response is checked against the document. Request `n` of a seed is the same in every run, except for the ids in it.
 */
export async function fuzz(target: Target, { requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const started = performance.now();
  const world = await makeWorld(target);
  const document = new InterfaceDocument((await (await fetch(`${target.baseUrl}/openapi.json`)).json()) as never);
  const run = new Run(document, world, seed);
  const before = JSON.stringify(await world.snapshot());
  const half = Math.floor(requests / 2);
  await run.send(0, half, invalidTrials);
  const untouched = JSON.stringify(await world.snapshot()) === before;
  await run.send(half, requests, validTrials);
  run.close();
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  return { seed, requests, seconds, operations: [...run.tallies.values()], failures: run.failures, untouched };
}

class Run {
  readonly tallies = new Map<string, Tally>();
  readonly failures: Failure[] = [];
  readonly #document: InterfaceDocument;
  readonly #world: World;
  readonly #seed: number;
  readonly #transport: ReturnType<typeof connectTo>;

  constructor(document: InterfaceDocument, world: World, seed: number) {
    this.#document = document;
    this.#world = world;
    this.#seed = seed;
    this.#transport = connectTo(world.target.baseUrl);
    for (const { id } of document.operations) {
      this.tallies.set(id, { operation: id, requests: 0, valid: 0, statuses: {}, failures: 0 });
    }
  }

  close(): void {
    this.#transport.close();
  }

  /** Sends the requests from number `first` up to but not including `end`, in parallel, until too many have failed. */
  async send(first: number, end: number, trials: typeof validTrials): Promise<void> {
    const { operations } = this.#document;
    const arbitraries = operations.map((operation) => trials(this.#document, this.#world, operation));
    // Operations with a body get more requests, because more can be wrong.
    const turns = operations.flatMap(({ bodies }, at) =>
      Array<number>(Object.keys(bodies).length > 0 ? 4 : 1).fill(at),
    );
    const numbers = Iterator.from(Array(end - first).keys()).map((at) => at + first);
    const lane = async () => {
      for (const number of numbers) {
        if (this.failures.length >= maxFailures) return;
        const turn = turns[number % turns.length]!;
        await this.#one(operations[turn]!, arbitraries[turn]!, number, trials === validTrials);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  async #one(operation: Operation, trials: Arbitrary<Trial>, number: number, isValid: boolean): Promise<void> {
    const tally = this.tallies.get(operation.id)!;
    let status: number | undefined;
    let failedAt: number | undefined;
    const property = fc.asyncProperty(trials, async (trial) => {
      if (failedAt !== undefined && performance.now() - failedAt > shrinkingTime) return;
      const answer = await this.#transport.send(trial.sent);
      status ??= answer.status;
      const faults = errorDetailsOf(this.#document, trial, answer);
      if (faults.length === 0) return;
      failedAt ??= performance.now();
      throw new Faulty(trial, faults);
    });
    // A separate run for each request, so that a failing one is shrunk and each can be repeated by its number.
    const seed = Math.imul(this.#seed, 0x9e3779b1) + number;
    const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1 });
    tally.requests += 1;
    if (isValid) tally.valid += 1;
    tally.statuses[status ?? 'none'] = (tally.statuses[status ?? 'none'] ?? 0) + 1;
    if (!failed) return;
    tally.failures += 1;
    this.failures.push(this.#failure(operation, number, errorInstance));
  }

  #failure(operation: Operation, request: number, error: unknown): Failure {
    const { target, token } = this.#world;
    const secrets = { TOKEN: token, CLIENT_SECRET: target.clientSecret };
    const seed = this.#seed;
    if (!(error instanceof Faulty))
      return { operation: operation.id, seed, request, faults: [String(error)], curl: '' };
    return {
      operation: operation.id,
      seed,
      request,
      faults: error.faults,
      curl: curlOf(target.baseUrl, error.trial.sent, secrets),
    };
  }
}

class Faulty extends Error {
  readonly trial: Trial;
  readonly faults: string[];

  constructor(trial: Trial, faults: string[]) {
    super(faults.join('; '));
    this.trial = trial;
    this.faults = faults;
  }
}
