/** The API reference: Swagger UI for `/openapi.json`. It loads no resource from another origin and has no inline code. */

import { cachedFor } from './reply.ts';

/** Version of Swagger UI. It is part of the file names, so that browsers can cache the files without revalidation. */
const version = '5.35.0';

const renderer = `swagger-ui-${version}.js`;
const rendererStyle = `swagger-ui-${version}.css`;

/** The page loads from and calls only this service. No site can show it in a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The style sheet contains its icons as data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsHeaders = { ...cachedFor(300), 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };

/** The first operations for each purpose, in the order of a first use: the tag and the id of the operation, and its text. */
export const tasks: readonly { title: string; steps: readonly (readonly [path: string, text: string])[] }[] = [
  {
    title: 'Send contacts',
    steps: [
      ['Contacts/upsertContacts', 'Create or update contacts'],
      ['Contacts/listContacts', 'find them'],
      ['Contacts/updateContactByPatch', 'change one version with If-Match'],
    ],
  },
  {
    title: 'Import accounts',
    steps: [
      ['Batches/createBatch', 'Send a batch'],
      ['Batches/getBatch', 'read its status'],
      ['Accounts/listContactAccounts', "read a contact's accounts"],
    ],
  },
  {
    title: 'Run a campaign',
    steps: [
      ['Templates/listTemplates', 'List the templates'],
      ['Journeys/createJourney', 'start a journey'],
      ['Journeys/listJourneys', 'follow its progress'],
    ],
  },
  {
    title: 'Embed content',
    steps: [
      ['Engagement channels/listEngagementChannels', 'List the channels'],
      ['Engagement channels/searchContentContainers', 'look up the content for a contact'],
    ],
  },
  {
    title: 'Learn what happens',
    steps: [
      ['Events/listEvents', 'Read the events'],
      ['Webhooks/createWebhook', 'or have them sent to a webhook'],
    ],
  },
];

/** The guides that are served at `/docs/{name}`, from `docs/{name}.md`, with their titles. */
export const guides: ReadonlyMap<string, string> = new Map([
  ['authentication', 'Authentication'],
  ['contacts-and-identity', 'Contacts and identity'],
  ['imports', 'Imports'],
  ['journeys', 'Journeys'],
  ['events', 'Events and webhooks'],
  ['results', 'Results'],
  ['reference', 'Rules and limits'],
]);

const taskList = tasks
  .map(({ title, steps }) => {
    const links = steps.map(([path, text]) => `<a href="#/${path.replaceAll(' ', '%20')}">${text}</a>`);
    return `<li><strong>${title}:</strong> ${links.join(', ')}</li>`;
  })
  .join('\n');
const guideList = [...guides].map(([name, title]) => `<a href="/docs/${name}">${title}</a>`).join(', ');

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Onboarding Service: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${rendererStyle}">
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/${renderer}" defer></script>
<script src="/docs/page.js" defer></script>
</head>
<body>
<nav class="guides" aria-label="Tasks and guides">
<p>Press <strong>Authorize</strong> and enter the id and the secret of your client. Then try the operations:</p>
<ul>
${taskList}
<li><strong>Guides:</strong> ${guideList}</li>
</ul>
</nav>
<main id="reference"><p class="notice">Loading <a href="/openapi.json">the OpenAPI document</a> …</p></main>
<noscript><p class="notice">The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the same content.</p></noscript>
</body>
</html>
`;

/** Requests go to the origin of the page, because the Content-Security-Policy allows no other. */
const script = `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);
const show = async () => {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error('status ' + response.status);
  const spec = await response.json();
  spec.servers = [{ url: location.origin }];
  spec.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = location.origin + '/oauth2/token';
  const [introduction, ...rules] = spec.info.description.split('\\n\\n');
  const fold = '<details><summary>Rules of all operations, errors, deprecation</summary>';
  spec.info.description = [introduction, fold, ...rules, '</details>'].join('\\n\\n');
  const ui = SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
  addEventListener('hashchange', () => ui.layoutActions.parseDeepLinkHash(location.hash));
};
show().catch((error) => {
  document.querySelector('.notice').textContent = 'The OpenAPI document could not be loaded (' + error.message + ').';
});
`;

/**
 * Puts Authorize first. Sets margins and hides parts that have no use here: OAuth scopes, links between responses,
 * the server selection.
 */
const style = `:root { color-scheme: light dark; --page: #fafafa; --text: #3b4151; --link: #2456b0; --code: #eceef2; --line: #d0d4da; }
@media (prefers-color-scheme: dark) {
  :root { --page: #1c2022; --text: #d3d7dc; --link: #8ab4f8; --code: #2b3034; --line: #444b52; }
}
body { margin: 0; background: var(--page); color: var(--text); }
.guides { max-width: 1420px; margin: 0 auto; padding: 16px 20px 0; box-sizing: border-box; font: 14px/1.5 sans-serif; }
.guides ul { margin: 8px 0; padding-left: 18px; }
.guides a, .guide a { color: var(--link); }
.guide { max-width: 820px; margin: 0 auto; padding: 0 20px 40px; font: 16px/1.6 sans-serif; overflow-wrap: break-word; }
.guide h1, .guide h2, .guide h3 { line-height: 1.25; }
.guide pre { padding: 12px; overflow-x: auto; background: var(--code); border-radius: 4px; }
.guide code { font-size: 0.875em; background: var(--code); }
.guide .wide { overflow-x: auto; }
.guide table { border-collapse: collapse; }
.guide td, .guide th { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
.swagger-ui > div { display: flex; flex-direction: column; }
.swagger-ui .scheme-container { order: -1; }
.swagger-ui .info summary { cursor: pointer; font-size: 14px; margin: 8px 0; }
.notice { margin: 2rem; font-family: sans-serif; }
.swagger-ui .info { margin: 30px 0 20px; }
.swagger-ui .info li { margin: 4px 0; line-height: 1.45; }
.swagger-ui .info code { font-weight: 400; color: inherit; }
.swagger-ui .scheme-container { padding: 14px 0; margin: 0 0 10px; }
.swagger-ui .scope-def, .swagger-ui .response-col_links { display: none; }
.swagger-ui .scheme-container .servers, .swagger-ui .scheme-container .servers-title { display: none; }
.swagger-ui .renderedMarkdown table { display: block; overflow-x: auto; }
.swagger-ui .renderedMarkdown td { padding-right: 12px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info ul { padding-left: 18px; }
  .swagger-ui .info td code { overflow-wrap: anywhere; }
  .swagger-ui .opblock-tag, .swagger-ui .opblock-section-header { flex-wrap: wrap; height: auto; }
  .swagger-ui .opblock-tag small { flex: 0 0 100%; order: 1; padding: 4px 0; }
}
`;

export type DocsFile = {
  type: string;
  /** Seconds for which a browser may cache it. */
  keptFor: number;
} & ({ text: string } | { packageFile: string });

const kept = { briefly: 300, immutable: 31_536_000 };
const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

/** The files that the page loads, by their names under `/docs/`. */
export const docsFiles: ReadonlyMap<string, DocsFile> = new Map<string, DocsFile>([
  [renderer, { type: javascript, keptFor: kept.immutable, packageFile: 'swagger-ui-dist/swagger-ui-bundle.js' }],
  [rendererStyle, { type: css, keptFor: kept.immutable, packageFile: 'swagger-ui-dist/swagger-ui.css' }],
  ['page.js', { type: javascript, keptFor: kept.briefly, text: script }],
  ['page.css', { type: css, keptFor: kept.briefly, text: style }],
]);
