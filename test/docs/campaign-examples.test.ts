import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from '../../lib/domain/content/read.ts';
import { contentWarnings } from '../../lib/web/warnings/document.ts';
import { projectRoot, read } from '../architecture/sources.ts';

const page = read('docs/campaigns.md');
/** The sections of the guide. The reference after it has documents that show faults on purpose. */
const guide = page.slice(0, page.indexOf('\n## The document'));
const sections = guide
  .split(/^## /m)
  .slice(1)
  .map((text) => [text.split('\n', 1)[0]!, text] as const);

test.each(sections)('the example of "%s" has no warnings, and a picture', (_, section) => {
  const examples = [...section.matchAll(/```json content\n(.+?)```/gs)].map(([, text]) => JSON.parse(text!));
  for (const example of examples) {
    const { errors, document } = readDocument(example);
    expect([errors, contentWarnings(example, document!)]).toEqual([[], []]);
  }
  expect(examples).toHaveLength(1);
  expect(section).toMatch(/!\[[^\]]+\]\(images\/campaign-/);
});

test('every picture is there', () => {
  const pictures = [...page.matchAll(/\]\((images\/[^)]+)\)/g)].map(([, path]) => path!);
  expect(pictures.filter((path) => !existsSync(join(projectRoot, 'docs', path)))).toEqual([]);
});
