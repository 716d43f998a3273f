import { beforeAll, describe, expect, test } from 'vitest';
import exchanges from '../../../examples/exchanges.json' with { type: 'json' };
import { allContracts } from '../../../functions/contracts.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { problems } from '../../../lib/http/errors.ts';
import type { Exchange } from '../../../lib/http/openapi/exchanges.ts';
import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import { service, type TestResponse } from '../../support/service/service.ts';

const contracts = await allContracts();

// biome-ignore lint/suspicious/noExplicitAny: the test reads the document at any depth
type Json = any;

let response: TestResponse;
let document: Json;
let baseUrl: string;

beforeAll(async () => {
  const running = await service();
  baseUrl = running.baseUrl;
  response = await running.request('GET', '/openapi.json');
  document = response.body;
});

type Operation = { path: string; method: string; operation: Json; route: Route };

/** Operations that only the service's pages call are not published. Another test checks that nothing else is missing. */
const operations = (): Operation[] =>
  (routes as readonly Route[]).flatMap((route) =>
    route.methods.flatMap((method) => {
      const operation = document.paths[route.path]?.[method.toLowerCase()];
      return operation ? [{ path: route.path, method, operation, route }] : [];
    }),
  );

/** Every object in the document, with the path to it. */
function* objects(value: Json, at = ''): Generator<[at: string, value: Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [at, value];
  for (const [key, child] of Object.entries(value)) yield* objects(child, `${at}/${key.replaceAll('/', '~1')}`);
}

const resolve = (reference: string): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce((parent, key) => parent?.[key], document);

