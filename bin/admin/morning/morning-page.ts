import { raw } from 'hono/html';
import { html } from '../../../lib/web/html.ts';
import { factTexts, nameOf, type ShownTeam, verdictOf } from './morning-text.ts';

/** What `morning` says, as one page that needs no network. */
export function morningPage(teams: readonly ShownTeam[], { since, until }: { since: string; until: string }): string {
  const open = teams.filter(({ needs_attention }) => needs_attention).length;
  const verdict = open === 0 ? 'Everything is in order' : `${open} of ${teams.length} teams need attention`;
  return `<!doctype html>\n${html`<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${verdict}</title><style>${raw(style)}</style></head>
<body><main>
<header><h1>${verdict}</h1><p>From ${minute(since)} to ${minute(until)}</p></header>
${teams.map(
  (team) => html`<section><h2>${nameOf(team)}</h2>
<p class="${team.needs_attention ? 'attention' : 'fine'}">${verdictOf(team)}</p>
${team.findings.length > 0 && html`<ul>${team.findings.map(({ message, next }) => html`<li>${message}<br><code>${next}</code></li>`)}</ul>`}
${factTexts(team).map((fact) => html`<p>${fact}</p>`)}</section>`,
)}
</main></body></html>`}\n`;
}

const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

const style = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1f2933; --soft: #5b6875; --line: #d5dbe1; --fine: #1a6b3c; --attention: #9c2f12; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #e6eaee; --soft: #a9b4bf; --line: #39424c; --fine: #7fd1a0; --attention: #ffb199; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; }
h2 { margin: 0; font-size: 20px; }
header p, section p { margin: 4px 0; color: var(--soft); }
section { margin: 24px 0 0; padding: 16px 0 0; border-top: 1px solid var(--line); break-inside: avoid; }
section .fine { color: var(--fine); font-weight: 600; }
section .attention { color: var(--attention); font-weight: 600; }
ul { margin: 8px 0; padding-left: 20px; }
li { margin: 0 0 8px; }
code { font: 14px/1.5 ui-monospace, monospace; color: var(--soft); }
`;
