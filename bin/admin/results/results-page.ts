import { raw } from 'hono/html';
import type { Results } from '../../../lib/domain/results/results.ts';
import { type Child, type Html, html } from '../../../lib/web/html.ts';
import { shortened } from '../../content/similar.ts';
import { number } from '../text.ts';
import { answerLabel, questionLabel, sharesNote, typedLabel } from './results-text.ts';

/** The results as one page that needs no network: its charts are part of it. */
export function resultsPage(results: Results, { name, team }: { name: string; team: string }): string {
  const { journeys, targeted, pages, questions, messages, as_of } = results;
  const { created, opened, completed, verified, cancelled, expired, by_source } = journeys;
  const sources = Object.entries(by_source).map(([label, count]) => ({ label, count }));
  const shares = [
    ['Invited', created, ''],
    ['Opened', opened, percent(opened, created)],
    ['Completed', completed, percent(completed, created)],
    ['Confirmed', verified, percent(verified, created)],
    ...(cancelled > 0 ? [['Cancelled', cancelled, percent(cancelled, created)] as const] : []),
    ...(expired > 0 ? [['Expired', expired, percent(expired, created)] as const] : []),
    ...(targeted > 0 ? [['Noted as targeted', targeted, ''] as const] : []),
  ] as const;
  return `<!doctype html>\n${html`<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}: results</title><style>${raw(style)}</style></head>
<body><main>
<header><p>${team}</p><h1>${name}</h1><p>Results of ${as_of.slice(0, 10)}, ${as_of.slice(11, 16)} UTC. Each person counts once, with the latest answer.</p></header>
<dl class="totals">${shares.map(([label, count, share]) => html`<div><dt>${label}</dt><dd>${number(count)}${share !== '' && html` <small>${share}</small>`}</dd></div>`)}</dl>
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
  html`Of each page, how many people <span class="key opened">viewed</span> and <span class="key completed">completed</span> it, and who <span class="key declined">declined</span>.`,
)}
${sources.length > 1 && section('Who started the journeys', bars(sources, created))}
${questions.map((asked) => {
  const typed = typedLabel(asked, 'Answers in own words');
  const rows = asked.answers.map((each) => ({ label: answerLabel(each, typed), count: each.count }));
  const note = sharesNote(asked) ?? `${number(asked.answered)} answers`;
  return section(questionLabel(asked), bars(rows, asked.answered), note);
})}
${messages
  .filter(({ due }) => due > 0)
  .map(({ template_message_id, name: title, due, ...counts }) => {
    const rows = Object.entries(counts).map(([label, count]) => ({ label, count }));
    const heading = `Message: ${title ?? `removed ${template_message_id.slice(0, 8)}`}`;
    return section(heading, bars([{ label: 'due', count: due }, ...rows], due), 'Who reported it as spam got it, too.');
  })}
</main></body></html>`}\n`;
}

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

const width = 720;
const labelWidth = 250;
const numberWidth = 110;
const rowHeight = 30;

/** Horizontal bars with label, number and share. @param whole the number of which the bars are shares */
function bars(rows: readonly Bar[], whole: number): Html {
  const widest = width - labelWidth - numberWidth;
  const most = rows.reduce((max, { count }) => Math.max(max, count), Math.max(whole, 1));
  const row = ({ label, count, kind = 'viewed', isPart }: Bar, index: number): Html => {
    const [length, y] = [Math.round((count / most) * widest), index * rowHeight];
    const middle = y + rowHeight / 2 + 5;
    const end = labelWidth + Math.max(length, 2) + 8;
    return html`<text class="${isPart ? 'soft' : 'label'}" x="${labelWidth - 10}" y="${middle}" text-anchor="end"><title>${label}</title>${shortened(label, 30)}</text><rect class="${kind}" x="${labelWidth}" y="${y + 5}" width="${Math.max(length, 2)}" height="${rowHeight - 10}" rx="3"/><text x="${end}" y="${middle}"><tspan class="count">${number(count)}</tspan> ${percent(count, whole)}</text>`;
  };
  return html`<svg viewBox="0 0 ${width} ${rows.length * rowHeight}" role="img" aria-label="${described(rows)}">${rows.map(row)}</svg>`;
}

const described = (rows: readonly Bar[]): string =>
  rows.map(({ label, count }) => `${label}: ${number(count)}`).join(', ');

const style = `
:root { color-scheme: light; --ink: #1f2933; --soft: #5b6875; --viewed: #7aa5d8; --done: #1d4f91; --declined: #b4552d; }
body { margin: 0; background: #fff; color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 32px 20px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; }
h2 { margin: 0 0 8px; font-size: 20px; }
header p, section > p { margin: 4px 0; color: var(--soft); }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; margin: 24px 0 32px; }
.totals div { padding: 12px 16px; border: 1px solid #d5dbe1; border-radius: 8px; }
dt { color: var(--soft); }
dd { margin: 0; font-size: 26px; font-weight: 600; }
small { font-size: 16px; font-weight: 400; color: var(--soft); }
section { margin: 0 0 36px; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; font: 14px system-ui, sans-serif; fill: var(--ink); }
.count { font-weight: 600; } .soft { fill: var(--soft); }
.viewed { fill: var(--viewed); } .completed { fill: var(--done); } .declined { fill: var(--declined); }
.key::before { content: ""; display: inline-block; width: 14px; height: 10px; margin-right: 6px; border-radius: 2px; }
.key.opened::before { background: var(--viewed); } .key.completed::before { background: var(--done); } .key.declined::before { background: var(--declined); }
@page { margin: 16mm; }
@media print { main { max-width: none; padding: 0; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } h2 { break-after: avoid; } }
`;
