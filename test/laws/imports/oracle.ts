import { type Account, mergeAccount } from '../../../lib/domain/accounts/account.ts';
import type { AccountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { serializeAccount } from '../../../lib/store/accounts/accounts.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { accountKey, type Key, linkKey } from '../../../lib/store/table/keys.ts';
import { accountIn } from '../../support/samples/stored-account.ts';
import type { Acceptance } from './history.ts';

/**
 * The possible final items of a team: each item is the result of its chunks in the order of their numbers. A chunk that
 * failed, was discarded, or may have superseded parts may or may not have an effect on an item.
 */
export type Expected = {
  /** The possible texts of each item, with `undefined` if it may be absent. */
  items: { key: Key; name: string; values: Set<string | undefined> }[];
  /** The counts of each completed chunk whose result is certain. */
  counts: Map<Acceptance, Record<Outcome, number>>;
};
type Outcome = 'applied' | 'unchanged' | 'superseded' | 'rejected';

type Step = (data: string | undefined) => string | undefined | 'rejected';
type Touch = { item: string; record: number; step: Step };

const contactIds = new Map<string, string>();
function contactIdOf(teamId: string, uniqueId: string): string {
  const known = contactIds.get(teamId + uniqueId) ?? derivedContactId(teamId, uniqueId);
  contactIds.set(teamId + uniqueId, known);
  return known;
}

export function expectedOf(chunks: readonly Acceptance[]): Expected {
  const keys = new Map<string, Key>();
  const possible = new Map<string, Set<string | undefined>>();
  const counts: Expected['counts'] = new Map();
  for (const chunk of chunks) {
    if (chunk.status === 'cancelled') continue;
    const touches = chunk.records.flatMap((record, index) => touchesOf(chunk.teamId, record, index, keys));
    const isDoubtful = chunk.status !== 'completed' || mayBeSuperseded(chunk);
    const isCertain = !isDoubtful && touches.every(({ item }) => (possible.get(item)?.size ?? 1) === 1);
    const outcomes: Outcome[][] = chunk.records.map(() => []);
    for (const item of new Set(touches.map((touch) => touch.item))) {
      const mine = touches.filter((touch) => touch.item === item);
      const before = possible.get(item) ?? new Set([undefined]);
      const after = [...before].map((data) => fold(data, mine, outcomes));
      possible.set(item, new Set(isDoubtful ? [...before, ...after] : after));
    }
    if (isCertain) counts.set(chunk, countOf(outcomes));
  }
  const items = [...possible].map(([name, values]) => ({ name, key: keys.get(name)!, values }));
  return { items, counts };
}

/** The link of a record can be superseded although the record is counted as rejected, because of its account. */
const mayBeSuperseded = ({ counts, wasFailed }: Acceptance): boolean =>
  counts!.superseded > 0 || (wasFailed && counts!.rejected > 0);

function fold(data: string | undefined, touches: readonly Touch[], outcomes: Outcome[][]): string | undefined {
  let text = data;
  for (const { record, step } of touches) {
    const next = step(text);
    outcomes[record]!.push(next === 'rejected' ? 'rejected' : next === text ? 'unchanged' : 'applied');
    if (next !== 'rejected') text = next;
  }
  return text;
}

function countOf(outcomes: readonly Outcome[][]): Record<Outcome, number> {
  const counts = { applied: 0, unchanged: 0, superseded: 0, rejected: 0 };
  for (const parts of outcomes) {
    counts[parts.includes('rejected') ? 'rejected' : parts.includes('applied') ? 'applied' : 'unchanged'] += 1;
  }
  return counts;
}

function touchesOf(
  teamId: string,
  { account_number, account, link, removal }: AccountRecord,
  record: number,
  keys: Map<string, Key>,
): Touch[] {
  const touches: Touch[] = [];
  const add = (key: Key, step: Step) => {
    const item = `${key.pk}/${key.sk}`;
    keys.set(item, key);
    touches.push({ item, record, step });
  };
  if (removal === 'account') add(accountKey(teamId, account_number), () => undefined);
  else if (removal) add(linkKey(teamId, removal.contact_id, account_number), () => undefined);
  if (account) {
    add(accountKey(teamId, account_number), (data) => {
      const merged = mergeAccount(data === undefined ? undefined : accountIn(data), account);
      return 'rejected' in merged ? 'rejected' : serializeAccount(merged as Account);
    });
  }
  if (link) {
    add(linkKey(teamId, contactIdOf(teamId, link.unique_id), account_number), (data) => {
      const role = link.role === undefined ? (data === undefined ? null : JSON.parse(data).role) : link.role;
      return JSON.stringify({ role });
    });
  }
  return touches;
}
