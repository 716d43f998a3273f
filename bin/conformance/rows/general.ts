import { holds, keysOf, refused, same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';

const service = sectionOf('What the service does');
const events = sectionOf('Events');
const errors = sectionOf('Errors');
const limits = sectionOf('Limits');
const versions = sectionOf('Versioning');

const invalid = { error: 'invalid_token' };

export const generalRows: readonly Row[] = [
  service.row(
    'Contacts are keyed by the `unique_id` of the caller, and accounts are linked to contacts many-to-many.',
    'Links two accounts to two contacts: each contact has both.',
    async ({ team }) => {
      const contacts = [await team.contact(), await team.contact()];
      const records = contacts.flatMap(({ unique_id }) =>
        ['a', 'b'].map((at) => ({
          account_number: `${at}-${contacts[0].id}`,
          contact: { unique_id },
          product: { code: 'plain', type: 'checking' },
        })),
      );
      await team.imported(records);
      const [one, two] = await Promise.all(
        contacts.map(async (each) => (await team.accountsOf(each)).map(({ account }) => account.id)),
      );
      same([one!.length, one], [2, two], 'the accounts of both contacts');
    },
  ),
  service.row(
    'Request and response bodies are JSON (`application/json`).',
    'Compares the type of a created contact and of an error. Another declared type: 415.',
    async ({ team }) => {
      const { headers } = await team.call(201, 'POST /v1/contacts', { unique_id: team.newId() });
      const error = await team.call(404, 'GET /v1/nothing');
      same(
        [headers.get('content-type'), error.headers.get('content-type')],
        ['application/json', 'application/json'],
        'the types',
      );
      const refusal = await team.call(415, 'POST /v1/contacts', '{}', { 'content-type': 'text/plain' });
      same(refusal.body.error, 'unsupported_media_type', 'the error');
    },
  ),
  service.elsewhere('All calls use HTTPS.', 'See Authentication, 6.', 'test/infra/edge.test.ts'),
  events.elsewhere(
    'There are no outbound events: page_viewed, page_completed and journey_completed are counted in `analytics_cache`.',
    'That a request is not sent cannot be shown by requests. What is counted is checked under analytics_cache.',
    'test/http/journey-completion.test.ts',
  ),
  errors.row(
    '401 for a missing token: `{"error": "invalid_token"}`.',
    'Calls without a token: exactly this body, and `WWW-Authenticate: Bearer`.',
    async ({ team }) => {
      const { body, headers } = await team.open(401, 'GET /v1/templates');
      same([body, headers.get('www-authenticate')], [invalid, 'Bearer'], 'body and WWW-Authenticate');
    },
  ),
  errors.elsewhere(
    '401 for an expired token: `{"error": "invalid_token"}`.',
    'See States and transitions.',
    'test/http/token-lifetime.test.ts',
  ),
  errors.row(
    '422 for a contact with neither `unique_id` nor `email`.',
    'Posts one: 422 with `validation_failed` and the path of the field.',
    async ({ team }) => {
      refused(await team.call(422, 'POST /v1/contacts', { city: 'Brno' }), 'validation_failed', '/unique_id');
    },
  ),
  errors.row(
    '422 for `product.standardized_type` outside the list, or `null`.',
    'Posts both in one batch: 422 with both paths.',
    async ({ team }) => {
      const records = ['piggy_bank', null].map((standardized_type) => ({
        account_number: 'a',
        product: { code: 'c', type: 'loan', standardized_type },
      }));
      const refusal = await team.call(422, 'POST /v1/batches', { type: 'accounts', records });
      const paths = [0, 1].map((at) => `/records/${at}/product/standardized_type`);
      refused(refusal, 'validation_failed', ...paths);
    },
  ),
  errors.elsewhere(
    '422 for a non-empty `completion_product_ids` or `completion_standardized_types` that changes the stored set, without the two features.',
    'Pages are made with the admin command, which fails with `validation_failed`.',
    'test/admin/content.test.ts',
  ),
  errors.row(
    '400 for a batch whose de-duplication cannot be honoured.',
    'Sends `chunk_index` without `batch_id` and 501 records at once: 400 with both paths.',
    async ({ team }) => {
      const records = Array.from({ length: 501 }, () => ({
        account_number: 'a',
        product: { code: 'c', type: 'loan' },
      }));
      const refusal = await team.call(400, 'POST /v1/batches', { type: 'accounts', chunk_index: 0, records });
      refused(refusal, 'invalid_request', '/batch_id', '/records');
    },
  ),
  errors.row(
    'Unrecognised fields in contact payloads are ignored without error.',
    'Sends one in a single contact, in a batch and in PATCH: 201, 200 and 200.',
    async ({ team }) => {
      const contact = await team.contact({ colour: 'blue' });
      holds(!('colour' in contact), 'the field is returned');
      await team.call(200, 'POST /v1/contacts', { contacts: [{ unique_id: contact.unique_id, colour: 1 }] });
      await team.call(200, `PATCH /v1/contacts/${contact.id}`, { colour: {} });
    },
  ),
  errors.row(
    'Credentials in the query string are revoked.',
    'Checked in full under POST /oauth2/token; here by PUT, which is 400 and revokes too. A wrong secret revokes nobody.',
    async ({ team }) => {
      const { client_id, client_secret } = await team.newClient();
      const query = (secret: string) => new URLSearchParams({ client_id, client_secret: secret });
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
      await team.open(400, `PUT /oauth2/token?${query('wrong')}`);
      await team.open(200, 'POST /oauth2/token', form);
      await team.open(400, `PUT /oauth2/token?${query(client_secret)}`);
      await team.open(401, 'POST /oauth2/token', form);
    },
  ),
  limits.row(
    '`limit` of GET /v1/contacts: 20 rows by default, 100 at most.',
    'Reads `limit` of the response without the parameter; 100 is accepted, 101 is 400. The OpenAPI document says the same.',
    async ({ team }) => {
      same((await team.call(200, 'GET /v1/contacts')).body.limit, 20, 'the default');
      await team.call(200, 'GET /v1/contacts?limit=100');
      refused(await team.call(400, 'GET /v1/contacts?limit=101'), 'invalid_request', 'limit');
      const { body } = await team.open(200, 'GET /openapi.json');
      const { schema } = body.paths['/v1/contacts'].get.parameters.find(
        ({ name }: { name: string }) => name === 'limit',
      );
      same([schema.default, schema.minimum, schema.maximum], [20, 1, 100], 'the documented limits');
    },
  ),
  limits.row(
    'The server-side chunk size of POST /v1/batches with de-duplication is 500 records.',
    '500 records with a pair: 202. 501: 400.',
    async ({ team }) => {
      const records = Array.from({ length: 500 }, (_, at) => ({
        account_number: `l-${at}`,
        product: { code: 'plain', type: 'loan' },
      }));
      const pair = { type: 'accounts', batch_id: crypto.randomUUID(), chunk_index: 0 };
      await team.call(400, 'POST /v1/batches', { ...pair, records: [...records, records[0]] });
      await team.call(202, 'POST /v1/batches', { ...pair, records });
    },
  ),
  versions.row(
    '1. The resource endpoints have the prefix `/v1`, the token endpoint has none.',
    'Paths without the prefix, and a token endpoint with it: 404.',
    async ({ team }) => {
      for (const path of ['/contacts', '/templates', '/v2/contacts', '/v1/oauth2/token'] as const) {
        same((await team.call(404, `GET ${path}`)).body.error, 'not_found', `the error of ${path}`);
      }
    },
  ),
  versions.row(
    '2. `unsubscribe_email` and `unsubscribe_sms` are deprecated in favour of `email_opted_in` and `sms_opted_in`.',
    'They work (see Contact), and are marked deprecated in the OpenAPI document; a request that sends one gets a `Deprecation` header.',
    async ({ team }) => {
      const { body } = await team.open(200, 'GET /openapi.json');
      const { properties } = body.components.schemas.ContactInput;
      const deprecated = Object.keys(properties).filter((field) => properties[field].deprecated === true);
      same(deprecated.sort(), ['unsubscribe_email', 'unsubscribe_sms'], 'the deprecated fields');
      const old = await team.call(201, 'POST /v1/contacts', { unique_id: team.newId(), unsubscribe_sms: true });
      const plain = await team.call(201, 'POST /v1/contacts', { unique_id: team.newId(), sms_opted_in: true });
      same([old.headers.has('deprecation'), plain.headers.has('deprecation')], [true, false], 'Deprecation');
    },
  ),
  versions.row(
    '3. Paths, parameters and fields use the word template for a campaign.',
    'No path, parameter or field of the OpenAPI document has the word campaign.',
    async ({ team }) => {
      const { body } = await team.open(200, 'GET /openapi.json');
      const fields = Object.values(body.components.schemas).flatMap((each) =>
        Object.keys((each as { properties?: object }).properties ?? {}),
      );
      const paths = Object.keys(body.paths);
      same(
        [...paths, ...fields].filter((each) => /campaign/i.test(each)),
        [],
        'the names with campaign',
      );
      holds(paths.includes('/v1/templates'), 'there is no /v1/templates');
    },
  ),
  versions.row(
    '4. The current form of a contact has the verified, opted-in and authorized flags and `meta_private`.',
    'Reads a contact: the seven fields are there. A contact without `unique_id` and `email` gets no generated id (422).',
    async ({ team }) => {
      const { body } = await team.call(200, `GET /v1/contacts/${(await team.contact()).id}`);
      const flags = ['email', 'sms'].flatMap((each) =>
        ['authorized', 'opted_in', 'verified'].map((what) => `${each}_${what}`),
      );
      const all = [...flags, 'meta_private'].sort();
      same(
        keysOf(body).filter((each) => all.includes(each)),
        all,
        'the fields',
      );
      await team.call(422, 'POST /v1/contacts', {});
    },
  ),
];
