/** The API reference: Swagger UI for `/openapi.json`. It loads no resource from another origin and has no inline code. */

/** Version of Swagger UI. It is part of the file names, so that browsers can cache the files without revalidation. */
const version = '5.35.0';

const renderer = `swagger-ui-${version}.js`;
const rendererStyle = `swagger-ui-${version}.css`;

/** The page loads from and calls only this service. No site can show it in a frame. */
export const docsPolicy = [
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

/** The first operations for each purpose, in the order of a first use: the tag and the id of the operation, and its text. */
export const guides: readonly { title: string; steps: readonly (readonly [path: string, text: string])[] }[] = [
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
];

const guideList = guides
  .map(({ title, steps }) => {
    const links = steps.map(([path, text]) => `<a href="#/${path.replaceAll(' ', '%20')}">${text}</a>`);
    return `<li><strong>${title}:</strong> ${links.join(', ')}</li>`;
  })
  .join('\n');

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
<nav class="guides" aria-label="Guides">
<p>Press <strong>Authorize</strong> and enter the id and the secret of your client. Then try the operations:</p>
<ul>
${guideList}
</ul>
</nav>
<main id="reference"><p class="notice">Loading <a href="/openapi.json">the OpenAPI document</a> …</p></main>
<noscript><p class="notice">The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the same content.</p></noscript>
</body>
</html>
`;

/** Requests go to the origin of the page, because the Content-Security-Policy allows no other. */
const script = `const show = async () => {
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
const style = `body { margin: 0; background: #fafafa; }
.guides { max-width: 1420px; margin: 0 auto; padding: 16px 20px 0; box-sizing: border-box; font: 14px/1.5 sans-serif; color: #3b4151; }
.guides ul { margin: 8px 0; padding-left: 18px; }
.guides a { color: #2456b0; }
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
