import { holds, matches, same } from './expect.ts';
import { type Headed, type Json, send } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import type { Team } from './world.ts';

export const actions = ({ slug }: Json) => `POST /j/${slug}/actions` as const;
export const completes = (page_id: string) => ({ type: 'page_completed', page_id });
export const views = (page_id: string) => ({ type: 'page_viewed', page_id });
export const refused = async (
  team: Team,
  status: number,
  error: string,
  journey: Json,
  body: object,
  headers: Headed = {},
) =>
  same(
    (await team.open(status, actions(journey), body, headers)).body?.error,
    error,
    `the error of ${JSON.stringify(body)}`,
  );

shortCheck('Contract 10: GET /openapi.json is OpenAPI 3.1 with every operation of the specification', async (world) => {
  const team = await world.team();
  const { body, headers } = await team.open(200, 'GET /openapi.json');
  matches(body.openapi, /^3\.1\./, 'openapi');
  holds(headers.get('cache-control') !== 'no-store', 'it is not cacheable');
  const operations = Object.entries<Json>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{[^}]+\}/g, ':')}`),
  );
  for (const operation of [
    ...['post /oauth2/token', 'get /v1/contacts', 'post /v1/contacts', 'get /v1/contacts/:', 'put /v1/contacts/:'],
    ...[
      'patch /v1/contacts/:',
      'get /v1/contacts/:/accounts',
      'post /v1/batches',
      'get /v1/batches',
      'get /v1/batches/:',
    ],
    ...['post /v1/templates/:/journeys', 'get /v1/journeys', 'put /v1/templates/:/journeys/:', 'get /v1/templates'],
    ...['get /v1/templates/:', 'get /v1/templates/:/template_messages', 'get /v1/templates/:/template_pages'],
    ...['get /v1/objectives', 'get /v1/engagement-channels', 'get /v1/journeys/:/responses'],
    'get /v1/engagement-channels/:/content-containers/search',
  ]) {
    holds(operations.includes(operation), `${operation} is missing`);
  }
  const statuses = Object.keys(body.paths['/v1/contacts'].post.responses);
  for (const status of ['200', '201', '400', '401', '403', '413', '415', '422', '429', '500', '503']) {
    holds(statuses.includes(status), `POST /v1/contacts has no ${status} in ${statuses}`);
  }
});

shortCheck(
  'Contract 10: the metadata of the authorization server (RFC 8414) and the keys are public',
  async (world) => {
    const team = await world.team();
    const { body } = await team.open(200, 'GET /.well-known/oauth-authorization-server');
    for (const field of ['issuer', 'token_endpoint', 'jwks_uri', 'grant_types_supported', 'scopes_supported'])
      holds(field in body, `no ${field}`);
    same(body.grant_types_supported, ['client_credentials'], 'grant_types_supported');
    const jwks = await team.open(200, 'GET /.well-known/jwks.json');
    holds(jwks.body.keys.length > 0, 'there is no key');
    for (const key of jwks.body.keys)
      holds(typeof key.kid === 'string' && !('d' in key), `a key is ${Object.keys(key)}`);
    for (const path of ['/openapi.json', '/.well-known/jwks.json'] as const) {
      const tag = (await team.open(200, `GET ${path}`)).headers.get('etag')!;
      await team.open(304, `GET ${path}`, undefined, { 'if-none-match': tag });
    }
  },
);

check('Contract 11: GET / leads to /docs (302)', async (world) => {
  const team = await world.team();
  const { headers } = await team.open(302, 'GET /');
  matches(headers.get('location'), /\/docs$/, 'location');
});

shortCheck('Contract 10: GET /j/:slug is the journey, without a token; an unknown slug is 404', async (world) => {
  const { team, ids } = await world.content();
  const { slug } = await team.journey(ids.short);
  const { headers, text } = await team.open(200, `GET /j/${slug}`);
  matches(headers.get('content-type'), /^text\/html/, 'content-type');
  matches(text, /Shortly/, 'the page');
  await team.open(404, `GET /j/${'x'.repeat(slug.length)}`);
  await team.open(404, 'GET /j/x');
});

shortCheck(
  'Contract 10: POST /j/:slug/actions: as JSON 204, as a form 303; each action counted once a page',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    await act(team, journey, 'page_completed', ids.confirm);
    await act(team, journey, 'page_completed', ids.confirm);
    const { headers } = await team.open(303, actions(journey), new URLSearchParams(completes(ids.action)));
    same(headers.get('location'), journey.web_client_url, 'location');
    same((await team.journeyOf(journey.contact)).analytics_cache.pages_completed.length, 2, 'pages_completed');
  },
);

check('Contract 10: unknown slug or page: 404; a condition other than view, confirm, action: 422', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  await refused(team, 404, 'not_found', { slug: `${journey.slug.slice(1)}x` }, views(ids.view));
  for (const page of [crypto.randomUUID(), ids.shortPage]) await refused(team, 404, 'not_found', journey, views(page));
  for (const page of [ids.goalPage, ids.openPage, ids.plain])
    await refused(team, 422, 'validation_failed', journey, completes(page));
  await refused(team, 422, 'validation_failed', journey, { type: 'page_deleted', page_id: ids.view });
  await refused(team, 422, 'validation_failed', journey, { type: 'page_viewed' });
  same((await team.journeyOf(journey.contact)).analytics_cache.pages_completed, [], 'pages_completed');
});

check(
  'Contract 10: an archived, draft or not live page, and a muted template: 404; expired: 410 gone',
  async (world) => {
    const { team, ids } = await world.content();
    const welcome = await team.journey(ids.welcome);
    const [muted, expired] = [await team.journey(ids.muted), await team.journey(ids.expired)];
    for (const action of [completes, views]) {
      for (const page of [ids.archivedPage, ids.draftPage, ids.deadPage])
        await refused(team, 404, 'not_found', welcome, action(page));
      await refused(team, 404, 'not_found', muted, action(ids.mutedPage));
      await refused(team, 410, 'gone', expired, action(ids.expiredPage));
    }
    await team.open(410, `GET /j/${expired.slug}`);
  },
);

/** What a browser sends with the request of an image. */
const asBrowser = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

check('Contract 10: what the pages of a journey and of channel content load and link to is there', async (world) => {
  const { team, ids } = await world.content();
  const journeys = [await team.journey(ids.private), await team.journey(ids.first)];
  const { unique_id } = journeys[1]!.contact;
  const search = `content-containers/search?unique_id=${unique_id}` as const;
  const { url } = await team.get(`/v1/engagement-channels/${ids.channel}/${search}`);
  for (const page of [...journeys.map(({ slug }) => `j/${slug}`), url.slice(url.indexOf('/c/') + 1)]) {
    const { text } = await team.open(200, `GET /${page}`);
    const links = [...text.matchAll(/(?: (?:src|href)=|url\()"\/([^"#]+)/g)];
    holds(links.length > 0, `/${page} loads nothing and has no link`);
    for (const [, link] of [...links, ...links]) await team.open(200, `GET /${link}`, undefined, asBrowser);
  }
});

check('Contract 10: a HEAD, and a request with Sec-Purpose or Purpose, record nothing', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  const gif = `/j/${journey.slug}/pages/${ids.view}/viewed.gif` as const;
  await team.open(200, `HEAD ${gif}`, undefined, asBrowser);
  for (const ahead of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]) {
    await team.open(200, `GET ${gif}`, undefined, { ...asBrowser, ...ahead });
    await team.open(204, actions(journey), views(ids.view), ahead);
    await team.open(204, actions(journey), completes(ids.confirm), ahead);
    await team.open(303, actions(journey), new URLSearchParams(completes(ids.confirm)), ahead);
  }
  const { pages_viewed, pages_completed } = (await team.journeyOf(journey.contact)).analytics_cache;
  same([pages_viewed, pages_completed], [[], []], 'what is recorded');
  await team.open(200, `GET ${gif}`, undefined, asBrowser);
  same((await team.journeyOf(journey.contact)).analytics_cache.pages_viewed, [ids.view], 'what a visit records');
});

check('Contract 10: a slug ends in a letter or digit, and what a mail program appends is forgiven', async (world) => {
  const { team, ids } = await world.content();
  const { slug } = await team.journey(ids.short);
  matches(slug, /[A-Za-z0-9]$/, 'the slug');
  for (const appended of ['.', ')', ',', '%20', '/', '/.']) {
    const { status, headers } = await send(team.baseUrl, `GET /j/${slug}${appended}`);
    holds([301, 302, 303, 307, 308].includes(status), `/j/SLUG${appended} is ${status}`);
    holds(headers.get('location')!.endsWith(`/j/${slug}`), `location is ${headers.get('location')}`);
  }
  for (const path of ['/j/x', '/j/', '/j/x/y', '/c/x', '/c/x/y'] as const) {
    const { status, headers } = await send(team.baseUrl, `GET ${path}`);
    same(status, 404, path);
    matches(headers.get('content-type'), /^text\/html/, `the page at ${path}`);
  }
});

check('Contract 10: from another site: 403 forbidden', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.short);
  await refused(team, 403, 'forbidden', journey, completes(ids.shortPage), { 'sec-fetch-site': 'cross-site' });
  same((await team.journeyOf(journey.contact)).analytics_cache.pages_completed, [], 'pages_completed');
});

check('Contract 10: a body over 16 KB is 413 at the pages', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.short);
  await team.open(413, actions(journey), { ...views(ids.shortPage), more: 'x'.repeat(17_000) });
});
