import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allContracts } from '../../../functions/contracts.ts';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import type { Contract } from '../../../lib/http/contract.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import type { Route } from '../../../lib/route.ts';
import { defaultRoute, docsRoutes, originCheck, routes } from '../../../lib/routes.ts';
import { projectRoot, read, sourcesOf } from '../../support/architecture/sources.ts';

const contracts = await allContracts();

const functions = [...routes, ...docsRoutes, ...backgroundFunctions, ...messageFunctions, defaultRoute, originCheck];

describe('the list of endpoints', () => {
  test('names a file for each function, and each file under functions/ once', () => {
    const files = sourcesOf('functions').flatMap(({ file }) => (file === 'functions/contracts.ts' ? [] : [file]));
    const own = functions.filter((each) => !('servedBy' in each));
    expect(own.map(({ file }) => file).sort()).toEqual(files);
    for (const { servedBy, file, grants } of (routes as readonly Route[]).filter(
      (each) => each.servedBy !== undefined,
    )) {
      expect(routes.find(({ id }) => id === servedBy)).toMatchObject({ file, grants });
    }
  });

  test.each(functions.map(({ id, file }) => ({ id, file })))('$id exports a handler', ({ file }) => {
    expect(existsSync(join(projectRoot, file))).toBe(true);
    expect(read(file)).toMatch(/^export (?:const|async function|function) handler\b/m);
  });

  test('gives every function an id of its own', () => {
    const ids = functions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('sends each method of a path to one function', () => {
    const addresses = [...routes, ...docsRoutes].flatMap(({ methods, path }) =>
      methods.map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    );
    expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([]);
  });

  test('has one contract for each route, and no contract has none', () => {
    expect(contracts.map(({ id }) => id).sort()).toEqual(routes.map(({ id }) => id).sort());
  });

  // The wrapper of the endpoints checks that a function authenticates exactly when its contract names a scope.
  test('needs a token exactly where the contract names a scope', () => {
    const withScope = contracts.filter(({ scope }) => scope !== undefined).map(({ id }) => id);
    const withToken = routes.filter(({ access }) => access === 'bearer').map(({ id }) => id);
    expect(withScope.sort()).toEqual([...withToken].sort());
  });

  test.each([
    ['the OpenAPI document', {}, ({ ofOwnPages }: Contract) => !ofOwnPages],
    ['the whole of it, with what our own pages call', { whole: true }, () => true],
  ])('is the list of operations of %s', (_, extent, isDescribed) => {
    const document = openApiDocument(contracts, 'https://api.example.com', extent);
    const { paths } = document as { paths: Record<string, Record<string, object>> };
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const described = new Set(contracts.filter(isDescribed).map(({ id }) => id));
    const listed = routes
      .filter(({ id }) => described.has(id))
      .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
    expect(documented.sort()).toEqual(listed.sort());
  });

  test('keeps the reference, which is for people, out of the interface', () => {
    const { paths } = openApiDocument(contracts, 'https://api.example.com') as { paths: object };
    expect(docsRoutes.filter(({ path }) => path in paths)).toEqual([]);
    expect(docsRoutes.map(({ access }) => access)).toEqual(docsRoutes.map(() => 'public'));
  });

  const wired = routes.map(({ id, file, access }) => ({ id, file, access }));
  test.each(wired)('$id answers by its own contract, to whom its row says', ({ id, file, access }) => {
    const contract = id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const forms = {
      bearer: `\\b(?:bearer|list)Endpoint\\(\\s*${contract}\\b`,
      public: `\\bpublicEndpoint\\(\\s*${contract}\\b|\\bhttpHandler\\(\\s*requests, '${id}'`,
    };
    expect(read(file)).toMatch(new RegExp(forms[access]));
  });
});
