import { describe, expect, test } from 'vitest';
import { block, inBlock, template, warningsOf } from '../support/content-warnings.ts';

const text = (data: object, type = 'text') => block(type, data, { completion_condition: null });

describe('what is empty, or cannot be shown as it should, is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    ['a text', text({}), `${inBlock}/data`, /the block is not shown.*`heading` or `body`/],
    ['a card', text({ heading: '', body: ' ' }, 'card'), `${inBlock}/data`, /nothing to show/],
    ['a button', text({}, 'button'), `${inBlock}/data`, /write `text`/],
    ['a document', text({}, 'document'), `${inBlock}/data`, /nothing to show/],
    [
      'an agreement with a heading alone',
      block('agreement', { heading: 'A' }),
      `${inBlock}/data`,
      /no `agreementText`/,
    ],
    ['a color', template({ theme: { palette: { text: '' } } }), '/templates/0/theme/palette/text', /it is empty/],
    [
      'a size',
      template({ theme: { typography: { base_size: '' } } }),
      '/templates/0/theme/typography/base_size',
      /it is empty/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });
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
