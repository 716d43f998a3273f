import { inLine, shellWord } from '../../output.ts';
import { besideUsual, percent, type TeamMorning } from '../operations/morning/findings.ts';
import type { Forecast } from '../operations/morning/forecast.ts';
import { number, quantity } from '../text.ts';

export const byName = (a: TeamMorning, b: TeamMorning): number => (nameOf(a) < nameOf(b) ? -1 : 1);
export const nameOf = ({ name, team_id }: Pick<TeamMorning, 'name' | 'team_id'>): string => name ?? team_id;

/** With the commands as they are typed. */
export const shownTeam = ({ findings, ...team }: TeamMorning, stack: string | undefined) => ({
  ...team,
  findings: findings.map(({ next, ...finding }) => ({ ...finding, next: commandOf(next, stack) })),
});
export type ShownTeam = ReturnType<typeof shownTeam>;

const commandOf = (words: readonly string[], stack: string | undefined): string =>
  ['npm run admin --', ...words.map(shellWord), ...(stack === undefined ? [] : ['--stack', shellWord(stack)])].join(
    ' ',
  );

export function textOf(teams: readonly ShownTeam[]): string {
  if (teams.length === 0) return 'There are no teams.';
  return teams.map((team) => [...factLines(team), ...team.findings.map(findingText)].join('\n')).join('\n');
}

const findingText = ({ message, next }: ShownTeam['findings'][number]): string => `  - ${inLine(message)}\n    ${next}`;

/** Facts that stand in the line of a team. More have a line each. */
const mostInLine = 3;

function factLines(team: ShownTeam): string[] {
  const [name, facts] = [`${nameOf(team)}: ${verdictOf(team)}`, factTexts(team)];
  return facts.length > mostInLine
    ? [inLine(name), ...facts.map((fact) => `    ${inLine(fact)}`)]
    : [inLine([name, ...facts].join('. '))];
}

export function verdictOf({ findings, expected }: ShownTeam): string {
  if (findings.length > 0) return `${findings.length} ${findings.length === 1 ? 'needs' : 'need'} attention`;
  return expected.length > 0 ? 'everything arrived' : 'nothing needs attention';
}

/** What happened, and what is to come, in sentences without their full stops. */
export function factTexts({ files, expected, started, forecast }: ShownTeam): string[] {
  const arrived = files.filter(({ state }) => state !== 'repeated').map((file) => fileText(file, expected));
  const total = started.reduce((sum, each) => sum + each.started, 0);
  const rules = started.map(({ name, started: count, day }) => `${number(count)} by ${JSON.stringify(name)} (${day})`);
  return [
    ...arrived,
    ...(started.length > 0 ? [`${quantity(total, 'journey')} started: ${rules.join(', ')}`] : []),
    ...(forecast && forecast.messages > 0 ? [forecastText(forecast)] : []),
  ];
}

function fileText(file: ShownTeam['files'][number], expected: ShownTeam['expected']): string {
  const { key, type, received_at, state, rows, rejected, change, notices } = file;
  const due = expected.filter((each) => each.type === type).map(({ by, time_zone }) => `${by} (${time_zone})`);
  const facts = [
    quantity(rows, 'row'),
    ...(rejected > 0 ? [`${percent(rejected)} rejected`] : []),
    ...(change === null ? [] : [besideUsual(change)]),
    ...(notices.length > 0 ? [quantity(notices.length, 'notice')] : []),
    ...(state === 'done' ? [] : [state]),
  ];
  const by = due.length > 0 ? `, due by ${due.join(', ')}` : '';
  return `${key.split('/').slice(1).join('/')} at ${received_at.slice(11, 16)} UTC${by}: ${facts.join(', ')}`;
}

function forecastText({ messages, is_estimate, is_part, campaigns, done_at }: Forecast): string {
  const about = is_part ? 'more than ' : is_estimate ? 'about ' : '';
  const shares = campaigns.map((each) => `${number(each.messages)} of ${JSON.stringify(each.name)}`);
  const done = done_at === null ? '' : `, done by ${done_at.slice(0, 16)}Z`;
  return `${about}${quantity(messages, 'message')} today${done}: ${shares.join(', ')}`;
}
