import { randomUUID } from 'node:crypto';
import { NotChecked, Violation } from './expect.ts';
import { send } from './http.ts';
import type { World } from './world.ts';

export type Check = {
  /** The sentence of the specification or the contract, with its place. */
  sentence: string;
  run(world: World): Promise<unknown>;
  /** Whether the short form has it, which checks that a deployed stack works. */
  isShort: boolean;
};
export type Result = {
  sentence: string;
  result: 'passed' | 'failed' | 'not checked';
  reason?: string;
  milliseconds: number;
};

export const checks: Check[] = [];

/** Adds a check of this sentence. It throws if the service does something else. */
export function check(sentence: string, run: Check['run']): void {
  checks.push({ sentence, run, isShort: false });
}

/** Adds a check that the short form has too. */
export function shortCheck(sentence: string, run: Check['run']): void {
  checks.push({ sentence, run, isShort: true });
}

/** What several checks of one world share is made once. */
export function once<T>(make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  const made = new WeakMap<World, Promise<T>>();
  return (world) => {
    if (!made.has(world)) made.set(world, make(world));
    return made.get(world)!;
  };
}

const sendsMessages = once(async ({ target }) => {
  const { status } = await send(target.baseUrl, `POST /v1/contacts/${randomUUID()}/opt-outs`, {});
  return status !== 404;
});

/** @throws NotChecked unless the service has the endpoints that a stack has with the setting `messages` */
export async function needsMessages(world: World): Promise<void> {
  if (!(await sendsMessages(world))) throw new NotChecked('this stack does not send messages');
}

/** Checks that run at the same time. */
const atOnce = 8;

/** Runs the checks, several at a time. Each has data of its own. */
export async function runChecks(world: World, chosen: readonly Check[]): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = chosen.entries();
  const work = async () => {
    for (const [at, each] of waiting) results[at] = await runCheck(world, each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function runCheck(world: World, { sentence, run }: Check): Promise<Result> {
  const startedAt = performance.now();
  const ended = (result: Result['result'], reason?: string): Result => ({
    ...{ sentence, result, milliseconds: Math.round(performance.now() - startedAt) },
    ...(reason === undefined ? {} : { reason }),
  });
  try {
    await run(world);
    return ended('passed');
  } catch (error) {
    if (error instanceof NotChecked) return ended('not checked', error.message);
    const isViolation = error instanceof Violation;
    return ended('failed', isViolation ? error.message : String(error instanceof Error ? error.stack : error));
  }
}
