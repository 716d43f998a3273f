import { expect, test } from 'vitest';
import { changedText } from '../../../bin/preview/edit.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { shownTemplateOf } from '../../../lib/domain/campaigns/shown-template.ts';
import { apply } from './content-imports.ts';

/** Which translations an import takes for older than their texts. */

const [template, page, block] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
type Given = { heading: string; body?: string; es?: Record<string, string>; from?: Record<string, string> };
const document = ({ heading, body = 'Body', es, from }: Given) => ({
  templates: [
    {
      ...{ id: template, ...(es ? { translations: { es } } : {}), ...(from ? { translated_from: { es: from } } : {}) },
      template_pages: [{ page: { id: page, content_blocks: [{ id: block, type: 'text', data: { heading, body } }] } }],
    },
  ],
});
const three = { heading: 'Three', es: { Three: 'Tres' } };
const five = { heading: 'Five', es: { Five: 'Tres' } };

test.each<[what: string, imports: Given[], stale: object | null]>([
  ['is new', [three], null],
  ['stays with its text', [three, three], null],
  ['stays while its text becomes another one', [three, five], { es: { Five: 'Three' } }],
  ['changes with its text', [three, { heading: 'Five', es: { Five: 'Cinco' } }], null],
  ['remains the same in later imports', [three, five, five], { es: { Five: 'Three' } }],
  [
    'remains while its text changes again',
    [three, five, { heading: 'Six', es: { Six: 'Tres' } }],
    { es: { Six: 'Three' } },
  ],
  ['gets its first text back', [three, five, three], null],
  ['is written again', [three, five, { heading: 'Five', es: { Five: 'Cinco' } }], null],
  ['is looked at', [three, { ...five, from: { Five: 'Five' } }, five], null],
  ['is said to be of another text', [{ ...five, from: { Five: 'Four' } }], { es: { Five: 'Four' } }],
  ['is gone', [three, five, { heading: 'Five' }], null],
  [
    'is that of another place, too',
    [
      { heading: 'Yes', body: 'Of course', es: { Yes: 'Sí', 'Of course': 'Sí' } },
      { heading: 'Yes', body: 'Sure', es: { Yes: 'Sí', Sure: 'Sí' } },
    ],
    { es: { Sure: 'Of course' } },
  ],
])('a translation that %s', (_what, imports, stale) => {
  const stored = imports.reduce((before, given) => apply(before, document(given)).content, noContent);
  expect(stored.templates[0]!.translated_from).toEqual(stale);
});

const inPreview = (given: object, path: string, before: string, text: string) =>
  JSON.parse(changedText(JSON.stringify({ templates: [given] }), { path: `/templates/0${path}`, text: before }, text)!)
    .templates[0];
const es = { A: 'Á' };

test.each<
  [what: string, given: object, change: [path: string, before: string, text: string], marks: object | undefined]
>([
  ['of a text', { translations: { es } }, ['/ending/heading', 'A', 'B'], { es: { B: 'A' } }],
  [
    'of a text in several languages',
    { translations: { es, fr: { A: 'Â' }, de: {} }, translated_from: null },
    ['/ending/heading', 'A', 'B'],
    { es: { B: 'A' }, fr: { B: 'A' } },
  ],
  [
    'of a text that has changed before',
    { translations: { es }, translated_from: { es: { A: 'First', C: 'D' } } },
    ['/ending/heading', 'A', 'B'],
    { es: { B: 'First', C: 'D' } },
  ],
  [
    'of a text back to what it was',
    { translations: { es }, translated_from: { es: { A: 'First' } } },
    ['/ending/heading', 'A', 'First'],
    { es: { First: 'First' } },
  ],
  [
    'of a translation',
    { translations: { es }, translated_from: { es: { A: 'First' } } },
    ['/translations/es/A', 'Á', 'Ah'],
    { es: { A: 'A' } },
  ],
  ['of a translation of the present text', { translations: { es } }, ['/translations/es/A', 'Á', 'Ah'], undefined],
])('a change %s in the preview notes what its translations were made from', (_what, given, change, marks) => {
  expect(inPreview({ ...given, ending: { heading: 'A' } }, ...change).translated_from).toEqual(marks);
});

test('responses do not show it', () => {
  const [stored] = apply(apply(noContent, document(three)).content, document(five)).content.templates;
  expect(shownTemplateOf({ ...stored, team: null } as never)).not.toHaveProperty('translated_from');
});
