import { raw } from 'hono/html';
import { feedbackTypes } from '../../../lib/domain/messages/feedback.ts';
import type { OutboxMail } from '../../../lib/email/outbox-mail.ts';
import { type Child, html } from '../../../lib/web/html.ts';

/** The pages of the outbox, for the developer whose service it is. */

const css = `
:root{color-scheme:light dark}
html{background:Canvas;color:CanvasText}
body{font:16px/1.5 system-ui,"Segoe UI",Roboto,Arial,sans-serif;max-width:72rem;margin:0 auto;padding:1.5rem}
table{width:100%;border-collapse:collapse}th,td{text-align:start;padding:.6rem .5rem;border-bottom:1px solid GrayText;overflow-wrap:anywhere}
button{font:inherit;min-height:44px;padding:.4rem 1rem;margin-inline-end:.5rem}form{display:inline}
td a{display:inline-block;min-height:44px;line-height:44px}
iframe{width:100%;height:40rem;border:1px solid GrayText;background:#fff;resize:both}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid GrayText;padding:1rem;max-height:40rem;overflow:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem}dd{margin:0;overflow-wrap:anywhere}
`;

const page = (title: string, body: Child): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>${raw(css)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString();

export function listPage(mails: readonly OutboxMail[]): string {
  if (mails.length === 0) {
    return page('Outbox', html`<p>No message was sent yet. Messages that are due appear here within a minute.</p>`);
  }
  const rows = mails.map(
    ({ id, to, subject, sent_at, state }) =>
      html`<tr><td><a href="/outbox/${id}">${subject}</a></td><td>${to}</td><td>${sent_at}</td><td>${state}</td></tr>`,
  );
  return page(
    'Outbox',
    html`<p>What this service would have sent, newest first. Nobody gets it.</p>
<table><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Sent</th><th scope="col">State</th></tr></thead><tbody>${rows}</tbody></table>
<p><form method="post" action="/outbox"><button>Empty the outbox</button></form></p>`,
  );
}

export function mailPage({ id, to, subject, sent_at, state, text, source }: OutboxMail): string {
  const buttons = feedbackTypes.map((type) => html`<button name="type" value="${type}">${type}</button>`);
  return page(
    subject,
    html`<p><a href="/outbox">All messages</a></p>
<dl><dt>To</dt><dd>${to}</dd><dt>Sent</dt><dd>${sent_at}</dd><dt>State</dt><dd>${state}</dd></dl>
<form method="post" action="/outbox/${id}/events"><p>Play what a provider would report: ${buttons}</p></form>
<h2>HTML</h2>
<iframe title="The message as HTML" src="/outbox/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>Text</h2>
<pre tabindex="0">${text}</pre>
<h2>Source</h2>
<pre tabindex="0">${source}</pre>`,
  );
}

/** The HTML of the message, whose links open in a new tab. */
export const framed = ({ html: own }: OutboxMail): string => own.replace('<head>', '<head><base target="_blank">');
