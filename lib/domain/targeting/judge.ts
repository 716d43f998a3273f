import type { AccountPriority } from '../campaigns/targeting-rule.ts';
import type { Template } from '../campaigns/template.ts';
import { folded } from '../contacts/directory.ts';
import { instant } from '../contacts/objective.ts';
import { compareDecimals } from '../values/decimal.ts';
import { byTime } from '../values/timestamp.ts';
import { ruleHolds, type View, viewOf } from './evaluate.ts';
import type { Held, Judgement, JudgingContext, Note, Start } from './judgement.ts';
import type { Person, PersonAccount, PersonJourney } from './person.ts';
import { hasPriority, type Rule } from './rule.ts';

/** Most journeys of one template that a contact has, with a journey for each account. */
export const mostJourneysOfTemplate = 20;

/**
 * What these rules give the person now (contract, section 14): what is stored, and nothing else, decides. The rules must
 * be those of templates for which targeting starts journeys.
 * @throws Error if a rule is defective, which the import prevents
 */
export function judge(rules: readonly Rule[], person: Person, context: JudgingContext): Judgement {
  const judgement: Judgement = { starts: [], notes: [], held: [] };
  const open = openWithPriority(person, context.content.templates);
  for (const rule of inTurn(rules)) {
    const { id: template_id, is_targeting_priority } = rule.template;
    if (person.tooManyAccounts) {
      judgement.held.push({ template_id, reason: 'too_many_accounts' });
      continue;
    }
    const { starts, notes, held } = given(rule, person, context);
    const by = open.find((id) => id !== template_id);
    if (by !== undefined && starts.length + notes.length > 0) {
      judgement.held.push({ template_id, reason: 'priority', by });
      continue;
    }
    for (const start of starts) judgement.starts.push(start);
    for (const note of notes) judgement.notes.push(note);
    for (const each of held) judgement.held.push(each);
    if (starts.length > 0 && is_targeting_priority) open.push(template_id);
  }
  return judgement;
}

/** Templates with priority of which the contact has an open journey, no matter who started it. */
function openWithPriority({ journeys }: Person, templates: readonly Template[]): string[] {
  const open = new Set(journeys.filter(({ state }) => state === 'open').map(({ template_id }) => template_id));
  return open.size === 0 ? [] : templates.filter((each) => open.has(each.id) && hasPriority(each)).map(({ id }) => id);
}

/** Templates with priority first, then by `targeting_order`, then by name. */
const inTurn = (rules: readonly Rule[]): readonly Rule[] =>
  rules.length < 2
    ? rules
    : rules.toSorted(
        ({ template: a }, { template: b }) =>
          Number(b.is_targeting_priority === true) - Number(a.is_targeting_priority === true) ||
          unsetLast(a.targeting_order, b.targeting_order) ||
          unsetLast(a.name, b.name) ||
          unsetLast(a.id, b.id),
      );

