import type { HandOver, ImportQueue } from '../../lib/store/queue.ts';

type Message = { body: HandOver; receipt: string; received: number; inFlight: boolean };

/**
 * A FIFO queue as SQS keeps one: the messages of a group one at a time and in order, de-duplication for five minutes,
 * and a dead-letter queue behind a receive limit. Visibility ends when the test says so.
 */
export class ModelQueue implements ImportQueue {
  readonly groups = new Map<string, Message[]>();
  readonly deadLetters: HandOver[] = [];
  readonly #seen = new Map<string, number>();
  readonly #now: () => number;
  readonly #maxReceiveCount: number;
  #receipts = 0;

  constructor(now: () => number, maxReceiveCount = 100) {
    this.#now = now;
    this.#maxReceiveCount = maxReceiveCount;
  }

  async send(message: HandOver, deduplicationId: string): Promise<void> {
    const seen = this.#seen.get(deduplicationId);
    if (seen !== undefined && this.#now() - seen < 300_000) return;
    this.#seen.set(deduplicationId, this.#now());
    const group = this.groups.get(message.team_id) ?? [];
    group.push({ body: structuredClone(message), receipt: '', received: 0, inFlight: false });
    this.groups.set(message.team_id, group);
  }

  /** The postponed message is visible again at once: the test's clock decides when it is received. */
  async postpone(receipt: string): Promise<void> {
    this.release(receipt);
  }

  /** The next message of some group that has none in flight. */
  receive(): { body: HandOver; receipt: string } | undefined {
    for (const group of this.groups.values()) {
      const [head] = group;
      if (!head || head.inFlight) continue;
      if (head.received >= this.#maxReceiveCount) {
        this.deadLetters.push(head.body);
        group.shift();
        return this.receive();
      }
      head.inFlight = true;
      head.received++;
      head.receipt = `receipt-${this.#receipts++}`;
      return { body: structuredClone(head.body), receipt: head.receipt };
    }
    return undefined;
  }

  /** The first message of some group goes to the dead-letter queue, even while somebody works on it. */
  loseHead(): void {
    for (const group of this.groups.values()) {
      const head = group.shift();
      if (head) return void this.deadLetters.push(head.body);
    }
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

  /** What a queue in memory does when its process dies. */
  forget(): void {
    this.groups.clear();
    this.#seen.clear();
  }

  get isEmpty(): boolean {
    return [...this.groups.values()].every((group) => group.length === 0);
  }
}
