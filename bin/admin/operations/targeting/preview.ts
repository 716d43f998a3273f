import type {
  FieldCondition,
  LogicalOperator,
  TargetingCondition,
} from '../../../../lib/domain/campaigns/targeting-rule.ts';
import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { judge } from '../../../../lib/domain/targeting/judge.ts';
import type { Held, JudgingContext } from '../../../../lib/domain/targeting/judgement.ts';
import type { Found } from '../../../../lib/domain/targeting/operations.ts';
import type { Person } from '../../../../lib/domain/targeting/person.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { loadPeople, type PersonService } from '../../../../lib/operations/targeting/load-person.ts';
import { walkDirectory } from '../../../../lib/store/contacts/directory.ts';
import { explain, type RuleExplanation, type SubjectExplanation } from './explain-rule.ts';

/** What a rule would do, and to whom (contract, section 14, "Before and after"). Journeys are notes for `NO_JOURNEY`. */
export type Preview = {
  looked_at: { contacts: number; accounts: number };
  /** Accounts are those for which the rule holds; 0 if it asks about none. */
  holds: { contacts: number; accounts: number };
  /** Contacts for which it holds and that have all that it gives already. */
  have_already: number;
  /** Journeys that it would start. */
  would_start: {
    /** For those for whom it is, in the form in which it is live; 0 if it goes live now. */
    from_now_on: number;
    /** If it had gone live 30 days ago. */
    if_live_for_30_days: number;
    /** With everybody who is there already. */
    with_those_there: number;
  };
  /** Contacts that get less than the rule gives. */
  held_back: Partial<Record<Held['reason'], number>>;
  /** Contacts by the condition at which they failed: of several accounts, the one that came furthest counts. */
  failed: { group: number; condition: string; contacts: number }[];
  examples: Example[];
};

/** One of those who would get a journey, and the values that decided. */
export type Example = {
  unique_id: string;
  contact_id: string;
  account_number: string | null;
  values: { condition: string; found: Found | string[] }[];
};

const mostExamples = 20;
/** Contacts that are read at once. */
const contactsAtOnce = 200;
const thirtyDays = 30 * 86_400_000;

export type PreviewOptions = {
  /** The form in which the rule is live now; `undefined` if it goes live with this form. */
  live: { since: string } | undefined;
  /** The revision of the rule. */
  revision: string;
  /** How many contacts are looked at, the newest first. Without it, all. */
  sample?: number | undefined;
  onProgress(contacts: number): void;
};

/** Judges everybody by the rule of the template, and starts nothing. */
export async function previewRule(
  service: PersonService,
  teamId: string,
  { template, context }: { template: Template; context: JudgingContext },
  { live, revision, sample, onProgress }: PreviewOptions,
): Promise<Preview> {
  const tally = new Tally(template, context, live?.since, revision);
  let ids: string[] = [];
  const look = async () => {
    for (const loaded of await loadPeople(service, teamId, ids, context.content, { eventually: true })) {
      if (loaded) tally.add(loaded.person);
    }
    ids = [];
    onProgress(tally.preview.looked_at.contacts);
  };
  const direction = sample === undefined ? 'asc' : 'desc';
  let asked = 0;
  for await (const { id } of walkDirectory(service.database, {
    ...{ teamId, search: '', direction },
    expected: sample ?? contactsAtOnce,
  })) {
    if (sample !== undefined && ++asked > sample) break;
    if (ids.push(id) === contactsAtOnce) await look();
  }
  await look();
  return tally.result();
}

class Tally {
  readonly preview: Preview = {
    looked_at: { contacts: 0, accounts: 0 },
    holds: { contacts: 0, accounts: 0 },
    have_already: 0,
    would_start: { from_now_on: 0, if_live_for_30_days: 0, with_those_there: 0 },
    held_back: {},
    failed: [],
    examples: [],
  };
  readonly #template: Template;
  readonly #context: JudgingContext;
  readonly #since: string | undefined;
  readonly #revision: string;
  /** By place of the condition. */
  readonly #failed = new Map<number, Preview['failed'][number]>();

  constructor(template: Template, context: JudgingContext, since: string | undefined, revision: string) {
    this.#template = template;
    this.#context = context;
    this.#since = since;
    this.#revision = revision;
  }