function unsetLast<T extends string | number>(a: T | null, b: T | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/** What one rule gives, whatever has priority over it. */
function given(rule: Rule, person: Person, context: JudgingContext): Judgement {
  const { template, revision } = rule;
  const nothing: Judgement = { starts: [], notes: [], held: [] };
  const own = person.journeys.filter(({ template_id }) => template_id === template.id);
  const reopenable = own.filter((each) => each.undone && each.state === 'cancelled' && each.revision !== revision);
  const isForAll = (template.journey_creation_strategy ?? 'ONE_FOR_ALL') === 'ONE_FOR_ALL';
  if (isForAll && own.length > reopenable.length) return nothing;
  const view = viewOf(template, person, context);
  const subjects = subjectsOf(view);
  const subject = (account: PersonAccount | null) => ({ template_id: template.id, account_id: account?.id ?? null });
  const isFresh = (account: PersonAccount | null) => isSince(rule, person, account);
  const holding = (isAsked: (account: PersonAccount | null) => boolean) =>
    subjects.filter((account) => isAsked(account) && ruleHolds(view, account)).sort(byPriority(template));
  if (template.journey_creation_strategy === 'NO_JOURNEY') {
    const isNoted = ({ template_id, account_id }: Note) =>
      person.noted.some((each) => each.template_id === template_id && each.account_id === account_id);
    const notes = holding(isFresh).map((account): Note => ({ ...subject(account), revision }));
    return { ...nothing, notes: notes.filter((note) => !isNoted(note)) };
  }
  if (isForAll) {
    if (own.length > 0)
      return {
        ...nothing,
        starts: reopened(
          reopenable,
          holding(() => true),
          rule,
          view,
        ).slice(0, 1),
      };
    const starts = holding(isFresh).map((account): Start => ({ ...subject(account), revision }));
    return { ...nothing, starts: starts.slice(0, 1) };
  }
  const again =
    reopenable.length === 0
      ? []
      : reopened(
          reopenable,
          holding(() => true),
          rule,
          view,
        );
  // A journey without an account is that of each account.
  const isHad = (account: PersonAccount | null) =>
    own.some(({ account_id }) => account_id === null || account_id === account?.id);
  const fresh = holding((account) => isFresh(account) && !isHad(account));
  const starts = fresh.map((account): Start => ({ ...subject(account), revision }));
  const free = Math.max(mostJourneysOfTemplate - own.length, 0);
  const held: Held[] = starts.length > free ? [{ template_id: template.id, reason: 'too_many_journeys' }] : [];
  return { ...nothing, starts: [...again, ...starts.slice(0, free)], held };
}

/** What the rule is judged for: each account, or once the contact without one. */
export const subjectsOf = ({ isOfAccounts, accounts }: View): readonly (PersonAccount | null)[] =>
  isOfAccounts ? accounts : [null];

/** True if the rule is for this account, or contact: if it was first stored since the rule went live in this form. */
export const isSince = ({ since }: Pick<Rule, 'since'>, { contact }: Person, account: PersonAccount | null): boolean =>
  since === '' || byTime(account?.storedAt ?? contact.inserted_at, since) >= 0;

/**
 * The journeys that `targeting undo` cancelled, for whose account the rule holds now, or for the contact: for them a
 * rule holds from any time (contract, section 14, "Taking back").
 * @param holding in the order of the priority of accounts
 */
function reopened(
  journeys: readonly PersonJourney[],
  holding: readonly (PersonAccount | null)[],
  { revision }: Rule,
  { isOfAccounts }: View,
): Start[] {
  const rank = ({ account_id }: PersonJourney) =>
    account_id === null || !isOfAccounts ? 0 : holding.findIndex((account) => account?.id === account_id);
  return journeys
    .filter((journey) => holding.length > 0 && rank(journey) >= 0)
    .sort((a, b) => rank(a) - rank(b))
    .map(({ id, template_id, account_id }) => ({ template_id, account_id, revision, reopens: id }));
}

type Order = (a: PersonAccount, b: PersonAccount) => number;

/** The time of opening; an empty text if it is unknown. */
const openedAt = ({ account }: PersonAccount): string => instant(String(account.fields.opened_date ?? '')) ?? '';
const balanceOf = ({ account }: PersonAccount): string | null => {
  const { balance } = account.fields;
  return balance == null ? null : String(balance);
};
const isPrimary = ({ link }: PersonAccount): boolean => folded(link.role ?? '') === 'primary';

const unknownLast = (a: string, b: string): number => Number(a === '') - Number(b === '');
const newestFirst: Order = (a, b) => {
  const [one, other] = [openedAt(a), openedAt(b)];
  return unknownLast(one, other) || -byTime(one, other) || -byTime(a.storedAt, b.storedAt);
};

/** Which account comes first. An account of which the deciding value is unknown comes last. */
const orders: Readonly<Record<AccountPriority, Order>> = {
  newest: newestFirst,
  oldest: (a, b) => {
    const [one, other] = [openedAt(a), openedAt(b)];
    return unknownLast(one, other) || byTime(one, other) || byTime(a.storedAt, b.storedAt);
  },
  highest_balance: (a, b) => {
    const [one, other] = [balanceOf(a), balanceOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || newestFirst(a, b);
    return compareDecimals(other, one) || newestFirst(a, b);
  },
  primary: (a, b) => Number(isPrimary(b)) - Number(isPrimary(a)) || newestFirst(a, b),
};

function byPriority({ targeting_account_priority: given }: Pick<Template, 'targeting_account_priority'>) {
  const order =
    (typeof given === 'string' && Object.hasOwn(orders, given) && orders[given as AccountPriority]) || newestFirst;
  return (a: PersonAccount | null, b: PersonAccount | null): number =>
    a === null || b === null ? 0 : order(a, b) || unsetLast(a.link.account_number, b.link.account_number);
}
