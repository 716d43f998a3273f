import { allScopes } from '../../../lib/domain/scope.ts';
import type { Json, Request } from '../../checks/http.ts';
import { holds, keysOf, matches, refused, same, timePattern } from '../assert.ts';
import { quoted, type Row, sectionOf } from '../row.ts';
import { eventually } from '../world.ts';

/** Endpoints and fields that the specification does not have. */
const { row, elsewhere } = sectionOf('Additions to the specification');

export const additionRows: readonly Row[] = [
  row(
    '`GET /v1/contacts/:id` returns one contact.',
    'Compares it with the created one; unknown, malformed and of another team: 404.',
    async ({ team, featured }) => {
      const contact = await team.contact({ city: 'Brno' });
      const { body } = await team.call(200, `GET /v1/contacts/${contact.id}`);
      same(body, { ...contact, meta_private: null }, 'the contact');
      for (const id of [crypto.randomUUID(), 'x']) await team.call(404, `GET /v1/contacts/${id}`);
      await featured.call(404, `GET /v1/contacts/${contact.id}`);
    },
  ),
  row(
    '`GET /v1/contacts` responds with `contacts`, `limit`, `offset`, `has_more` and `next_cursor`; `cursor` and the header `Link` continue the list.',
    'Reads five contacts in pages of two by the cursor and by the link: each once. The last page has neither. A foreign cursor: 400.',
    async ({ team }) => {
      const name = `cursor-${crypto.randomUUID()}`;
      const contacts = Array.from({ length: 5 }, () => ({ unique_id: team.newId(), name_last: name }));
      await team.call(200, 'POST /v1/contacts', { contacts });
      const path = `GET /v1/contacts?search=${name}&limit=2` as Request;
      const pages = async (): Promise<Json[]> => {
        const first = await team.call(200, path);
        same(keysOf(first.body), ['contacts', 'has_more', 'limit', 'next_cursor', 'offset'], 'the fields');
        const second = await team.call(200, `${path}&cursor=${first.body.next_cursor}`);
        const link = /<([^>]+)>; rel="next"/.exec(second.headers.get('link') ?? '')?.[1] ?? '';
        const third = await team.call(200, `GET ${/\/v1\/.*$/.exec(link)?.[0]}` as Request);
        same(
          [third.body.has_more, 'next_cursor' in third.body, third.headers.has('link')],
          [false, false, false],
          'the last page',
        );
        return [first, second, third].flatMap(({ body }) => body.contacts);
      };
      await eventually(async () => {
        const ids = (await pages()).map((each) => each.unique_id);
        same(ids.sort(), contacts.map((each) => each.unique_id).sort(), 'the contacts');
      });
      refused(await team.call(400, 'GET /v1/contacts?cursor=x'), 'invalid_request', 'cursor');
    },
  ),
  row(
    '`unique_id` of GET /v1/contacts lists the one contact that it names; `updated_since` lists those updated at that time or later.',
    'Lists by both: the contact, none for another one, none for a time after its update. A time without `Z`: 400.',
    async ({ team }) => {
      const contact = await team.contact();
      const list = async (query: Record<string, string>) =>
        (await team.call(200, `GET /v1/contacts?${new URLSearchParams(query)}`)).body.contacts.map(
          (each: Json) => each.id,
        );
      const unique_id = contact.unique_id;
      same(await list({ unique_id }), [contact.id], 'the contacts by unique_id');
      same(await list({ unique_id: `${unique_id}x` }), [], 'the contacts by another unique_id');
      same(await list({ unique_id, updated_since: contact.updated_at }), [contact.id], 'those updated since then');
      same(await list({ unique_id, updated_since: '2099-01-01T00:00:00Z' }), [], 'those updated since a later time');
      refused(await team.call(400, 'GET /v1/contacts?updated_since=2026-01-01'), 'invalid_request', 'updated_since');
    },
  ),
  row(
    '`GET /v1/engagement-channels` returns `engagement_channels`, the channels of the team by name.',
    'Compares the ids with what was imported; another team has others.',
    async ({ team, featured, ids, featuredIds }) => {
      const idsOf = ({ body }: { body: Json }) => body.engagement_channels.map(({ id }: Json) => id).sort();
      same(
        idsOf(await team.call(200, 'GET /v1/engagement-channels')),
        [ids.channel, ids.bareChannel].sort(),
        'the ids',
      );
      same(
        idsOf(await featured.call(200, 'GET /v1/engagement-channels')),
        [featuredIds.channel],
        'those of the other team',
      );
    },
  ),
  row(
    '`GET /v1/journeys/:journey_id/responses` returns `responses`, each with `id`, `page_id`, `block_id`, `block_type`, `answer` (`accepted`, `declined` or `null`), `typed_name`, `values` (`question`, `value`), `text`, `content_revision`, `identity_proved` and `at`.',
    'Sends `answers` to an agreement (`block_id`, `answer`, `typed_name`) with `page_completed`, twice: both responses are listed, oldest first.',
    async ({ team, ids }) => {
      const { id, slug } = await team.journey(ids.welcome);
      const page_id = ids.confirm;
      for (const answer of ['declined', 'accepted']) {
        const answers = [{ block_id: ids.agreement, answer, typed_name: 'Ada L.' }];
        await team.open(204, `POST /j/${slug}/actions`, { type: 'page_completed', page_id, answers });
      }
      const { body } = await team.call(200, `GET /v1/journeys/${id}/responses`);
      same(
        body.responses.map(({ answer }: Json) => answer),
        ['declined', 'accepted'],
        'the answers',
      );
      const [{ id: responseId, at, text, content_revision, ...rest }] = body.responses;
      holds(
        typeof responseId === 'string' && typeof content_revision === 'string',
        'id or content_revision is missing',
      );
      matches(at, timePattern, 'at');
      matches(text, /I agree\./, 'text');
      const block = { page_id, block_id: ids.agreement, block_type: 'agreement' };
      same(
        rest,
        { ...block, answer: 'declined', typed_name: 'Ada L.', values: [], identity_proved: false },
        'the response',
      );
      await team.call(404, `GET /v1/journeys/${crypto.randomUUID()}/responses`);
    },
  ),
  row(
    `\`scope\` of a token request limits the token to some of the scopes ${quoted(allScopes)}.`,
    'Gets a token for one scope, which the response names; another endpoint is then 403, an unknown scope 400 `invalid_scope`.',
    async ({ team }) => {
      const { client_id, client_secret } = team.credential;
      const ask = (scope: string) =>
        new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
      for (const scope of allScopes) {
        same((await team.open(200, 'POST /oauth2/token', ask(scope))).body.scope, scope, 'the scope of the token');
      }
      same((await team.open(400, 'POST /oauth2/token', ask('everything'))).body.error, 'invalid_scope', 'the error');
      const limited = await team.limitedTo('contacts:read');
      await team.call(200, 'GET /v1/contacts?limit=1', undefined, limited);
      await team.call(403, 'GET /v1/objectives', undefined, limited);
    },
  ),
  elsewhere(
    'Instead of a secret, a client authenticates with `client_assertion` and `client_assertion_type` (`private_key_jwt`).',
    'It needs a client with a key, which the test makes with the admin command.',
    'test/http/client-assertion.test.ts',
  ),
  row(
    '`GET /.well-known/oauth-authorization-server` has `issuer`, `token_endpoint`, `jwks_uri`, `grant_types_supported`, `scopes_supported`, `response_types_supported`, `token_endpoint_auth_methods_supported` and `token_endpoint_auth_signing_alg_values_supported`.',
    'Compares the keys and the scopes.',
    async ({ team }) => {
      const { body } = await team.open(200, 'GET /.well-known/oauth-authorization-server');
      const grants = ['grant_types_supported', 'issuer', 'jwks_uri', 'response_types_supported', 'scopes_supported'];
      const methods = ['token_endpoint', 'token_endpoint_auth_methods_supported'];
      same(keysOf(body), [...grants, ...methods, 'token_endpoint_auth_signing_alg_values_supported'], 'the fields');
      same(body.scopes_supported, [...allScopes], 'the scopes');
    },
  ),
  row(
    '`GET /.well-known/jwks.json` has `keys`, each with `kty`, `crv`, `x`, `y`, `kid`, `use` and `alg`, and no private part.',
    'Compares the keys, and finds the key of a token by its `kid`.',
    async ({ team }) => {
      const { body } = await team.open(200, 'GET /.well-known/jwks.json');
      for (const key of body.keys)
        same(keysOf(key), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'], 'the fields of a key');
      const { kid } = JSON.parse(Buffer.from((await team.token()).split('.')[0]!, 'base64url').toString());
      holds(
        body.keys.some((key: Json) => key.kid === kid),
        'the key of the token is not published',
      );
    },
  ),
  row(
    '`GET /openapi.json` is the OpenAPI 3.1 document (`openapi`), without a token.',
    'Reads it, and again with `If-None-Match`: 304.',
    async ({ team }) => {
      const { body, headers } = await team.open(200, 'GET /openapi.json');
      matches(body.openapi, /^3\.1\./, 'openapi');
      await team.open(304, 'GET /openapi.json', undefined, { 'if-none-match': headers.get('etag') ?? '' });
    },
  ),
  row(
    '`GET /j/:slug` is the page of a journey, `page` names one of its pages; `POST /j/:slug/actions` takes `type` (`page_viewed`, `page_completed`), `page_id`, `answers`, and in a form `stay`.',
    'Opens the page, one by its id, and an unknown slug (404); an unknown page and type: 404 and 422. A form leads back to the page (303).',
    async ({ team, ids }) => {
      const { slug } = await team.journey(ids.welcome);
      await team.open(200, `GET /j/${slug}?page=${ids.action}`);
      await team.open(404, 'GET /j/unknown');
      const form = new URLSearchParams({ type: 'page_completed', page_id: ids.action, stay: '1' });
      const { headers } = await team.open(303, `POST /j/${slug}/actions`, form);
      holds(headers.get('location')?.includes(ids.action), `the form leads to ${headers.get('location')}`);
      await team.open(404, `POST /j/${slug}/actions`, { type: 'page_viewed', page_id: crypto.randomUUID() });
      await team.open(422, `POST /j/${slug}/actions`, { type: 'page_opened', page_id: ids.view });
    },
  ),
  row(
    '`GET /c/:channel_id/:reference` is the content of a channel, whose `reference` is in `url` of the lookup. A reference that was altered is 404.',
    'Opens the default content, and the same URL with another reference.',
    async ({ team, ids }) => {
      const path: Request = `GET /v1/engagement-channels/${ids.channel}/content-containers/search?email=none@example.com`;
      const url = new URL((await team.call(200, path)).body.url);
      const [, channel, reference] = /\/c\/([^/]+)\/([^/]+)$/.exec(url.pathname)!;
      await team.open(200, `GET /c/${channel}/${reference}`);
      await team.open(404, `GET /c/${channel}/${reference}x`);
    },
  ),
];