  add(person: Person): void {
    const { looked_at, holds, would_start, held_back, examples } = this.preview;
    looked_at.contacts++;
    looked_at.accounts += person.accounts.length;
    const explained = explain({ template: this.#template, since: '' }, person, this.#context);
    const holding = explained.subjects.filter((subject) => subject.holds);
    const { gets, held, subjects } = this.#judged(person, '');
    for (const { reason } of held) held_back[reason] = (held_back[reason] ?? 0) + 1;
    if (holding.length === 0) {
      this.#fail(person, explained);
      return;
    }
    holds.contacts++;
    if (explained.isOfAccounts) holds.accounts += holding.length;
    if (gets === 0 && held.length === 0) this.preview.have_already++;
    would_start.with_those_there += gets;
    if (this.#since !== undefined) would_start.from_now_on += this.#judged(person, this.#since).gets;
    const lately = timestamp(this.#context.now - thirtyDays);
    would_start.if_live_for_30_days += this.#judged(person, lately).gets;
    const example = holding.find(({ account }) => subjects.has(account?.id ?? null));
    if (example && examples.length < mostExamples) examples.push(exampleOf(person, example));
  }

  result(): Preview {
    const failed = [...this.#failed].sort(([a], [b]) => a - b).map(([, each]) => each);
    return { ...this.preview, failed };
  }

  /** What the person would get, if the rule had gone live at this time. */
  #judged(person: Person, since: string) {
    const rule = { template: this.#template, revision: this.#revision, since };
    const { starts, notes, held } = judge([rule], person, this.#context);
    const given = [...starts, ...notes];
    return { gets: given.length, held, subjects: new Set(given.map(({ account_id }) => account_id)) };
  }

  #fail({ tooManyAccounts }: Person, { subjects }: RuleExplanation): void {
    // Who has too many accounts is counted as held back.
    if (tooManyAccounts) return;
    const places = subjects.map((subject) => failedAt(subject, this.#template.targeting_group_logical_operator));
    const [furthest] = places.sort((a, b) => b.place - a.place);
    const { place, group, condition } = furthest ?? { place: -1, group: 0, condition: 'has an open account' };
    const counted = this.#failed.get(place) ?? { group, condition, contacts: 0 };
    this.#failed.set(place, { ...counted, contacts: counted.contacts + 1 });
  }
}

/** The condition at which the rule fails: the first that does not hold, or the last one where one would be enough. */
function failedAt({ groups }: SubjectExplanation, operator: 'AND' | 'OR' | null) {
  const failing = (isOr: boolean, parts: readonly { holds: boolean }[]) =>
    isOr ? parts.length - 1 : parts.findIndex(({ holds }) => !holds);
  const at = failing(operator === 'OR', groups);
  const { conditions, logical_operator } = groups[at]!;
  const index = failing(logical_operator === 'OR', conditions);
  const before = groups.slice(0, at).reduce((count, group) => count + group.conditions.length, 0);
  return { place: before + index, group: at, condition: conditionText(conditions[index]!.condition) };
}

function exampleOf({ contact }: Person, { account, groups }: SubjectExplanation): Example {
  const deciding = groups.flatMap(({ conditions }) => conditions.filter(({ holds }) => holds));
  return {
    ...{ unique_id: contact.unique_id, contact_id: contact.id },
    account_number: account?.link.account_number ?? null,
    values: deciding.map((each) => ({
      condition: conditionText(each.condition),
      found: 'found' in each ? each.found : each.accounts.map(({ link }) => link.account_number),
    })),
  };
}

/** A rule in one line. `undefined` if the campaign has none. */
export function ruleText({
  targeting_groups: groups,
  targeting_group_logical_operator: operator,
}: Pick<Template, 'targeting_groups' | 'targeting_group_logical_operator'>): string | undefined {
  const joined = (texts: readonly string[], by: LogicalOperator | null) => texts.join(by === 'OR' ? ' or ' : ' and ');
  const parts = (groups ?? []).map(({ conditions, logical_operator }) => {
    const text = joined(conditions.map(conditionText), logical_operator);
    return groups!.length > 1 && conditions.length > 1 ? `(${text})` : text;
  });
  return parts.length === 0 ? undefined : joined(parts, operator);
}

/** A condition in one line. */
export function conditionText(condition: TargetingCondition): string {
  if ('field' in condition) return questionText(condition);
  const [name, conditions] = Object.entries(condition)[0]! as [string, FieldCondition[]];
  return `${name} (${conditions.map(questionText).join(', ')})`;
}

const questionText = ({ field, operator, value }: FieldCondition): string =>
  [field, operator, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');
