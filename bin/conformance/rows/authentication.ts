import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import type { Request } from '../../checks/http.ts';
import { holds, keysOf, matches, same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import { eventually } from '../world.ts';

const token = sectionOf('Token');
const states = sectionOf('States and transitions');
const endpoint = sectionOf('POST /oauth2/token');
const { row, elsewhere } = sectionOf('Authentication');
const all = sectionOf('Endpoints');

const invalid = { error: 'invalid_token' };

const ask = (fields: Record<string, string>) => new URLSearchParams({ grant_type: 'client_credentials', ...fields });
const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
});

const guarded = (routes as readonly Route[])
  .filter(({ access }) => access === 'bearer')
  .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
const someId = '00000000-0000-4000-8000-000000000000';

export const authenticationRows: readonly Row[] = [
  token.row(
    '`access_token` (string), `expires_in` (number of seconds until expiry) and `token_type` (string) are the fields of a token.',
    'Gets a token and checks the types; the token is accepted by an endpoint.',
    async ({ team }) => {
      const { client_id, client_secret } = team.credential;
      const { body } = await team.open(200, 'POST /oauth2/token', ask({ client_id, client_secret }));
      matches(body.access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/, 'access_token');
      holds(Number.isInteger(body.expires_in) && body.expires_in > 0, `expires_in is ${body.expires_in}`);
      same(body.token_type, 'Bearer', 'token_type');
      await team.open(200, 'GET /v1/objectives', undefined, { authorization: `Bearer ${body.access_token}` });
    },
  ),
  states.elsewhere(
    'When the lifetime of a token (`expires_in` seconds) has passed, calls with it get 401 and `invalid_token`.',
    'The lifetime is a setting of the deployment, an hour by default. The test starts a service whose tokens live for a second.',
    'test/http/token-lifetime.test.ts',
  ),
  states.row(
    'With valid client credentials, `POST /oauth2/token` issues a new token, also when an earlier one has expired.',
    'Gets two tokens one after the other: they differ, and both are accepted.',
    async ({ team }) => {
      const both = [await team.tokenOf(team.credential), await team.tokenOf(team.credential)];
      holds(both[0] !== both[1], 'the second token is the first one');
      for (const each of both) {
        await team.open(200, 'GET /v1/objectives', undefined, { authorization: `Bearer ${each}` });
      }
    },
  ),
  states.row(
    'A journey that is not completion-verified becomes completion-verified with `is_completion_confirmed` true: `completion_verified_at` is set.',
    'Confirms a journey: `null` before, a time after. A second confirmation keeps the first time.',
    async ({ team, ids }) => {
      const { id, contact } = await team.journey(ids.short);
      same((await team.journeysOf(contact))[0].completion_verified_at, null, 'completion_verified_at at first');
      const path: Request = `PUT /v1/templates/${ids.short}/journeys/${id}`;
      const { body: first } = await team.call(200, path, { is_completion_confirmed: true });
      holds(first.completion_verified_at !== null, 'completion_verified_at is null');
      const { body: second } = await team.call(200, path, { is_completion_confirmed: true });
      same(second.completion_verified_at, first.completion_verified_at, 'the time after the second confirmation');
    },
  ),
  states.elsewhere(
    'A journey that does not exist has no such transition.',
    'Checked with `PUT /v1/templates/:template_id/journeys/:journey_id` below (404).',
    'test/http/journeys.test.ts',
  ),
  ...guarded.map((request) =>
    all.row(
      `\`${request.replaceAll(/\{(\w+)\}/g, ':$1')}\` needs \`Authorization: Bearer <ACCESS_TOKEN>\`.`,
      'Calls it without a token and with a forged one: 401 and exactly `{"error": "invalid_token"}`.',
      async ({ team }) => {
        const path = request.replaceAll(/\{\w+\}/g, someId) as Request;
        const [head = '', claims = '', signature = ''] = (await team.token()).split('.');
        const forged = `${head}.${claims}.${signature.split('').reverse().join('')}`;
        const body = path.startsWith('GET') ? undefined : { unique_id: 'never' };
        for (const headers of [{}, { authorization: `Bearer ${forged}` }, basic(team.credential)]) {
          same((await team.open(401, path, body, headers as Record<string, string>)).body, invalid, 'the body');
        }
      },
    ),
  ),
  endpoint.row(
    '`grant_type` must be `client_credentials`.',
    'Sends another grant (400 `unsupported_grant_type`) and none (400 `invalid_request`).',
    async ({ team }) => {
      const { client_id, client_secret } = team.credential;
      const password = ask({ client_id, client_secret, grant_type: 'password' });
      same((await team.open(400, 'POST /oauth2/token', password)).body.error, 'unsupported_grant_type', 'the error');
      const none = new URLSearchParams({ client_id, client_secret });
      same((await team.open(400, 'POST /oauth2/token', none)).body.error, 'invalid_request', 'the error');
    },
  ),
  endpoint.row(
    '`client_id` and `client_secret` are in the body, as a form or as JSON.',
    'Gets a token with each form. A wrong secret and an unknown id: 401 `invalid_client`.',
    async ({ team }) => {
      const { client_id, client_secret } = team.credential;
      await team.open(200, 'POST /oauth2/token', ask({ client_id, client_secret }));
      await team.open(200, 'POST /oauth2/token', { grant_type: 'client_credentials', client_id, client_secret });
      for (const wrong of [
        { client_id, client_secret: 'x' },
        { client_id: someId, client_secret },
      ]) {
        same((await team.open(401, 'POST /oauth2/token', ask(wrong))).body.error, 'invalid_client', 'the error');
      }
    },
  ),
  endpoint.row(
    'The id and the secret may instead be in Basic authentication.',
    'Gets a token with Basic. A wrong secret: 401 `invalid_client` with `WWW-Authenticate: Basic`.',
    async ({ team }) => {
      await team.open(200, 'POST /oauth2/token', ask({}), basic(team.credential));
      const wrong = basic({ ...team.credential, client_secret: 'x' });
      const refusal = await team.open(401, 'POST /oauth2/token', ask({}), wrong);
      same(refusal.body.error, 'invalid_client', 'the error');
      matches(refusal.headers.get('www-authenticate'), /^Basic/, 'WWW-Authenticate');
    },
  ),
  endpoint.row(
    'The response has `access_token`, `expires_in` and `token_type`.',
    'Compares its keys (there is also `scope`) and the header `Cache-Control: no-store`.',
    async ({ team }) => {
      const { body, headers } = await team.open(200, 'POST /oauth2/token', ask({}), basic(team.credential));
      same(keysOf(body), ['access_token', 'expires_in', 'scope', 'token_type'], 'the fields');
      same(headers.get('cache-control'), 'no-store', 'Cache-Control');
    },
  ),
  ...(['POST', 'GET'] as const).map((method) =>
    endpoint.row(
      `Credentials in the query string (\`${method}\`) are revoked immediately.`,
      'Sends right credentials of a new client in the URL: 400. After that the client gets no token (401), and its earlier token ends within 30 seconds.',
      async ({ team }) => {
        const client = await team.newClient();
        const held = await team.tokenOf(client);
        const query = ask({ client_id: client.client_id, client_secret: client.client_secret });
        await team.open(400, `${method} /oauth2/token?${query}`);
        const after = await team.open(401, 'POST /oauth2/token', ask({}), basic(client));
        same(after.body.error, 'invalid_client', 'the error');
        const authorization = `Bearer ${held}`;
        const ended = async () =>
          same((await team.open(401, 'GET /v1/objectives', undefined, { authorization })).body, invalid, 'the body');
        await eventually(ended, 35);
      },
    ),
  ),
  row(
    '1. OAuth 2.0 with the grant `client_credentials`.',
    'The metadata of the authorization server names this grant, and the token endpoint gives a token for it.',
    async ({ team }) => {
      const { body } = await team.open(200, 'GET /.well-known/oauth-authorization-server');
      same(body.grant_types_supported, ['client_credentials'], 'the grants');
      await team.open(200, 'POST /oauth2/token', ask({}), basic(team.credential));
    },
  ),
  row(
    '1. `client_id` and `client_secret` come from the admin interface.',
    'A client that the administrator creates gets a token, which belongs to the team of the client alone.',
    async ({ team, featured }) => {
      const authorization = `Bearer ${await team.tokenOf(await team.newClient())}`;
      const contact = await team.contact();
      await team.open(200, `GET /v1/contacts/${contact.id}`, undefined, { authorization });
      await featured.call(404, `GET /v1/contacts/${contact.id}`);
    },
  ),
  row(
    '2. Credentials are sent to `POST /oauth2/token` by Basic authentication or in the body, not by both.',
    'Both at once: 400 `invalid_request`. Each alone is checked above.',
    async ({ team }) => {
      const { client_id, client_secret } = team.credential;
      const both = ask({ client_id, client_secret });
      const { body } = await team.open(400, 'POST /oauth2/token', both, basic(team.credential));
      same(body.error, 'invalid_request', 'the error');
    },
  ),
  row(
    '3. Every other endpoint needs the header `Authorization: Bearer <ACCESS_TOKEN>`.',
    'A token in the query string or in the body is not read (401), and the scheme is case-insensitive (200).',
    async ({ team }) => {
      const access = await team.token();
      await team.open(401, `GET /v1/contacts?access_token=${access}`);
      await team.open(401, 'POST /v1/contacts', { access_token: access });
      await team.open(401, 'GET /v1/contacts', undefined, { authorization: access });
      await team.open(200, 'GET /v1/objectives', undefined, { authorization: `bearer ${access}` });
    },
  ),
  elsewhere(
    '4. An expired token gives 401 with `{"error": "invalid_token"}`.',
    'See States and transitions: the test starts a service whose tokens live for a second.',
    'test/http/token-lifetime.test.ts',
  ),
  row(
    '5. A client reads `expires_in` and keeps its token until then.',
    'Uses one token for several endpoints: all accept it, and `expires_in` agrees with the expiry in the token.',
    async ({ team }) => {
      const { body } = await team.open(200, 'POST /oauth2/token', ask({}), basic(team.credential));
      const { iat, exp } = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
      same(exp - iat, body.expires_in, 'the lifetime in the token');
      const authorization = `Bearer ${body.access_token}`;
      for (const path of ['/v1/objectives', '/v1/templates', '/v1/contacts?limit=1']) {
        await team.open(200, `GET ${path}` as Request, undefined, { authorization });
      }
    },
  ),
  elsewhere(
    '6. All calls must use HTTPS: plain HTTP compromises credentials and tokens.',
    'It is a property of the deployment: the API of API Gateway and CloudFront accept TLS alone. The local service is for development, on the loopback interface.',
    'test/infra/edge.test.ts',
  ),
  row(
    '7. Only a call with a valid bearer token returns `meta_private` inside contacts on journey reads.',
    'Opens the public page of a journey without a token: nothing of `meta_private` is in it. The list with a token has it.',
    async ({ team, ids }) => {
      const secret = 'only-with-a-token';
      const { slug, contact } = await team.journey(ids.welcome, { meta_private: { note: secret } });
      const { text } = await team.open(200, `GET /j/${slug}`);
      holds(!text.includes(secret), 'the page has meta_private');
      same((await team.journeysOf(contact))[0].contact.meta_private, { note: secret }, 'meta_private');
    },
  ),
];
