import type { Found } from '../../../lib/domain/targeting/operations.ts';
import type { PersonAccount } from '../../../lib/domain/targeting/person.ts';
import { inLine } from '../../output.ts';
import type { Outcome, PersonExplanation, TemplateExplanation } from '../operations/targeting/explain.ts';
import type { ConditionExplanation, SubjectExplanation } from '../operations/targeting/explain-rule.ts';
import { conditionText, type Preview } from '../operations/targeting/preview.ts';
import { listing, number, quantity } from '../text.ts';

/** The results of the verbs of targeting, in the words of people who plan campaigns. */

type Previewed = Preview & { name: string | null; template_id: string; strategy: string; sample: number | null };

export function previewText(preview: Previewed): string {
  const { looked_at, holds, would_start, failed, examples, held_back, sample } = preview;
  const [unit, verb] = preview.strategy === 'NO_JOURNEY' ? ['note', 'noted'] : ['journey', 'started'];
  const whole = sample === null ? 'everybody' : `the newest ${quantity(looked_at.contacts, 'contact')} only`;
  const accounts = holds.accounts > 0 ? ` (${quantity(holds.accounts, 'account')})` : '';
  const lines = {
    'Looked at': `${quantity(looked_at.contacts, 'contact')}, ${quantity(looked_at.accounts, 'account')}`,
    'The rule holds for': `${quantity(holds.contacts, 'contact')}${accounts}`,
    'Have it already': quantity(preview.have_already, 'contact'),
    ...Object.fromEntries(
      Object.entries(held_back).map(([reason, count]) => [heldTexts[reason as keyof typeof heldTexts], number(count)]),
    ),
    'From now on': `${quantity(would_start.from_now_on, unit)} for those who are stored now`,
    'In a month': `${quantity(would_start.if_live_for_30_days, unit)}, if the next 30 days are like the last 30`,
    'With those who are there': `${quantity(would_start.with_those_there, unit)}, which only include-existing starts`,
  };
  return [
    `${preview.name ?? preview.template_id}: the rule judged for ${whole}. Nothing was ${verb}.`,
    '',
    listing(lines),
    ...section('Why the others get nothing', failed.map(failedText)),
    ...section(`${examples.length} of those who would get one`, examples.flatMap(exampleLines)),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const failedText = ({ condition, contacts }: Preview['failed'][number]): string =>
  `  ${number(contacts).padStart(9)}  ${inLine(condition)}`;

const heldTexts = {
  priority: 'Held back by priority',
  too_many_accounts: 'Have more than 500 accounts',
  too_many_journeys: 'Reach 20 journeys of it',
} as const;

function exampleLines({ unique_id, account_number, values }: Preview['examples'][number]): string[] {
  const about = account_number === null ? '' : `, account ${account_number}`;
  return [
    `  ${inLine(unique_id)}${inLine(about)}`,
    ...values.map(({ condition, found }) => `      ${inLine(condition)}: ${inLine(foundText(found))}`),
  ];
}

/** What a condition found. */
function foundText(found: Found | string[]): string {
  if (found === null) return 'not set';
  if (!Array.isArray(found)) return typeof found === 'string' ? found : JSON.stringify(found);
  return found.length === 0 ? 'no account' : `account ${found.join(', ')}`;
}

export function explanationText({ person, templates }: PersonExplanation): string {
  if (templates.length === 0) return 'No campaign of the team has a rule.';
  const outcomes = outcomeTexts({ person, templates });
  return templates
    .map((each, at) => [headOf(each), `  ${inLine(outcomes[at]!)}`, ...ruleLines(each)].join('\n'))
    .join('\n\n');
}

/** What became of each rule for the contact, as a sentence. */
export function outcomeTexts({ person, templates }: PersonExplanation): string[] {
  const nameOf = (id: string) => templates.find(({ template }) => template.id === id)?.template.name ?? id;
  const accountOf = (id: string | null) => person.accounts.find((each) => each.id === id)?.link.account_number;
  return templates.map((each) => outcomeText(each, nameOf, accountOf));
}

const headOf = ({ template, since }: TemplateExplanation): string =>
  `${inLine(template.name ?? template.id)} (${since === null ? 'not live' : `live since ${since.slice(0, 16)}Z`})`;

type Names = (id: string) => string;
type Accounts = (id: string | null) => string | undefined;

function outcomeText(
  { template, revision, outcome, explained }: TemplateExplanation,
  nameOf: Names,
  accountOf: Accounts,
): string {
  switch (outcome.kind) {
    case 'has_journey':
      return outcome.journeys.map((each) => journeyText(each, revision, accountOf)).join(' ');
    case 'noted':
      return 'Noted as targeted. The campaign makes no journeys.';
    case 'not_live':
      return `Gets nothing: targeting does not look at this campaign, because ${outcome.because}.`;
    case 'starts':
      return `The rule holds: the ${template.journey_creation_strategy === 'NO_JOURNEY' ? 'note' : 'journey'} follows within seconds.`;
    case 'stored_before':
      return `Gets nothing: the ${explained.isOfAccounts ? 'account' : 'contact'} was stored before the rule went live in this form. targeting include-existing reaches back.`;
    case 'held_back':
      return `Gets nothing for now: ${heldBackText(outcome, nameOf)}`;
    case 'does_not_hold':
      return explained.isOfAccounts && explained.subjects.length === 0
        ? 'Gets nothing: the rule asks about an account, and the contact has no open one.'
        : 'Gets nothing: the rule does not hold.';
  }
}

function heldBackText({ reason, by }: Extract<Outcome, { kind: 'held_back' }>, nameOf: Names): string {
  switch (reason) {
    case 'priority':
      return `the contact is in the campaign ${JSON.stringify(nameOf(by!))}, which has priority, or begins it.`;
    case 'brake':
      return 'targeting of this campaign has stopped, because it started as many as a day permits. targeting resume lets it go on.';
    case 'too_many_accounts':
      return 'the contact has more than 500 accounts.';
    case 'too_many_journeys':
      return 'the contact has 20 journeys of this campaign, which is the most.';
  }
}

type HadJourney = Extract<Outcome, { kind: 'has_journey' }>['journeys'][number];

function journeyText(journey: HadJourney, revision: string, accountOf: Accounts): string {
  const account = accountOf(journey.account_id);
  const about = account === undefined ? '' : ` about account ${account}`;
  const rule = journey.revision === revision ? 'the rule of the campaign' : 'an earlier form of the rule';
  const by = journey.revision === null ? `with the source ${JSON.stringify(journey.source)}` : `by ${rule}`;
  const state = journey.undone ? 'taken back' : journey.state;
  return `Has a journey${about}, started ${journey.inserted_at.slice(0, 16)}Z ${by}, ${state}.`;
}

/** The groups for each account, as a list of what holds and what does not. */
const ruleLines = ({ explained }: TemplateExplanation): string[] => [
  ...explained.subjects.flatMap((subject) => [`  ${subjectText(subject)}`, ...groupLines(subject)]),
  ...explained.closed.map((account) => `  ${inLine(accountText(account))}: left out, because it is closed`),
];

function subjectText({ account, holds, isSince }: SubjectExplanation): string {
  const name = account ? inLine(accountText(account)) : 'The contact';
  return `${name}: ${holds ? 'the rule holds' : 'the rule does not hold'}${isSince ? '' : ', stored before it went live'}`;
}

const accountText = ({ link, product }: PersonAccount): string =>
  `Account ${link.account_number} (${product?.type ?? 'unknown product'})`;

const groupLines = ({ groups }: SubjectExplanation): string[] =>
  groups.flatMap(({ name, logical_operator, holds, conditions }, index) => [
    `    ${sign(holds)} ${inLine(name ?? `Group ${index + 1}`)}, ${logical_operator === 'OR' ? 'one of' : 'all of'}:`,
    ...conditions.map((each) => `        ${conditionLine(each)}`),
  ]);

const conditionLine = (each: ConditionExplanation): string => {
  const found = 'found' in each ? each.found : each.accounts.map(({ link }) => link.account_number);
  return `${sign(each.holds)} ${inLine(conditionText(each.condition))}: ${inLine(foundText(found))}`;
};

const sign = (holds: boolean): string => (holds ? '✓' : '✗');
