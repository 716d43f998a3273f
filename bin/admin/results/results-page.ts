import { raw } from 'hono/html';
import { type Child, type Html, html } from '../../../lib/web/html.ts';
import { number, quantity } from '../text.ts';
import {
  answerLabel,
  type CampaignResults,
  languageLabel,
  questionLabel,
  sharesNote,
  typedLabel,
} from './results-text.ts';
import { type Week, weeksOf } from './weeks.ts';

/** The results as one page that needs no network: its charts are part of it. It says in words what each number counts. */
export function resultsPage(results: CampaignResults, { name, team }: { name: string; team: string }): string {
  const { journeys, pages, questions, messages, by_language, by_day, as_of } = results;
  const { created, opened, completed, by_source } = journeys;
  const sources = Object.entries(by_source).map(([label, count]) => ({ label: sourceWords[label] ?? label, count }));
  return `<!doctype html>\n${html`<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}: results</title><style>${raw(style)}</style></head>
<body><main>
<header><p>${team}</p><h1>${name}</h1><p>Results of ${as_of.slice(0, 10)}, ${as_of.slice(11, 16)} UTC. Each journey counts once, with the latest answers. Shares are of those that were invited, unless it says otherwise.</p></header>
<dl class="totals">${totalsOf(results).map(([label, count, says]) => html`<div><dt>${label}</dt><dd>${number(count)}${label !== 'Invited' && html` <small>${percent(count, created)}</small>`}</dd><dd class="says">${says}</dd></div>`)}</dl>
${section(
  'How far people came',
  bars(
    [
      ...[{ label: 'Invited', count: created }],
      ...[{ label: 'Opened', count: opened }],
      ...pages.flatMap(({ page_id, name: title, viewed, completed: done, declined }) => [
        { label: title ?? `Removed page ${page_id.slice(0, 8)}`, count: viewed, kind: 'viewed' as const },
        { label: 'completed', count: done, kind: 'completed' as const, isPart: true as const },
        ...(declined > 0
          ? [{ label: 'declined', count: declined, kind: 'declined' as const, isPart: true as const }]
          : []),
      ]),
      ...[{ label: 'All completed', count: completed, kind: 'completed' as const }],
    ],
    created,
  ),
  html`Of each step, how many <span class="key opened">viewed</span> and <span class="key completed">completed</span> it, and how many <span class="key declined">declined</span> with their latest answer. A step that an account or an objective completes is also completed for people who never looked at it, so it can have more completed than viewed.`,
)}
${by_day.length > 0 && section('Week by week', weekTable(weeksOf(by_day)), 'What happened in each week (UTC), from its Monday: journeys that started, that were opened for the first time, and that were completed.')}
${sources.length > 0 && section('What started the journeys', bars(sources, created), 'The source of each journey: the rule of the campaign, a list or system of yours, or a person.')}
${by_language.length > 0 && section('Languages', languageTable(by_language), languagesNote(by_language))}
${questions.map((asked) => {
  const typed = typedLabel(asked, 'Answers in own words');
  const rows = asked.answers.map((each) => ({ label: answerLabel(each, typed), count: each.count }));
  const note = sharesNote(asked) ?? `${quantity(asked.answered, 'answer')}, each person with the latest`;
  return section(questionLabel(asked), bars(rows, asked.answered), note);
})}
${messages
  .filter(({ due }) => due > 0)
  .map(({ template_message_id, name: title, due, ...counts }) => {
    const rows = Object.entries(counts).map(([key, count]) => ({ label: messageWords[key] ?? key, count }));
    const heading = `Message: ${title ?? `removed ${template_message_id.slice(0, 8)}`}`;
    const note = 'Shares of those that were due. Who reported it as spam got it, too.';
    return section(heading, bars([{ label: 'Due, also if not sent', count: due }, ...rows], due), note);
  })}
</main></body></html>`}\n`;
}

/** Label, number, and what it counts. */
function totalsOf({ journeys, targeted }: CampaignResults): [label: string, count: number, says: string][] {
  const { created, opened, completed, verified, cancelled, expired } = journeys;
  const totals: [string, number, string][] = [
    ['Invited', created, 'have a journey: their own link to the campaign'],
    ['Opened', opened, 'viewed at least one step'],
    ['Completed', completed, 'completed every step that has to be completed'],
    ['Confirmed', verified, 'you confirmed that it is really done'],
    ['Cancelled', cancelled, 'you ended it before it was completed'],
    ['Expired', expired, 'the time was over before it was completed'],
    ['Noted', targeted, 'the rule found them; the campaign makes no journeys'],
  ];
  return totals.filter(([label, count]) => count > 0 || !['Cancelled', 'Expired', 'Noted'].includes(label));
}

const sourceWords: Record<string, string> = {
  'automatic-targeting': 'The rule of the campaign',
  api: 'A system or list of yours (api)',
  'admin-console': 'An administrator',
  direct: 'The person, by a link',
};

const messageWords: Record<string, string> = {
  sent: 'Sent',
  delivered: 'Delivered to the mailbox',
  bounced: 'Bounced: not delivered',
  complained: 'Reported as spam',
  unsubscribed: 'Unsubscribed by its link',
};

