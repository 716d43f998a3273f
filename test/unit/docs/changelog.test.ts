import { expect, test } from 'vitest';
import { read } from '../../support/architecture/sources.ts';

const releases = read('CHANGELOG.md').split(/^## /m).slice(1);

test('the changelog begins with what is not released yet; the latest release has the version of package.json', () => {
  const [unreleased, latest] = releases.map((release) => release.split('\n')[0]);
  expect(unreleased).toBe('[Unreleased]');
  const version = JSON.parse(read('package.json')).version;
  if (latest !== undefined) expect(latest).toMatch(new RegExp(`^\\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`));
});

test.each(releases)('a release says what changes for partners and for operators', (release) => {
  const headings = [...release.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Partners', 'Operators']);
});
