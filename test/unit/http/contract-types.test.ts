import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '../../../lib/http/contract.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { noContent, pageReply, type ReplyOf, reply, seeOther } from '../../../lib/http/reply.ts';

/** `npm run types` fails where a line under `@ts-expect-error` compiles. */
const responses = () =>
  ({
    200: { description: 'It was there', schema: z.object({ openapi: z.string(), count: z.int().optional() }) },
    201: { description: 'It is new', schema: z.object({ is_new: z.boolean() }) },
    204: { description: 'Done' },
    303: { description: 'Continue there' },
    404: { description: 'It is not there', mediaType: 'text/html' },
  }) as const;
const about = { id: 'get-openapi', tag: 'Public documents', summary: 'An example' } as const;
const example = contract<typeof responses>()(about);
type Example = ReplyOf<typeof example>;
const page = { html: '<p>', headers: {} };

const dependencies = () => ({
  logger: { info: () => {}, error: () => {} },
  metricFields: () => ({}),
  now: () => 0,
  baseUrl: 'https://api.example.com',
  gzip: async (text: string) => Buffer.from(text),
});
const event = { headers: {}, requestContext: { requestId: 'request-1' } } as never;

test('a reply that the contract declares is sent', async () => {
  const handler = endpoint(dependencies, example, async () => reply(200, { openapi: '3.1.0' }, { etag: '"1"' }));
  expect(await handler(event)).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'application/json', etag: '"1"' },
    body: '{"openapi":"3.1.0"}',
  });
});

test('a contract allows the replies that it declares', () => {
  const allowed: Example[] = [
    reply(200, { openapi: 'any' }),
    reply(201, { is_new: true }),
    noContent,
    seeOther('/elsewhere'),
    pageReply(404, page),
  ];
  expect(allowed.map(({ status }) => status)).toEqual([200, 201, 204, 303, 404]);
});

test('a contract allows no other replies', () => {
  const refused: Example[] = [
    // @ts-expect-error a status that it does not declare
    reply(202, { openapi: 'any' }),
    // @ts-expect-error a missing field
    reply(200, {}),
    // @ts-expect-error a field of the wrong type
    reply(200, { openapi: 3 }),
    // @ts-expect-error an optional field of the wrong type
    reply(200, { openapi: 'any', count: '1' }),
    // @ts-expect-error the body of another status
    reply(201, { openapi: 'any' }),
    // @ts-expect-error JSON where it declares nothing
    reply(204, {}),
    // @ts-expect-error a page where it declares JSON
    pageReply(200, page),
    // @ts-expect-error JSON where it declares a page
    reply(404, { openapi: 'any' }),
    // @ts-expect-error an image where it declares a page
    { status: 404, content: { type: 'image/gif', text: '' } },
  ];
  expect(refused).toHaveLength(9);
});

test('a handler returns no other replies', () => {
  const handlers = [
    // @ts-expect-error a status that the contract does not declare
    endpoint(dependencies, example, () => reply(202, { openapi: 'any' })),
    // @ts-expect-error a missing field
    endpoint(dependencies, example, () => reply(200, {})),
    // @ts-expect-error a field of the wrong type
    endpoint(dependencies, example, async () => reply(200, { openapi: 3 })),
    // @ts-expect-error the body of another status, in one of two branches
    endpoint(dependencies, example, () => (page.html ? noContent : reply(201, { openapi: 'any' }))),
    // @ts-expect-error no reply
    endpoint(dependencies, example, () => {}),
  ];
  expect(handlers).toHaveLength(5);
});
