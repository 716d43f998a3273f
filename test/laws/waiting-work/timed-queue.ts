import { importQueue } from '../../../lib/background.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { groupOf, type Lane } from '../../../lib/domain/waiting-work/lane.ts';
import type { WakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';
import type { Random } from '../random.ts';

export type Received = { lane: Lane; group: string; receipt: string; received: number };
type Message = Received & { visibleAt: number };

export const visibilityTimeout = importQueue.visibilityTimeout * 1000;

/**
 * The FIFO queue of wakes on a simulated clock. It delivers the messages of a group one at a time and in order, and again
 * when the visibility timeout ends.
 */
export class TimedQueue {
  readonly #groups = new Map<string, Message[]>();
  /** Messages that were sent but have not arrived. */
  #late: { lane: Lane; group: string; at: number }[] = [];
  #receipts = 0;

  send(lane: Lane, name = groupOf(lane)): void {
    const group = this.#groups.get(name) ?? [];
    this.#groups.set(name, [...group, { lane, group: name, receipt: '', received: 0, visibleAt: 0 }]);
  }

  /** The time at which the message arrives in the queue. */
  sendLate(lane: Lane, group = groupOf(lane), at: number): void {
    this.#late.push({ lane, group, at });
  }

  receive(now: number, random: Random): Received | undefined {
    for (const { lane, group } of this.#late.filter(({ at }) => at <= now)) this.send(lane, group);
    this.#late = this.#late.filter(({ at }) => at > now);
    const heads = [...this.#groups.values()].flatMap(([head]) => (head && head.visibleAt <= now ? [head] : []));
    if (heads.length === 0) return undefined;
    const head = random.pick(heads);
    if (head.received >= importQueue.maxReceiveCount) {
      this.#groups.get(head.group)!.shift();
      return undefined;
    }
    head.received += 1;
    head.receipt = `receipt-${this.#receipts++}`;
    head.visibleAt = now + visibilityTimeout;
    return { ...head };
  }

  /** Deletes the message, unless it was received again in the meantime. */
  delete(receipt: string): void {
    for (const [name, group] of this.#groups) {
      if (group.some((message) => message.receipt === receipt)) {
        this.#groups.set(
          name,
          group.filter((message) => message.receipt !== receipt),
        );
      }
    }
  }

  postpone(receipt: string, at: number): void {
    for (const message of [...this.#groups.values()].flat()) if (message.receipt === receipt) message.visibleAt = at;
  }

  /** Loses the first message of a group, even while a worker has it. @returns its lane */
  lose(random: Random): Lane | undefined {
    return this.#some(random)?.shift()?.lane;
  }

  /** Duplicates the first message of a group. */
  double(random: Random): void {
    const [head] = this.#some(random) ?? [];
    if (head) this.send(head.lane, head.group);
  }

  #some(random: Random): Message[] | undefined {
    const groups = [...this.#groups.values()].filter((group) => group.length > 0);
    return groups.length > 0 ? random.pick(groups) : undefined;
  }

  forget(): void {
    this.#groups.clear();
    this.#late = [];
  }

  /** The time at which the next message can be received. */
  nextAt(): number {
    const times = [...this.#groups.values()].flatMap(([head]) => (head ? [head.visibleAt] : []));
    return Math.min(Number.POSITIVE_INFINITY, ...times, ...this.#late.map(({ at }) => at));
  }
}

/** What a queue of a simulation needs of its world, for one process. */
export type Sending = {
  queue: TimedQueue;
  random: Random;
  clock(): number;
  happens(fault: QueueFault | 'call refused'): boolean;
  log(text: () => string): void;
  /** Waits for the turn of the process, so many milliseconds at least. */
  turn<T>(run: () => T, milliseconds?: number): Promise<T>;
};

/** Faults of the queue, by call. */
export const queueFaults = {
  'wake refused': 0.1,
  'wake response lost': 0.06,
  'wake hangs and comes late': 0.06,
  'wake hangs and is lost': 0.06,
  'receive response lost': 0.03,
  'delete response lost': 0.05,
} as const;
type QueueFault = keyof typeof queueFaults;

/** The queue for one process: a send may be refused, be lost, arrive late or lose its response. */
export const wakeQueueOf = ({ queue, random, clock, happens, log, turn }: Sending): WakeQueue => ({
  wake: async (lane, { group } = {}) => {
    const hangs = await turn(() => {
      log(() => `wakes ${group ?? groupOf(lane)}`);
      if (happens('wake refused')) throw new Problem('unavailable');
      if (happens('wake hangs and is lost')) return true;
      if (happens('wake hangs and comes late')) {
        queue.sendLate(lane, group, clock() + 1000 + random.below(100_000));
        return true;
      }
      queue.send(lane, group);
      if (happens('wake response lost')) throw new Problem('unavailable');
      return false;
    });
    if (!hangs) return;
    await turn(() => undefined, 1000);
    throw new Problem('unavailable');
  },
  postpone: async (receipt, seconds) => {
    await turn(() => {
      if (happens('call refused')) throw new Error('refused');
      queue.postpone(receipt, clock() + seconds * 1000);
    });
  },
});
