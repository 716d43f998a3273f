import type { World } from './world.ts';

/** One attempt. It throws an error that says what happened if the attack succeeds. */
export type Attack = { group: string; name: string; run(): Promise<void> };

export const attack = (group: string, name: string, run: () => Promise<void>): Attack => ({ group, name, run });

export type Area = (world: World) => Promise<Attack[]>;

export type Outcome = { area: string; group: string; attacks: number; failures: { name: string; message: string }[] };

/** Runs the attacks of an area, a few at a time. Afterwards the victim's team must be unchanged. */
export async function make(area: string, world: World, attacks: readonly Attack[]): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const before = await world.snapshot(world.theirs);
  const queue = [...attacks];
  const worker = async () => {
    for (let attack = queue.shift(); attack; attack = queue.shift()) {
      const { group, name, run } = attack;
      const outcome = outcomes.get(group) ?? { area, group, attacks: 0, failures: [] };
      outcomes.set(group, outcome);
      outcome.attacks++;
      await run().catch((error: Error) => outcome.failures.push({ name, message: error.message }));
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  const after = await world.snapshot(world.theirs);
  const failures = before === after ? [] : [{ name: area, message: 'what the other team has was changed' }];
  return [...outcomes.values(), { area, group: 'the other team is as before', attacks: 1, failures }];
}

/** @throws Error with the received response if the condition is false */
export function must(condition: boolean, message: string, received?: unknown): asserts condition {
  if (condition) return;
  const shown = received === undefined ? '' : `: ${JSON.stringify(received).slice(0, 400)}`;
  throw new Error(message + shown);
}
