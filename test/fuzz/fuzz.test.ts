import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { read } from '../architecture/sources.ts';
import { putContent } from '../support/content.ts';
import { service, type TestService } from '../support/service.ts';
import { errorDetailsOf } from './answers.ts';
import { arbitraryOf } from './arbitrary.ts';
import type { Trial } from './draft.ts';
import { fuzz } from './fuzz.ts';
import { InterfaceDocument, type Operation, type Schema } from './schema.ts';
import { curlOf } from './transport.ts';

let api: TestService;
let document: InterfaceDocument;
beforeAll(async () => {
  api = await service();
  document = new InterfaceDocument((await api.request('GET', '/openapi.json')).body);
});

/** `npm run fuzz` sends many more. */
test('600 random requests are answered as the document says, and what it forbids changes nothing', async () => {
  const { teamId, clientId, clientSecret } = await api.newTeam();
  await putContent(api.database, teamId, JSON.parse(read('examples/campaigns.json')));
  const target = { baseUrl: api.baseUrl, clientId, clientSecret };
  const report = await fuzz(target, { requests: 600, seed: 7 });
  expect(report.failures).toEqual([]);
  expect(report.untouched).toBe(true);
  const never = report.operations.filter(
    ({ statuses }) => !Object.keys(statuses).some((status) => Number(status) < 400),
  );
  expect(never.map(({ operation }) => operation)).toEqual([]);
}, 60_000);

describe('what the fuzz sends', () => {
  test('is valid by the schema that it is made from', () => {
    for (const { bodies } of document.operations) {
      for (const schema of Object.values(bodies)) {
        const values = fc.sample(arbitraryOf(document, {})(schema), { numRuns: 50, seed: 7 });
        expect(values.filter((value) => !document.isValid(schema, value))).toEqual([]);
      }
    }
  });

  test.each([
    [{ type: 'string', contentEncoding: 'base64' }, 'the keyword contentEncoding'],
    [{ type: 'string', format: 'hostname' }, 'the format hostname'],
    [{ type: 'tuple' }, 'the type tuple'],
    [{ type: 'array' }, 'what the array holds'],
  ])('is never made from what it does not understand: %j', (schema, what) => {
    expect(() => arbitraryOf(document, {})(schema as Schema)).toThrow(`the fuzz does not know ${what}`);
  });
});

describe('an answer is at fault', () => {
  const schema: Schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const headers = { 'x-request-id': { schema: { type: 'string' } } };
  const responses = { 200: { headers, content: { 'application/json': { schema } } }, 204: { headers } };
  const operation: Operation = {
    ...{ id: 'get', method: 'GET', path: '/', siblings: ['GET'], parameters: [], bodies: {} },
    ...{ needsToken: false, responses },
  };
  const sent = { method: 'GET', target: '/', headers: [] };
  const trial: Trial = { operation, sent, statuses: [200, 204], because: 'it is valid' };
  const good = {
    status: 200,
    headers: { 'content-type': 'application/json', 'x-request-id': '1' },
    text: '{"id":"1"}',
  };

  test('never, when it is as the document says', () => {
    expect(errorDetailsOf(document, trial, good)).toEqual([]);
  });

  test.each([
    ['with a status that the document does not name', { status: 202 }],
    ['with a status that this request does not get', { status: 500 }],
    ['of another media type', { headers: { ...good.headers, 'content-type': 'text/html' } }],
    ['without a header', { headers: { 'content-type': 'application/json' } }],
    ['without a field', { text: '{}' }],
    ['with a body where there is none', { status: 204 }],
  ])('%s', (_case, change) => {
    expect(errorDetailsOf(document, trial, { ...good, ...change })).not.toEqual([]);
  });
});

test('a failing request is shown as a command that holds no secrets', () => {
  const headers = [['authorization', 'Bearer abc']] as const;
  const text = curlOf('http://x', { method: 'POST', target: '/y', headers, body: `{"a":"it's"}` }, { TOKEN: 'abc' });
  const options = String.raw`-H 'authorization: Bearer '"$TOKEN"'' --data-binary '{"a":"it'\''s"}'`;
  expect(text).toBe(`curl -i --path-as-is -X POST 'http://x/y' ${options}`);
});
