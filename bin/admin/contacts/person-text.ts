import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { inLine, shellWord } from '../../output.ts';
import { listing, textsOf } from '../text.ts';
import { leavingTexts } from './leaving.ts';
import type { LinkedAccount, ShownPerson } from './shown-person.ts';

/** A person in the words of somebody who has them on the phone. */
export function personText(person: ShownPerson, teamId: string): string {
  const { accounts, journeys, answers, messages, targeting, targeted, erasure, ...contact } = person;
  const aboutOf = aboutIn(teamId, accounts);
  const others = {
    accounts: accounts.map(accountText).join(', ') || null,
    targeted: targeted.map((each) => `${each.name} (${[...aboutOf(each), each.at].join(', ')})`).join(', ') || null,
    erasure: erasure && `pending since ${erasure.since}: the person is about to be erased`,
  };
  return [
    listing(textsOf({ ...contact, ...others, ...leavingTexts(person) })),
    ...section(
      'Journeys',
      journeys.map((each) => journeyText(each, aboutOf(each))),
    ),
    ...section('Answers', answers.map(answerText)),
    ...section('Messages', messages.map(messageText)),
    ...section(
      'Targeting',
      targeting.map(({ name, template_id, text }) => `${name ?? template_id}: ${text}`),
    ),
    ...(targeting.length === 0
      ? []
      : [`  npm run admin -- targeting explain --team ${teamId} --unique-id ${shellWord(contact.unique_id)}`]),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${inLine(line)}`)];

/** `2027-01-31 12:00Z`. */
const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;

function accountText({ account_number, role, product }: LinkedAccount): string {
  const details = [role, product ?? 'not imported yet'].filter((each) => each !== null);
  return `${account_number} (${details.join(', ')})`;
}

/** Says the account that a journey or a note is about, if there is one. */
function aboutIn(teamId: string, accounts: readonly LinkedAccount[]) {
  const numbers = new Map(accounts.map(({ account_number: number }) => [derivedAccountId(teamId, number), number]));
  return ({ account_id: id }: { account_id: string | null }): string[] =>
    id === null ? [] : [`account ${numbers.get(id) ?? id}`];
}

function journeyText(journey: ShownPerson['journeys'][number], about: readonly string[]): string {
  const { name, state, source, rule, pages, next_page, last_seen } = journey;
  // A later call can change the source.
  const startedBy = rule === null ? `source ${source}` : 'by the rule of the campaign';
  const progress = [
    pages && `${pages.completed} of ${pages.of} pages completed`,
    state === 'completed' && pages && pages.completed < pages.of && 'because the pages have changed since',
    state === 'open' && next_page !== null && `next is ${JSON.stringify(next_page)}`,
    last_seen === null ? 'never opened' : `last seen ${minute(last_seen)}`,
  ];
  return `${name} (${[state, ...about, startedBy].join(', ')}): ${progress.filter(Boolean).join(', ')}`;
}

function answerText({ at, page, page_id, answer, typed_name, values }: ShownPerson['answers'][number]): string {
  const said = [
    answer,
    typed_name && `signed ${JSON.stringify(typed_name)}`,
    ...values.map(({ question, value }) => `${question} ${value}`),
  ];
  return `${minute(at)}  ${page ?? page_id}: ${said.filter(Boolean).join('; ')}`;
}

function messageText({
  due_at,
  sent_at,
  name,
  channel,
  state,
  reason,
  obstacle,
}: ShownPerson['messages'][number]): string {
  const because = obstacle === null ? reason : `as things are, it is not sent: ${obstacle}`;
  const why = because === null ? '' : `: ${because.replaceAll('_', ' ')}`;
  return `${minute(sent_at ?? due_at)}  ${name ?? channel} (${state.replaceAll('_', ' ')}${why})`;
}
