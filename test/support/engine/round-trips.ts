import type { Database } from '../../../lib/store/table/database.ts';

/** Counts sequential round trips: calls that are under way together count as one. */
export function countingRoundTrips(inner: Database): { database: Database; roundTrips: () => number } {
  let underWay = 0;
  let roundTrips = 0;
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    if (underWay++ === 0) roundTrips++;
    return call.finally(() => underWay--);
  };
  const database: Database = {
    get: (keys) => counted(inner.get(keys)),
    query: (input) => counted(inner.query(input)),
    write: (writes) => counted(inner.write(writes)),
    transact: (writes) => counted(inner.transact(writes)),
  };
  return { database, roundTrips: () => roundTrips };
}

/** Calls that are made at one moment get their results at one moment, as if all took equally long: a round. */
export function inRounds(inner: Database): { database: Database; rounds(): number } {
  let rounds = 0;
  let waiting: (() => Promise<() => void>)[] = [];
  const settleRound = async () => {
    const calls = waiting;
    waiting = [];
    rounds++;
    for (const settle of await Promise.all(calls.map((call) => call()))) settle();
  };
  const queued = <T>(call: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const started = () =>
        call().then(
          (value) => () => resolve(value),
          (error) => () => reject(error),
        );
      if (waiting.push(started) === 1) setImmediate(settleRound);
    });
  return {
    database: {
      // A read of no keys sends no request.
      get: (keys) => (keys.length === 0 ? inner.get(keys) : queued(() => inner.get(keys))),
      query: (input) => queued(() => inner.query(input)),
      // Without writes, nothing is sent.
      write: (writes) => (writes.length === 0 ? inner.write(writes) : queued(() => inner.write(writes))),
      transact: (writes) => queued(() => inner.transact(writes)),
    },
    rounds: () => rounds,
  };
}
