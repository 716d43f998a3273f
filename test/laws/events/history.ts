import type { BatchStatus } from '../../../lib/domain/imports/batch-responses.ts';
import { batchStatusOf } from '../../../lib/domain/imports/batch-status.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import type { Item, Write } from '../../../lib/store/table/database.ts';
import type { Key } from '../../../lib/store/table/keys.ts';

/** A fact that must be told: its type, and whose it is. In the order in which the facts of one owner happened. */
export type Fact = { type: string; owner: string; detail: string };
export type Ending = {
  batch: string;
  /** The type of the event, its time and its records. */
  text: string;
  /** The number of the end, and the place of the transaction among all. */
  ended: number;
  at: number;
  /** True if it is an end only without an acceptance that was not visible yet, nor answered: either may be first. */
  isOpen?: boolean;
};

const contactKey = /^T#[^#]+#C#([^#]+)$/;
const accountKey = /^T#[^#]+#A#([^#]+)$/;
const claimKey = /^T#[^#]+#B#(.+)$/;
const actionTypes: Record<string, string> = {
  viewed: 'journey.page_viewed',
  completed: 'journey.page_completed',
  finished: 'journey.completed',
};

/** What happened, as the table shows it: written without the rules of the service. */
export class History {
  readonly facts: Fact[] = [];
  readonly endings: Ending[] = [];
  /** By batch: the numbers that were read before each acceptance, with the place of its transaction; and redrives. */
  readonly acceptances: { batch: string; after: number; at: number }[] = [];
  readonly redrives: { batch: string; at: number }[] = [];
  readonly #batches = new Map<string, { chunks: Map<string, Chunk>; count: number | undefined }>();
  #transactions = 0;

  /** By account: the contacts that are linked to it. It is told when both are stored. */
  readonly #linked = new Map<string, Set<string>>();
  readonly #accounts = new Set<string>();

  /** An item of a contact, or an account, became visible. */
  shown({ pk, sk }: Key, before: Item | undefined, after: Item | undefined): void {
    const [, account] = accountKey.exec(pk) ?? [];
    if (account !== undefined && sk === 'ACCOUNT' && after && !this.#accounts.has(account)) {
      this.#accounts.add(account);
      for (const owner of this.#linked.get(account) ?? [])
        this.facts.push({ type: 'account.opened', owner, detail: '' });
    }
    const [, contact] = contactKey.exec(pk) ?? [];
    if (contact === undefined || !after) return;
    const add = (type: string, detail = '') => this.facts.push({ type, owner: contact, detail });
    if (sk === 'CONTACT') {
      if (!before) add('contact.created');
      else if (before.data !== after.data) add('contact.updated', String(after.version));
    } else if (sk.startsWith('ACCOUNT#') && !before) {
      const number = sk.slice('ACCOUNT#'.length);
      this.#linked.set(number, (this.#linked.get(number) ?? new Set()).add(contact));
      if (this.#accounts.has(number)) add('account.opened');
    } else if (sk.startsWith('JOURNEY#') && !before) {
      const [, , kind, page] = sk.split('#');
      if (kind === undefined) add('journey.created');
      else if (actionTypes[kind] !== undefined) add(actionTypes[kind], kind === 'finished' ? '' : page);
    }
  }

  /** A transaction was committed, perhaps before its items are visible. @param isVisible whether there is an item yet */
  committed(writes: readonly Write[], isVisible: (key: Key) => boolean): void {
    const at = ++this.#transactions;
    const ended: { batch: string; pk: string; number: number; closedAt: string }[] = [];
    for (const write of writes) {
      if (write.kind !== 'insert' && write.kind !== 'update') continue;
      const { pk, sk } = write.kind === 'insert' ? write.item : write.key;
      const [, batch] = claimKey.exec(pk) ?? [];
      if (batch === undefined) continue;
      const set = write.kind === 'insert' ? write.item : write.set;
      const known = this.#batches.get(batch) ?? { chunks: new Map(), count: undefined };
      this.#batches.set(batch, known);
      if (sk === 'BATCH') {
        if (typeof set.chunk_count === 'number') known.count = set.chunk_count;
        continue;
      }
      const before = known.chunks.get(sk)?.status;
      const chunk = { ...known.chunks.get(sk), ...set, claim: sk } as unknown as Chunk;
      known.chunks.set(sk, chunk);
      if ('order' in set) {
        // A pair that is accepted again replaces the claim of the cancelled chunk.
        const after = before === undefined ? chunk.accepted_after : -1;
        this.acceptances.push({ batch, after, at });
      } else if (chunk.status === 'open') this.redrives.push({ batch, at });
      else if (before === 'open') ended.push({ batch, pk, number: chunk.ended!, closedAt: chunk.closed_at! });
    }
    for (const { batch, pk, number, closedAt } of ended.slice(-1)) {
      const own = new Set(writes.map((write) => (write.kind === 'insert' ? write.item.sk : write.key.sk)));
      const isSeen = ({ claim }: Chunk) => own.has(claim) || isVisible({ pk, sk: claim });
      const status = this.statusOf(batch);
      const isOpen = status.status === 'processing';
      const told = isOpen ? this.statusOf(batch, isSeen) : status;
      if (told.status === 'processing') continue;
      const text = `batch.${told.status} ${closedAt} ${JSON.stringify(told.records)}`;
      this.endings.push({ batch, text, ended: number, at, isOpen });
    }
  }

  statusOf(batch: string, isSeen: (chunk: Chunk) => boolean = () => true): BatchStatus {
    const { chunks, count } = this.#batches.get(batch)!;
    return batchStatusOf(batch, [...chunks.values()].filter(isSeen), { expected: count })!;
  }

  get batches(): string[] {
    return [...this.#batches].filter(([, { chunks }]) => chunks.size > 0).map(([batch]) => batch);
  }

  /** Requests or redrives at the same moment make the batch end with the later chunk only. */
  isContended({ batch, ended, at, isOpen }: Ending): boolean {
    const isLater = (other: { batch: string; at: number }) => other.batch === batch && other.at > at;
    return (
      isOpen === true ||
      this.acceptances.some((each) => isLater(each) && each.after < ended) ||
      this.redrives.some(isLater)
    );
  }
}
