import type { ImportQueue, Wake } from '../../lib/store/queue.ts';

type Message = { body: Wake; receipt: string; received: number; inFlight: boolean };

/**
 * The FIFO queue of wakes as SQS keeps one: the messages of a group one at a time and in order, and dropped (SQS: to
 * the dead-letter queue) behind a receive limit. Visibility ends when the test says so.
 */
export class ModelQueue implements ImportQueue {
  readonly groups = new Map<string, Message[]>();
  /** Messages that were given up. */
  deadLetters = 0;
  readonly #maxReceiveCount: number;
  #receipts = 0;

  constructor(maxReceiveCount = 100) {
    this.#maxReceiveCount = maxReceiveCount;
  }

  async wake(team_id: string): Promise<void> {
    const group = this.groups.get(team_id) ?? [];
    group.push({ body: { team_id }, receipt: '', received: 0, inFlight: false });
    this.groups.set(team_id, group);
  }

  /** The postponed message is visible again at once: the test's clock decides when it is received. */
  async postpone(receipt: string): Promise<void> {
    this.release(receipt);
  }

  /** The next message of some group that has none in flight. */
  receive(): { body: Wake; receipt: string } | undefined {
    for (const group of this.groups.values()) {
      const [head] = group;
      if (!head || head.inFlight) continue;
      if (head.received >= this.#maxReceiveCount) {
        this.deadLetters += 1;
        group.shift();
        return this.receive();
      }
      head.inFlight = true;
      head.received++;
      head.receipt = `receipt-${this.#receipts++}`;
      return { body: { ...head.body }, receipt: head.receipt };
    }
    return undefined;
  }

  /** Done: gone for good, unless it was received again meanwhile. */
  delete(receipt: string): void {
    for (const [team, group] of this.groups) {
      this.groups.set(
        team,
        group.filter((message) => message.receipt !== receipt),
      );
    }
  }

  /** Its visibility timeout has ended. */
  release(receipt: string): void {
    for (const group of this.groups.values()) {
      for (const message of group) if (message.receipt === receipt) message.inFlight = false;
    }
  }

  /** Ends every visibility timeout. */
  releaseAll(): void {
    for (const group of this.groups.values()) for (const message of group) message.inFlight = false;
  }

  /** The first message of some group is lost, even while somebody works on it. */
  loseHead(): void {
    for (const group of this.groups.values()) if (group.shift()) return;
  }

  /** What a queue in memory does when its process dies. */
  forget(): void {
    this.groups.clear();
  }

  get isEmpty(): boolean {
    return [...this.groups.values()].every((group) => group.length === 0);
  }
}
