import { expect, test } from 'vitest';
import { block, inBlock, template, warningsOf } from '../support/content-warnings.ts';

test('an agreement with a heading alone says nothing to agree to', () => {
  expect(warningsOf(block('agreement', { heading: 'A' }))).toEqual([
    expect.stringMatching(`${inBlock}/data has no \`agreementText\``),
  ]);
});

test.each([
  { heading: 'Lora, Georgia', body: 'Arial' },
  { heading: 'Lora', heading_file_id: '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10' },
  { body: 'system-ui' },
])('a font that is shown is none: %j', (typography) => {
  expect(warningsOf(template({ theme: { typography } }))).toEqual([]);
});

test.each(['inherit', 'Georgia, initial', 'Revert-Layer'])('a keyword is no font: %s', (body) => {
  const found = warningsOf(template({ theme: { typography: { body } } }));
  expect(found).toEqual([expect.stringMatching(/typography\/body.*no keyword such as `inherit`/)]);
});
