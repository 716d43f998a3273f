import type { Request } from '../../checks/http.ts';
import { holds, keysOf, matches, pathsOf, refused, same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';

/** Errors and headers that the specification leaves open. */
const { row } = sectionOf('Errors and limits where the specification is silent');

/** The `unique_id` of a sandbox team, the error it causes, and the test in which the error has its real cause. */
const causes = [
  ['sandbox-throttled', 429, 'too_many_requests', 'throttled, with `Retry-After`.', 'test/http/batches-cap.test.ts'],
  ['sandbox-internal-error', 500, 'internal_error', 'no stack trace and no stored value.', 'test/http/errors.test.ts'],
  [
    ...(['sandbox-unavailable', 503, 'unavailable'] as const),
    'the store or the queue throttles or is down, with `Retry-After`; it is safe to resend.',
    'test/faults/throttling.test.ts',
  ],
] as const;

const newBatch = () => `conformance-${crypto.randomUUID()}`;

export const errorRows: readonly Row[] = [
  row(
    'Every error but 401 has `error`, `message` and `request_id`; 400 and 422 also have `details` (at most 100), each with `path` and `message`.',
    'Compares the keys of a 404 and a 422, and `request_id` with the header `x-request-id`.',
    async ({ team }) => {
      const missing = await team.call(404, `GET /v1/templates/${crypto.randomUUID()}`);
      same(keysOf(missing.body), ['error', 'message', 'request_id'], 'the fields of the 404');
      const invalid = await team.call(422, 'POST /v1/contacts', { unique_id: 1 });
      same(keysOf(invalid.body), ['details', 'error', 'message', 'request_id'], 'the fields of the 422');
      same(keysOf(invalid.body.details[0]), ['message', 'path'], 'the fields of a detail');
      for (const { body, headers } of [missing, invalid]) {
        holds(body.request_id === headers.get('x-request-id'), 'request_id is not the one of the header');
      }
    },
  ),
  row(
    '`invalid_request` (400): the body is not JSON or not an object, or a query parameter is wrong.',
    'Sends broken JSON, a number and an array: 400 with one detail, whose path is empty.',
    async ({ team }) => {
      for (const body of ['{"unique_id":', '17', '[]', '']) {
        refused(await team.call(400, 'POST /v1/contacts', body), 'invalid_request', '');
      }
    },
  ),
  row(
    '`invalid_token` (401): looked at before the body and the object of the path.',
    'Sends a broken body to an unknown contact without a token: 401, not 400 or 404.',
    async ({ team }) => {
      const { body } = await team.open(401, `PUT /v1/contacts/${crypto.randomUUID()}`, '{');
      same(body, { error: 'invalid_token' }, 'the body');
    },
  ),
  row(
    '`insufficient_scope` (403): the token lacks the scope of the request.',
    'Writes a contact with a token for `contacts:read`: 403, and `WWW-Authenticate` names the scope.',
    async ({ team }) => {
      const limited = await team.limitedTo('contacts:read');
      const { body, headers } = await team.call(403, 'POST /v1/contacts', { unique_id: team.newId() }, limited);
      same(body.error, 'insufficient_scope', 'the error');
      same(
        headers.get('www-authenticate'),
        'Bearer error="insufficient_scope", scope="contacts:write"',
        'WWW-Authenticate',
      );
    },
  ),
  row(
    '`not_found` (404): the path or the object does not exist in this team.',
    'Asks for a path that does not exist, and for a contact of another team: the same error.',
    async ({ team, featured }) => {
      const { id } = await featured.contact();
      for (const path of ['/v1/nothing', `/v1/contacts/${id}`, `/v1/contacts/${id}/accounts`] as const) {
        same((await team.call(404, `GET ${path}`)).body.error, 'not_found', `the error of ${path}`);
      }
    },
  ),
  row(
    '`method_not_allowed` (405): the path is known with another method, which `Allow` names.',
    'Deletes a contact: 405 with the allowed methods.',
    async ({ team }) => {
      const { body, headers } = await team.call(405, `DELETE /v1/contacts/${crypto.randomUUID()}`);
      same(body.error, 'method_not_allowed', 'the error');
      const allowed = (headers.get('allow') ?? '').split(', ').filter((each) => each !== 'HEAD');
      same(allowed.sort(), ['GET', 'PATCH', 'PUT'], 'Allow');
    },
  ),
  row(
    '`conflict` (409): `chunk_count` is not that of an earlier chunk.',
    'Sends two chunks with other counts.',
    async ({ team }) => {
      const records = [{ account_number: 'a', product: { code: 'plain', type: 'loan' } }];
      const chunk = { type: 'accounts', batch_id: newBatch(), records };
      await team.call(202, 'POST /v1/batches', { ...chunk, chunk_index: 0, chunk_count: 1 });
      const { body } = await team.call(409, 'POST /v1/batches', { ...chunk, chunk_index: 1, chunk_count: 2 });
      same(body.error, 'conflict', 'the error');
    },
  ),
  row(
    '`gone` (410): the journey has expired, or its template is archived.',
    'Records an action of a journey whose template has a duration of no hours.',
    async ({ team, ids }) => {
      const { slug } = await team.journey(ids.expired);
      const action = { type: 'page_viewed', page_id: ids.view };
      same((await team.open(410, `POST /j/${slug}/actions`, action)).body.error, 'gone', 'the error');
      await team.open(410, `GET /j/${slug}`);
    },
  ),
  row(
    '`precondition_failed` (412): `If-Match` names another version, and nothing is written.',
    'Updates a contact with its `ETag` (200), then with the same one again (412). `If-None-Match` of the present one: 304.',
    async ({ team }) => {
      const { id } = await team.contact();
      const path: Request = `PUT /v1/contacts/${id}`;
      const { headers } = await team.call(200, `GET /v1/contacts/${id}`);
      const match = { 'if-match': headers.get('etag') ?? '' };
      const updated = await team.call(200, path, { city: 'Brno' }, match);
      const refusal = await team.call(412, path, { city: 'Praha' }, match);
      same(refusal.body.error, 'precondition_failed', 'the error');
      same((await team.call(200, `GET /v1/contacts/${id}`)).body.city, 'Brno', 'the stored city');
      await team.call(304, `GET /v1/contacts/${id}`, undefined, { 'if-none-match': updated.headers.get('etag') ?? '' });
    },
  ),
  row(
    '`payload_too_large` (413): the body has more than 4 MB, or 16 KB where no token is needed.',
    'Sends 4 MB and a byte with a token, and 16 KB and a byte to the token endpoint; 16 KB are read (401).',
    async ({ team }) => {
      const large = JSON.stringify({ unique_id: 'x'.repeat(4 * 1024 * 1024 - 15) });
      same(large.length, 4 * 1024 * 1024 + 1, 'the number of bytes');
      same((await team.call(413, 'POST /v1/contacts', large)).body.error, 'payload_too_large', 'the error');
      const form = new URLSearchParams({ grant_type: 'client_credentials', x: '' }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      await team.open(413, 'POST /oauth2/token', form.padEnd(16 * 1024 + 1, 'x'), type);
      await team.open(401, 'POST /oauth2/token', form.padEnd(16 * 1024, 'x'), type);
    },
  ),
  row(
    '`unsupported_media_type` (415): the body declares another type than JSON, another charset or an encoding.',
    'Sends each of the three.',
    async ({ team }) => {
      const headers = [
        { 'content-type': 'text/xml' },
        { 'content-type': 'application/json; charset=iso-8859-1' },
        { 'content-encoding': 'gzip' },
      ];
      for (const each of headers) {
        const { body } = await team.call(415, 'POST /v1/contacts', '{}', each as Record<string, string>);
        same(body.error, 'unsupported_media_type', 'the error');
      }
    },
  ),
  row(
    '`validation_failed` (422): all errors of a request are reported together, up to 100, and nothing is stored.',
    'Sends a batch of 120 wrong contacts and one right one: 100 details, and the right one does not exist.',
    async ({ team }) => {
      const right = team.newId();
      const wrong = Array.from({ length: 120 }, () => ({ unique_id: 1 }));
      const refusal = await team.call(422, 'POST /v1/contacts', { contacts: [...wrong, { unique_id: right }] });
      same(
        [refusal.body.error, pathsOf(refusal).length],
        ['validation_failed', 100],
        'the error and the number of paths',
      );
      same((await team.call(200, `GET /v1/contacts?unique_id=${right}`)).body.contacts, [], 'the stored contacts');
    },
  ),
  row(
    '`forbidden` (403): an action comes from a page of another site. `identity_required` (403): the page asks for a proof of identity first.',
    'Sends an action with `Sec-Fetch-Site: cross-site`, and one to a campaign that needs the proof.',
    async ({ team, ids }) => {
      const { slug } = await team.journey(ids.welcome);
      const action = { type: 'page_viewed', page_id: ids.view };
      const foreign = await team.open(403, `POST /j/${slug}/actions`, action, { 'sec-fetch-site': 'cross-site' });
      same(foreign.body.error, 'forbidden', 'the error');
      const closed = await team.journey(ids.closed);
      const locked = { type: 'page_completed', page_id: ids.closedPage };
      const refusal = await team.open(403, `POST /j/${closed.slug}/actions`, locked);
      same(refusal.body.error, 'identity_required', 'the error');
    },
  ),
  ...causes.map(([uniqueId, status, error, what, test]) =>
    row(
      `\`${error}\` (${status}): ${what}`,
      `Sends the \`unique_id\` for which a [sandbox team](sandbox.md) gets this error: status, code, keys and \`Retry-After\`; the contact does not exist after it. ${test} makes a real one.`,
      async ({ team }) => {
        const { body, headers } = await team.call(status, 'POST /v1/contacts', { unique_id: uniqueId });
        same([keysOf(body), body.error], [['error', 'message', 'request_id'], error], 'the body');
        same(headers.has('retry-after'), status !== 500, 'Retry-After');
        same((await team.call(200, `GET /v1/contacts?unique_id=${uniqueId}`)).body.contacts, [], 'the contacts');
      },
    ),
  ),
  row(
    '`invalid_client`, `unsupported_grant_type`, `invalid_request` and `invalid_scope` are the errors of the token endpoint, with `error_description`.',
    'Compares the keys of a refusal; the codes are checked under POST /oauth2/token.',
    async ({ team }) => {
      const refusal = await team.open(
        401,
        'POST /oauth2/token',
        new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }),
      );
      same(
        [keysOf(refusal.body), refusal.body.error],
        [['error', 'error_description'], 'invalid_client'],
        'the refusal',
      );
    },
  ),
  row(
    'Every response has `x-request-id` and `X-Content-Type-Options: nosniff`, and with a token `Cache-Control: no-store`.',
    'Compares the headers of a right response and of an error.',
    async ({ team }) => {
      for (const { headers } of [
        await team.call(200, 'GET /v1/objectives'),
        await team.call(404, 'GET /v1/contacts/x'),
      ]) {
        matches(headers.get('x-request-id'), /./, 'x-request-id');
        same(
          [headers.get('x-content-type-options'), headers.get('cache-control')],
          ['nosniff', 'no-store'],
          'the headers',
        );
      }
    },
  ),
];
