import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractFault } from '../../support/http/contract.ts';
import { contractFaults } from '../../support/http/contract-fetch.ts';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

const ids = { 'x-request-id': 'id', 'apigw-requestid': 'id' };
const json = { ...ids, 'content-type': 'application/json' };
const error = { error: 'not_found', message: 'There is no such thing here.', request_id: 'id' };
const page = { contacts: [], limit: 20, offset: 0, has_more: false };

const errorOf = (method: string, path: string, status: number, headers: Record<string, string>, body?: unknown) =>
  contractFault({
    method,
    path,
    status,
    headers: new Headers(headers),
    text: body === undefined ? '' : JSON.stringify(body),
  });

describe('an answer is held against the document', () => {
  test.each<[string, string, ...Parameters<typeof errorOf>]>([
    ['a status', 'the status', 'GET', '/v1/contacts', 202, json, page],
    [
      'a media type',
      'the media type text/html',
      'GET',
      '/v1/contacts',
      200,
      { ...ids, 'content-type': 'text/html' },
      page,
    ],
    ['a field', '"more"', 'GET', '/v1/contacts', 200, json, { ...page, more: 1 }],
    ['a lack', "'has_more'", 'GET', '/v1/contacts', 200, json, { ...page, has_more: undefined }],
    ['a body', 'it has a body', 'POST', '/j/slug/actions', 204, json, {}],
    [
      'the lack of a request id',
      'x-request-id',
      'GET',
      '/v1/contacts',
      200,
      { 'content-type': 'application/json' },
      page,
    ],
    ['another Allow', 'Allow', 'DELETE', '/v1/objectives', 405, { ...json, allow: 'PUT' }, error],
    ['an error of its own form elsewhere', 'must have', 'GET', '/nowhere', 404, json, { error: 'not_found' }],
  ])('%s that it does not describe is found', (_, found, ...answered) => {
    expect(errorOf(...answered)).toContain(found);
  });
});

describe('every test', () => {
  let address: string;
  const server = createServer((_, response: ServerResponse) => {
    response.writeHead(200, json).end('{"undocumented":true}');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  test('fails that gets such an answer from a service, whatever it makes of it', async () => {
    await expect(fetch(`${address}/v1/objectives`)).rejects.toThrow('the document does not describe');
    expect(contractFaults.splice(0)).toEqual([expect.stringContaining('GET /v1/objectives answered 200')]);
  });
});

test('campaign content with nothing set is as the document says', async () => {
  const api = await service();
  const { teamId, token } = await api.newTeam();
  await putContent(api.database, teamId, {
    templates: [{ content_blocks: [{}], template_pages: [{ page: {} }], template_messages: [{ message: {} }] }],
  });
  const { body } = await api.request('GET', '/v1/templates', { token });
  const path = `/v1/templates/${body.templates[0].id}`;
  for (const part of ['', '/template_pages', '/template_messages']) {
    expect((await api.request('GET', path + part, { token })).status).toBe(200);
  }
});
