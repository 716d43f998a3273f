import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot, read } from '../../support/architecture/sources.ts';

const steps = [...read('docs/data-model.md').matchAll(/^\| (`[^|]+`) in `([^`]+)` \|/gm)].flatMap(([, names, file]) =>
  names!.split(', ').map((name) => [name.replaceAll('`', ''), file!] as const),
);

test('the walk through the code has its steps', () => {
  expect(steps.length).toBeGreaterThan(50);
});

test.each(steps)('%s is in %s', (name, file) => {
  expect(existsSync(join(projectRoot, file))).toBe(true);
  expect(read(file)).toMatch(new RegExp(`(?:function|const|class) ${name}\\b`));
});
