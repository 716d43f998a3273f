import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { llmsText } from '../../bin/reference/llms.ts';
import { postmanCollection } from '../../bin/reference/postman.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';

type Operation = {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: object }> };
};
const document = openApiDocument('https://api.example.com');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, each]) => ({ ...each, method, path })),
);

describe('the Postman collection', () => {
  const items = postmanCollection().item.flatMap(({ item }) => item);

  test('has each operation of the document once', () => {
    expect(items.map(({ id }) => id).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  test.each(items)('asks for "$name" as the document describes it', ({ id, request }) => {
    const operation = operations.find(({ operationId }) => operationId === id)!;
    const { url } = request;
    const template = `/${url.path.map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part)).join('/')}`;
    expect([request.method, template]).toEqual([operation.method.toUpperCase(), operation.path]);
    const named = (place: string) => (operation.parameters ?? []).filter((each) => each.in === place);
    expect((url.variable ?? []).map(({ key }) => key)).toEqual(named('path').map(({ name }) => name));
    expect((url.query ?? []).map(({ key }) => key)).toEqual(named('query').map(({ name }) => name));
    // What the API needs has an example, so that the request works as it is or after an id is replaced.
    const isApi = operation.path.startsWith('/v1/');
    if (isApi)
      expect([...(url.variable ?? []), ...(url.query ?? []).filter(({ disabled }) => !disabled)]).not.toContainEqual(
        expect.objectContaining({ value: '' }),
      );
    expect('auth' in request).toBe(operation.security.length === 0);
    const raw = (request as { body?: { raw?: string } }).body?.raw;
    const schema = operation.requestBody?.content['application/json']?.schema;
    expect(raw === undefined).toBe(schema === undefined);
    if (raw === undefined) return;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const validate = ajv.compile({ ...schema, components: document.components });
    expect([validate(JSON.parse(raw)), validate.errors]).toEqual([true, null]);
  });
});

test('llms.txt names each operation with its method and path, and has the form of llmstxt.org', () => {
  const text = llmsText();
  for (const { method, path, operationId } of operations) {
    expect(text).toContain(`\n- \`${method.toUpperCase()} ${path}\` (${operationId}): `);
  }
  expect(text).toMatch(/^# .+\n\n> .+\n\n/);
  expect(text.match(/^# /gm)).toHaveLength(1);
});
