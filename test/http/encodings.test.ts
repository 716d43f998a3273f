import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../lib/domain/problem.ts';
import { jsonBody } from '../../lib/http/body.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

const json = 'application/json';
const encoded = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  ({
    headers: { 'content-type': json, ...headers },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  }) as unknown as APIGatewayProxyEventV2;
/** A body that the gateway passes on as text: bytes that are not UTF-8 are replaced by U+FFFD. */
const replaced = (bytes: Uint8Array) =>
  ({
    headers: { 'content-type': json, 'content-length': String(bytes.byteLength) },
    body: Buffer.from(bytes).toString('utf8'),
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2;

function codeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a body whose bytes are not UTF-8', () => {
  const bodies = [
    ['Latin-1', latin1('{"unique_id":"M\xfcller"}')],
    ['a lone continuation byte', Buffer.from([...latin1('{"a":"'), 0x80, ...latin1('"}')])],
    ['an overlong form', Buffer.from([...latin1('{"a":"'), 0xc0, 0xaf, ...latin1('"}')])],
    ['an encoded surrogate', Buffer.from([...latin1('{"a":"'), 0xed, 0xa0, 0x80, ...latin1('"}')])],
    ['a sequence that is cut off', Buffer.from([...latin1('{"a":"'), 0xf0, 0x9f, ...latin1('"}')])],
  ] as const;

  test.each(bodies)('but %s is refused, in base64 and where the gateway replaced it', (_, bytes) => {
    expect(codeOf(() => jsonBody(encoded(bytes)))).toBe('invalid_request');
    expect(codeOf(() => jsonBody(replaced(bytes)))).toBe('invalid_request');
  });

  test('is told from one that holds U+FFFD itself', () => {
    const body = Buffer.from('{"name_last":"M\ufffdller"}');
    expect(jsonBody(replaced(body))).toEqual({ name_last: 'M\ufffdller' });
    expect(jsonBody(encoded(body))).toEqual({ name_last: 'M\ufffdller' });
  });
});

describe('over HTTP', () => {
  let api: TestService;
  let team: TestTeam;
  beforeAll(async () => {
    api = await service();
    team = await api.newTeam();
  });

  const post = (body: Uint8Array | string, headers = {}) =>
    api.request('POST', '/v1/contacts', { token: team.token, body, headers });

  test('two names that differ in a byte that is not UTF-8 do not become one contact', async () => {
    for (const name of ['M\xfcller', 'M\xe4ller']) {
      const answer = await post(latin1(`{"unique_id":"${name}"}`));
      expect(answer.status).toBe(400);
      expect(answer.body.details).toEqual([{ path: '', message: 'must be UTF-8' }]);
    }
    expect((await post('{"unique_id":"M\ufffdller"}')).body.details).toMatchObject([{ path: '/unique_id' }]);
    expect((await api.request('GET', '/v1/contacts', { token: team.token })).body.contacts).toEqual([]);
  });

  test('so is a body that is sent in parts, without its length', async () => {
    const parts = new ReadableStream({
      start(controller) {
        controller.enqueue(latin1('{"unique_id":"M\xfc'));
        controller.enqueue(latin1('ller"}'));
        controller.close();
      },
    });
    const { status } = await fetch(new URL('/v1/contacts', api.baseUrl), {
      method: 'POST',
      headers: { 'content-type': json, authorization: `Bearer ${team.token}` },
      body: parts,
      duplex: 'half',
    } as RequestInit);
    expect(status).toBe(400);
  });

  test.each([
    [
      'account_number',
      { account_number: 'a\ufffd', product: { code: 'P', type: 'loan' } },
      '/records/0/account_number',
    ],
    ['product.code', { account_number: 'a', product: { code: 'P\ufffd', type: 'loan' } }, '/records/0/product/code'],
    ['contact.unique_id', { account_number: 'a', contact: { unique_id: '\ufffd' } }, '/records/0/contact/unique_id'],
  ])('U+FFFD is refused in %s', async (_, record, path) => {
    const answer = await api.request('POST', '/v1/batches', {
      token: team.token,
      body: { type: 'accounts', records: [record] },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});
