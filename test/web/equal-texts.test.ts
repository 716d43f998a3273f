import { expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { block, inBlock, warningsOf } from '../support/content-warnings.ts';

type Pairs = [label: string, value: string][];
const termsOf = (pairs: Pairs) => pairs.map(([label, value]) => ({ label, value }));
const card = (heading: string | null, pairs: Pairs) => ({ type: 'card', data: { heading, terms: termsOf(pairs) } });
const offer: Pairs = [
  ['Rate', '3.2 %'],
  ['Term', '12 months'],
  ['Fee', 'none'],
];
const otherOffer: Pairs = offer.map(([label, value]) => [label, label === 'Rate' ? '3.5 %' : value]);
const aboutEqual = (document: object) =>
  warningsOf(document).filter((each) => /tell|another value of|lowestText|other end/.test(each));
const pages = (...cards: object[]) => ({
  templates: [
    {
      template_pages: cards.map((each, index) => ({
        page: { navigation_title: `Step ${index}`, completion_condition: 'view', content_blocks: [each] },
      })),
    },
  ],
});

test.each<[what: string, pairs: Pairs, place: number | undefined]>([
  ['twice with different values', [...offer, ['rate ', '3.5 %']], 3],
  ['twice with the same value', [...offer, ['Fee', 'none']], 3],
  ['once', offer, undefined],
  [
    'that is a dash, twice',
    [
      ['–', 'No fee'],
      ['–', 'No risk'],
    ],
    undefined,
  ],
])('a list of terms with a label %s', (_what, pairs, place) => {
  const message = `${inBlock}/data/terms/${place}/label is also the label of term`;
  const found = aboutEqual(templateWith({ content_blocks: [card('Offer', pairs)] }));
  expect(found).toEqual(place === undefined ? [] : [expect.stringContaining(message)]);
});

test.each<[what: string, cards: object[], isWarned: boolean]>([
  ['one value differs', [card('Your offer', offer), card('Your offer', otherOffer)], true],
  ['nothing differs', [card('Your offer', offer), card('Your offer', offer)], false],
  ['the headings differ', [card('Basic', offer), card('Plus', otherOffer)], false],
  ['there are no headings', [card(null, offer), card(null, otherOffer)], false],
  [
    'two values differ',
    [
      card('A', offer),
      card('A', [
        ['Rate', '1 %'],
        ['Term', '2'],
        ['Fee', 'none'],
      ]),
    ],
    false,
  ],
  ['one has another label', [card('A', offer), card('A', [...otherOffer.slice(0, 2), ['Cost', 'none']])], false],
  ['there are two terms only', [card('A', offer.slice(0, 2)), card('A', otherOffer.slice(0, 2))], false],
  ['one is a variable', [card('A', offer), card('A', [['Rate', '{{rate}}'], ...offer.slice(1)])], false],
])('terms of two pages: %s', (_what, cards, isWarned) => {
  const message = '/templates/0/template_pages/1/page/content_blocks/0/data/terms/0/value is another value of "Rate"';
  expect(aboutEqual(pages(...cards))).toEqual(isWarned ? [expect.stringContaining(message)] : []);
});

test('terms of one page can be those of two products', () => {
  const blocks = [card('Offer', offer), card('Offer', otherOffer)];
  expect(aboutEqual(templateWith({ content_blocks: blocks }))).toEqual([]);
});

const scale = (lowestText: string, highestText: string | null, rest: object = { scale: [1, 5] }) =>
  block('survey', { questions: [{ text: 'How?', lowestText, highestText, ...rest }] });

test.each<[what: string, document: object, isWarned: boolean]>([
  ['the same text', scale('Bad', 'bad '), true],
  ['different texts', scale('Bad', 'Good'), false],
  ['one text', scale('Bad', null), false],
  ['no scale', scale('Bad', 'Bad', {}), false],
])('the ends of a scale with %s', (_what, document, isWarned) => {
  const found = aboutEqual(document).filter((each) => each.includes('is also'));
  expect(found).toEqual(isWarned ? [expect.stringMatching(/questions\/0\/highestText is also the `lowestText`/)] : []);
});

const translated = (document: { templates: object[] }, es: Record<string, string>) =>
  aboutEqual({ templates: [{ ...document.templates[0], translations: { es } }] });

test.each<[what: string, document: { templates: object[] }, a: string, b: string, message: RegExp]>([
  ['ends of a scale', scale('Bad', 'Good'), 'Bad', 'Good', /es\/Good is also.* "Bad", the other end of the scale/],
  [
    'labels',
    templateWith({ content_blocks: [card('A', offer)] }),
    'Rate',
    'Fee',
    /es\/Fee is also.* "Rate", another label/,
  ],
  ['titles', pages(card('A', offer), card('A', offer)), 'Step 0', 'Step 1', /es\/Step 1 is also.* "Step 0", the title/],
  [
    'questions',
    block('survey', { questions: [{ text: 'Why?' }, { text: 'How?' }] }),
    'Why?',
    'How?',
    /es\/How\? is also.* "Why\?", another question/,
  ],
  [
    'options',
    block('survey', { questions: [{ text: 'Why?', options: ['Rate', 'Fee'] }] }),
    'Rate',
    'Fee',
    /es\/Fee is also.* "Rate", another option/,
  ],
])('%s that differ have the same translation', (_what, document, a, b, message) => {
  expect(translated(document, { [a]: 'Igual', [b]: 'igual ' })).toEqual([expect.stringMatching(message)]);
  expect(translated(document, { [a]: 'Igual', [b]: 'Otro' })).toEqual([]);
});

test('titles and labels that are equal in the campaign too have no warning of their translation', () => {
  const twice = templateWith({ content_blocks: [card('A', [...offer, ['Fee', '1']])] });
  expect(translated(twice, { Fee: 'Tarifa' }).filter((each) => each.includes('translations'))).toEqual([]);
});