describe('GET /openapi.json', () => {
  test('needs no token and may be kept', () => {
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]\d*$/);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  test('has the header `Link` on every list in pages, except the feed of events', () => {
    const paged = operations().filter(({ operation }) =>
      operation.parameters?.some(({ name }: Json) => name === 'cursor'),
    );
    const without = paged.filter(({ operation }) => !('link' in (operation.responses[200].headers ?? {})));
    expect(without.map(({ path }) => path)).toEqual(['/v1/events']);
  });

  test('says the default of query parameters, also of those that are converted', () => {
    const defaults = (path: string) =>
      document.paths[path].get.parameters
        .filter(({ schema }: Json) => 'default' in schema)
        .map(({ name, schema }: Json) => [name, schema.default]);
    expect(defaults('/v1/contacts')).toEqual([
      ['limit', 20],
      ['offset', 0],
      ['sort_column', 'inserted_at'],
      ['sort_direction', 'asc'],
    ]);
    expect(defaults('/v1/batches')).toEqual([['limit', 20]]);
  });

  test('says where the service is and how to get a token there', () => {
    expect(document.servers).toEqual([{ url: baseUrl, description: 'This installation' }]);
    const { tokenUrl } = document.components.securitySchemes.oauth2.flows.clientCredentials;
    expect(tokenUrl).toBe(`${baseUrl}/oauth2/token`);
  });

  test('refers only to what it holds', () => {
    const references = [...objects(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test('holds no part that nothing refers to', () => {
    const text = JSON.stringify(document);
    const parts = Object.entries(document.components)
      .filter(([kind]) => kind === 'schemas')
      .flatMap(([kind, named]) => Object.keys(named as object).map((name) => `#/components/${kind}/${name}`));
    expect(parts.filter((part) => !text.includes(`"$ref":"${part}"`))).toEqual([]);
  });

  test('says of everything what it is', () => {
    // A field that is itself called "properties" makes the list of fields look like a schema.
    const isList = (at: string) => (/(?:\/properties)*$/.exec(at)![0].length / '/properties'.length) % 2 === 1;
    const schemas = [...objects(document)].filter(
      ([at]) => !isList(at) && !/\/(?:not|example|examples)\//.test(`${at}/`),
    );
    const fields = schemas.flatMap(([at, { properties }]) =>
      Object.entries((properties ?? {}) as Json).map(([name, field]) => [`${at}/${name}`, field] as const),
    );
    const parts = Object.values(document.components).flatMap((named) => Object.entries(named as Json));
    const described = operations().flatMap(({ operation }) => [
      [operation.operationId, operation],
      ...(operation.parameters ?? []).map((each: Json) => [`${operation.operationId} ${each.name}`, each]),
      ...Object.entries(operation.responses).map(([status, answer]) => [`${operation.operationId} ${status}`, answer]),
    ]);
    const all = [...fields, ...parts, ...described, ...document.tags.map((tag: Json) => [tag.name, tag])];
    const silent = all.filter(([, part]) => !part.$ref && !part.description);
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(fields.length).toBeGreaterThan(300);
  });

  test('says that an account number and a product code are never empty', () => {
    const { account_number, product } = document.components.schemas.AccountInput.properties;
    expect([account_number.minLength, resolve(product.$ref).properties.code.minLength]).toEqual([1, 1]);
  });

  test('lets what holds free-form data hold anything, in words', () => {
    const { meta_public } = document.components.schemas.ContactInput.properties;
    const [free, none] = meta_public.anyOf;
    expect([resolve(free.$ref), none]).toEqual([
      { type: 'object', additionalProperties: {}, description: 'Any JSON object' },
      { type: 'null' },
    ]);
  });

  test('names every operation once, in camel case', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['listContacts', 'updateContact', 'updateContactByPatch']));
  });

  test('asks for a token exactly where one is needed', () => {
    expect(document.security).toEqual([{ oauth2: [] }, { bearer: [] }]);
    for (const { operation, route } of operations()) {
      const scope = contracts.find(({ id }) => id === route.id)?.scope;
      const guarded = [{ oauth2: [scope] }, { bearer: [] }];
      expect(scope !== undefined).toBe(route.access === 'bearer');
      expect(operation.security).toEqual(route.access === 'public' ? [] : guarded);
    }
  });

  test('names every scope that an operation needs, and what each allows', () => {
    const { scopes } = document.components.securitySchemes.oauth2.flows.clientCredentials;
    const needed = operations().flatMap(({ operation }) =>
      operation.security.flatMap(({ oauth2 }: Json) => oauth2 ?? []),
    );
    expect(Object.keys(scopes)).toEqual(allScopes);
    // That one is not needed for an operation, but for what it shows.
    expect([...new Set(needed), 'contacts:private'].sort()).toEqual([...allScopes].sort());
  });

  test('declares every parameter of a path, and no other', () => {
    for (const { path, operation } of operations()) {
      const declared = (operation.parameters ?? []).filter((each: Json) => each.in === 'path');
      expect(declared.map((each: Json) => `{${each.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test('has one answer for each error that an operation can have, with its code in the examples', () => {
    const answers = Object.values(document.components.responses) as Json[];
    const codes = answers.map(({ content }) => [
      ...new Set((Object.values(content['application/json'].examples) as Json[]).map(({ value }) => value.error)),
    ]);
    const used = operations().flatMap(({ operation }) => Object.values(operation.responses) as Json[]);
    const names = used.flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref.split('/').at(-1)]));
    const snake = (name: string) => name.replace(/\B[A-Z]/g, '_$&').toLowerCase();
    expect(codes.flat().sort()).toEqual([...new Set(names.map(snake))].sort());
    for (const code of codes.flat()) expect(problems).toHaveProperty(code);
  });

  test('shows with an operation what was recorded of it, and nothing of another', () => {
    const recordedOf = Map.groupBy(exchanges as Exchange[], ({ operation }) => operation);
    const isCode = (name: string) => Object.hasOwn(problems, name);
    for (const { operation } of operations()) {
      const shown = [...objects(operation)].flatMap(([at, { examples }]) =>
        at.includes('/content/') && examples ? Object.keys(examples) : [],
      );
      const own = (recordedOf.get(operation.operationId) ?? []).map(({ name }) => name);
      expect(shown.filter((name) => !own.includes(name) && !isCode(name))).toEqual([]);
    }
    const shared = (Object.values(document.components.responses) as Json[]).flatMap(({ content }) =>
      Object.keys(content['application/json'].examples),
    );
    expect(shared.filter((name) => !isCode(name))).toEqual([]);
  });

  test('lists every error with its status', () => {
    for (const [code, { status }] of Object.entries(problems)) {
      expect(document.info.description).toContain(`| ${status} | \`${code}\` |`);
    }
  });

  const always = ['429', '500', '503'];
  const taking = ['400', '413', '415', '422'];
  test.each([
    ['createToken', ['200', '400', '401', '413', '415', ...always]],
    ['listContacts', ['200', '400', '401', '403', '413', ...always]],
    ['upsertContacts', ['200', '201', '401', '403', ...taking, ...always]],
    ['getContact', ['200', '304', '400', '401', '403', '404', ...always]],
    ['updateContact', ['200', '401', '403', '404', '412', ...taking, ...always]],
    ['updateContactByPatch', ['200', '401', '403', '404', '412', ...taking, ...always]],
    ['listContactAccounts', ['200', '400', '401', '403', '404', '413', ...always]],
    ['createBatch', ['202', '401', '403', '409', ...taking, ...always]],
    ['getBatch', ['200', '400', '401', '403', '404', ...always]],
    ['findBatch', ['200', '400', '401', '403', '404', ...always]],
    ['createJourney', ['200', '201', '401', '403', '404', ...taking, ...always]],
    ['listJourneys', ['200', '400', '401', '403', '413', ...always]],
    ['confirmJourney', ['200', '401', '403', '404', '409', ...taking, ...always]],
    ['cancelJourney', ['200', '400', '401', '403', '404', '409', ...always]],
    ['listResponses', ['200', '400', '401', '403', '404', ...always]],
    ['recordAction', ['204', '303', '403', '404', '409', '410', ...taking, ...always]],
    ['getOpenapi', ['200', '304', ...always]],
    ['getOauthMetadata', ['200', '304', ...always]],
    ['getJwks', ['200', '304', ...always]],
  ])('%s can answer what the contract says', (name, statuses) => {
    const found = operations().find(({ operation }) => operation.operationId === name);
    expect(Object.keys(found?.operation.responses ?? {}).sort()).toEqual([...statuses].sort());
  });
});
