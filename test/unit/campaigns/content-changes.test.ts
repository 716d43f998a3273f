import { expect, test } from 'vitest';
import { changeLines, contentChanges } from '../../../lib/content/content-changes.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { apply, laterImport } from './content-imports.ts';

/** What an administrator reads before an import publishes. The expectations are from the words of the tests. */

const heading = (id: string, text: string, more: object = {}) => ({
  id,
  type: 'heading',
  data: { heading: text, ...more },
});
const block = (n: number) => `00000000-0000-4000-8000-0000000000${n}`;
const page = (n: number, heading: object, more: object = {}) => ({
  page: { id: block(n), content_blocks: [heading], ...more },
});
const [steps, bye] = [heading(block(91), 'Three short steps'), heading(block(92), 'Goodbye')];
const message = (id: string, subject: string) => ({
  ...{ id, message: { id: block(70), content_name: 'Invitation', type: 'email', payload: { subject } } },
});
const welcome = {
  ...{ id: block(10), name: 'Welcome', status: 'draft' },
  translations: { es: { Goodbye: 'Adiós' }, fr: { Goodbye: 'Adieu' } },
  template_pages: [page(11, steps), page(12, bye)],
  template_messages: [message(block(71), 'Hello')],
};
const objective = { id: block(20), key: 'k', name: 'Card used' };
const stored = { objectives: [objective], templates: [welcome] };

const linesOf = (document: object): string[][] => {
  const before = apply(noContent, stored).content;
  const after = apply(before, document, { now: laterImport }).content;
  return contentChanges(before, after).map(changeLines);
};
const changed = (template: object) => ({ templates: [{ ...welcome, ...template }] });

test.each<[what: string, document: object, lines: string[][]]>([
  ['nothing', stored, []],
  [
    'new objects',
    { objectives: [{ key: 'new', name: 'New' }], templates: [{ name: 'Other' }] },
    [['Adds the objective "New"'], ['Adds the campaign "Other"']],
  ],
  [
    'a setting of an objective',
    { objectives: [{ ...objective, driver_id: 'd' }] },
    [['Changes the objective "Card used"', 'settings driver_id']],
  ],
  [
    'a text, in the page that has it',
    changed({ template_pages: [page(11, heading(block(91), 'Five short steps')), page(12, bye)] }),
    [
      [
        'Changes the campaign "Welcome"',
        'page changed: "Five short steps"',
        'text "Three short steps" becomes "Five short steps"',
      ],
    ],
  ],
  [
    'a page before the others, whose texts stay where they are',
    changed({ template_pages: [page(13, heading(block(93), 'First')), ...welcome.template_pages] }),
    [['Changes the campaign "Welcome"', 'page added: "First"']],
  ],
  [
    'the order of the pages',
    changed({ template_pages: welcome.template_pages.toReversed() }),
    [['Changes the campaign "Welcome"', 'settings order of the pages']],
  ],
  [
    'a page and a message that go',
    changed({ template_pages: [page(12, bye)], template_messages: [] }),
    [['Changes the campaign "Welcome"', 'page removed: "Three short steps"', 'message removed: "Invitation"']],
  ],
  [
    'the subject of a message',
    changed({ template_messages: [message(block(71), 'Good morning')] }),
    [['Changes the campaign "Welcome"', 'message changed: "Invitation"', 'text "Hello" becomes "Good morning"']],
  ],
  [
    'a translation and settings',
    changed({ status: 'live', translations: { ...welcome.translations, es: { Goodbye: 'Hasta luego' } } }),
    [['Changes the campaign "Welcome"', 'translations es', 'settings status']],
  ],
])('says %s', (_what, document, lines) => {
  expect(linesOf(document)).toEqual(lines);
});

test('an object that is no longer there is removed', () => {
  const before = apply(noContent, stored).content;
  expect(contentChanges(before, noContent).map(changeLines)).toEqual([
    ['Removes the objective "Card used"'],
    ['Removes the campaign "Welcome"'],
  ]);
});

test('names ten of many texts, and shortens a long one', () => {
  const texts = (letter: string) => Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`t${n}`, letter + n]));
  const at = (letter: string) => changed({ template_pages: [page(11, heading(block(91), 'Same', texts(letter)))] });
  const [before] = [apply(noContent, at('a')).content];
  const [lines] = contentChanges(before, apply(before, at('b'.repeat(100))).content).map(changeLines);
  expect(lines!.filter((line) => line.startsWith('text '))).toHaveLength(10);
  expect(lines![2]).toBe(`text "a0" becomes "${'b'.repeat(79)}…"`);
  expect(lines!.at(-1)).toBe('2 more texts change');
});

test('cuts long texts around their first difference', () => {
  const text = (end: string) => `${'Paper statements go to your branch. '.repeat(3)}${end}`;
  const at = (end: string) => changed({ template_pages: [page(11, heading(block(91), 'Same', { body: text(end) }))] });
  const before = apply(noContent, at('They come until May.')).content;
  const [lines] = contentChanges(
    before,
    apply(before, at(`They come until June ${'and later '.repeat(9)}`)).content,
  ).map(changeLines);
  expect(lines![2]).toBe(
    'text "… your branch. They come until May." becomes "… your branch. They come until June and later and later and later and later and…"',
  );
});
