import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectRoot, read } from '../../support/architecture/sources.ts';

/** Words that docs/data-model.md replaces, as far as they can be found without reading the sentence. */
const replaced = /\b(?:whoever|whomever|anew|mend(?:s|ed|ing)?|faulty|asunder|herewith|thereof|lest|hither)\b/i;

const written = [
  ...globSync('{lib,functions,bin,infra}/**/*.ts', { cwd: projectRoot }),
  ...globSync('docs/**/*.md', { cwd: projectRoot }),
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
].filter((path) => path !== 'docs/data-model.md');

test('comments, messages and pages use the words of the vocabulary', () => {
  const found = written.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (replaced.test(line) ? [`${path}:${at + 1}: ${replaced.exec(line)?.[0]}`] : [])),
  );
  expect(found).toEqual([]);
});
