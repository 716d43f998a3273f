import { importQueue } from '../../../lib/background.ts';
import type { Random } from '../../support/random.ts';

type Message = { teamId: string; receipt: string; received: number; visibleAt: number };
export type Received = { teamId: string; receipt: string; received: number };

export const visibilityTimeout = importQueue.visibilityTimeout * 1000;

/**
 * The FIFO queue of wakes on a simulated clock. It delivers the messages of a team one at a time and in order, and again
 * when the visibility timeout ends.
 */
export class TimedQueue {
  readonly #groups = new Map<string, Message[]>();
  /** Messages that were sent but have not arrived. */
  #late: { teamId: string; at: number }[] = [];
  #receipts = 0;

  send(teamId: string): void {
    const group = this.#groups.get(teamId) ?? [];
    this.#groups.set(teamId, [...group, { teamId, receipt: '', received: 0, visibleAt: 0 }]);
  }

  /** The time at which the message arrives in the queue. */
  sendLate(teamId: string, at: number): void {
    this.#late.push({ teamId, at });
  }

  receive(now: number, random: Random): Received | undefined {
    for (const { teamId } of this.#late.filter(({ at }) => at <= now)) this.send(teamId);
    this.#late = this.#late.filter(({ at }) => at > now);
    const heads = [...this.#groups.values()].flatMap(([head]) => (head && head.visibleAt <= now ? [head] : []));
    if (heads.length === 0) return undefined;
    const head = random.pick(heads);
    if (head.received >= importQueue.maxReceiveCount) {
      this.#groups.get(head.teamId)!.shift();
      return undefined;
    }
    head.received += 1;
    head.receipt = `receipt-${this.#receipts++}`;
    head.visibleAt = now + visibilityTimeout;
    return { teamId: head.teamId, receipt: head.receipt, received: head.received };
  }

  /** Deletes the message, unless it was received again in the meantime. */
  delete(receipt: string): void {
    for (const [team, group] of this.#groups) {
      if (group.some((message) => message.receipt === receipt)) {
        this.#groups.set(
          team,
          group.filter((message) => message.receipt !== receipt),
        );
      }
    }
  }

  postpone(receipt: string, at: number): void {
    for (const message of [...this.#groups.values()].flat()) if (message.receipt === receipt) message.visibleAt = at;
  }

  /** Loses the first message of a team, even while a worker has it. @returns the team */
  lose(random: Random): string | undefined {
    return this.#some(random)?.shift()?.teamId;
  }

  /** Duplicates the first message of a team. */
  double(random: Random): void {
    const group = this.#some(random);
    if (group) this.send(group[0]!.teamId);
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
