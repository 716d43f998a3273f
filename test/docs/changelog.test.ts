import { expect, test } from 'vitest';
import { read } from '../architecture/sources.ts';

const releases = read('CHANGELOG.md').split(/^## /m).slice(1);

test('the changelog begins with what is not released yet, then with the version of package.json', () => {
  const [unreleased, latest] = releases.map((release) => release.split('\n')[0]);
  expect(unreleased).toBe('[Unreleased]');
  expect(latest).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  expect(latest).toContain(`[${JSON.parse(read('package.json')).version}]`);
});

test.each(releases)('a release says what changes for partners and for operators', (release) => {
  const headings = [...release.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Partners', 'Operators']);
});