const languagesNote = ([own]: CampaignResults['by_language']): string =>
  `The language that you have stored for a person, if the campaign has it: pages and messages are in it. For the others, pages are in a language of their browser, else in ${languageLabel(own!.language)}, and messages always are in that. Erased people are not counted here.`;

const languageTable = (languages: CampaignResults['by_language']): Html =>
  countsTable(
    'Language',
    languages.map(({ language, ...counts }) => [languageLabel(language), counts]),
  );

const weekTable = (weeks: readonly Week[]): Html =>
  countsTable(
    'Week of',
    weeks.map(({ monday, ...counts }) => [monday, counts]),
  );

type JourneyCounts = { created: number; opened: number; completed: number };

const countsTable = (of: string, rows: readonly [label: string, counts: JourneyCounts][]): Html =>
  html`<table><thead><tr><th scope="col">${of}</th><th scope="col">Started</th><th scope="col">Opened</th><th scope="col">Completed</th></tr></thead><tbody>${rows.map(
    ([label, { created, opened, completed }]) =>
      html`<tr><th scope="row">${label}</th>${[created, opened, completed].map((count) => html`<td>${number(count)}</td>`)}</tr>`,
  )}</tbody></table>`;

const percent = (part: number, whole: number): string => (whole === 0 ? '' : `${Math.round((100 * part) / whole)}%`);

const section = (heading: string, chart: Child, note?: Child): Html =>
  html`<section><h2>${heading}</h2>${note !== undefined && html`<p>${note}</p>`}${chart}</section>`;

type Bar = {
  label: string;
  count: number;
  kind?: 'viewed' | 'completed' | 'declined';
  /** Belongs to the bar before. */
  isPart?: true;
};

/** Horizontal bars with label, number and share. @param whole the number of which the bars are shares */
function bars(rows: readonly Bar[], whole: number): Html {
  const most = rows.reduce((max, { count }) => Math.max(max, count), Math.max(whole, 1));
  const row = ({ label, count, kind = 'viewed', isPart }: Bar): Html =>
    html`<li${isPart && html` class="part"`}><span class="label">${label}</span><span class="number"><b>${number(count)}</b> ${percent(count, whole)}</span><span class="track"><span class="${kind}" style="width:${Math.round((1000 * count) / most) / 10}%"></span></span></li>`;
  return html`<ul class="bars">${rows.map(row)}</ul>`;
}

const style = `
:root { color-scheme: light dark; --page: #fff; --ink: #1f2933; --soft: #5b6875; --line: #d5dbe1; --viewed: #7aa5d8; --done: #1d4f91; --declined: #b4552d; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #14181d; --ink: #e6eaee; --soft: #a5b1bd; --line: #39424c; --viewed: #4f7fb8; --done: #a9cbf3; --declined: #e0885f; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 760px; margin: 0 auto; padding: 32px 20px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; }
h2 { margin: 0 0 8px; font-size: 20px; }
header p, section > p { margin: 4px 0 12px; color: var(--soft); }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(150px, 100%), 1fr)); gap: 12px; margin: 24px 0 32px; }
.totals div { padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
dt { color: var(--soft); }
dd { margin: 0; font-size: 26px; font-weight: 600; }
dd.says { font-size: 14px; font-weight: 400; color: var(--soft); }
small { font-size: 16px; font-weight: 400; color: var(--soft); }
section { margin: 0 0 36px; break-inside: avoid; }
ul { list-style: none; margin: 0; padding: 0; }
.bars li { display: grid; grid-template-columns: 230px 1fr 110px; grid-template-areas: "label track number"; gap: 0 12px; align-items: center; padding: 4px 0; }
.label { grid-area: label; text-align: end; line-height: 1.3; } .part .label { color: var(--soft); }
.number { grid-area: number; } .track { grid-area: track; }
.track span { display: block; height: 18px; min-width: 2px; border-radius: 3px; }
.track .viewed { background: var(--viewed); } .track .completed { background: var(--done); } .track .declined { background: var(--declined); }
.key::before { content: ""; display: inline-block; width: 14px; height: 10px; margin-right: 6px; border-radius: 2px; }
.key.opened::before { background: var(--viewed); } .key.completed::before { background: var(--done); } .key.declined::before { background: var(--declined); }
table { width: 100%; border-collapse: collapse; } th, td { padding: 4px 6px; text-align: end; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child { padding-inline-start: 0; text-align: start; } thead th { color: var(--soft); } th { overflow-wrap: normal; white-space: nowrap; } tbody th { white-space: normal; }
@media (max-width: 560px) { main { padding: 20px 16px; } h1 { font-size: 24px; } .bars li { grid-template: "label number" "track track" / 1fr auto; } .label { text-align: start; } .bars .part { padding-inline-start: 14px; } table { font-size: 14px; } th, td { padding-inline: 2px; } }
@page { margin: 16mm; }
@media print { main { max-width: none; padding: 0; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } h2 { break-after: avoid; } }
`;
