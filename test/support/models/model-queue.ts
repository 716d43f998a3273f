import { groupOf, type Lane } from '../../../lib/domain/waiting-work/lane.ts';
import type { WakeOptions, WakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';

type Message = { lane: Lane; receipt: string; received: number; inFlight: boolean };

/**
 * A model of the SQS FIFO queue of wakes. It delivers the messages of a group one at a time and in order, and deletes them
 * after the maximum number of receives, where SQS moves them to the dead-letter queue. The test ends visibility timeouts.
 */
export class ModelQueue implements WakeQueue {
  readonly groups = new Map<string, Message[]>();
  /** Messages that reached the maximum number of receives. */
  deadLetters = 0;
  readonly #maxReceiveCount: number;
  #receipts = 0;

  constructor(maxReceiveCount = 100) {
    this.#maxReceiveCount = maxReceiveCount;
  }

  async wake(lane: Lane, { group: name = groupOf(lane) }: WakeOptions = {}): Promise<void> {
    const group = this.groups.get(name) ?? [];
    group.push({ lane, receipt: '', received: 0, inFlight: false });
    this.groups.set(name, group);
  }

  /** A postponed message is visible at once: the clock of the test decides when it is received. */
  async postpone(receipt: string): Promise<void> {
    this.release(receipt);
  }

  /** The next message of any group that has none in flight. */
  receive(): { lane: Lane; receipt: string } | undefined {
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
      return { lane: head.lane, receipt: head.receipt };
    }
    return undefined;
  }

  /** Deletes the message, unless it was received again in the meantime. */
  delete(receipt: string): void {
    for (const [team, group] of this.groups) {
      this.groups.set(
        team,
        group.filter((message) => message.receipt !== receipt),
      );
    }
  }

  /** Ends the visibility timeout of the message. */
  release(receipt: string): void {
    for (const group of this.groups.values()) {
      for (const message of group) if (message.receipt === receipt) message.inFlight = false;
    }
  }

  /** Loses all messages, like a queue in memory whose process stops. */
  forget(): void {
    this.groups.clear();
  }
}
