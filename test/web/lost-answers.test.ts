import { describe, expect, test } from 'vitest';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { agreement, block, container, inBlock, warningsOf } from '../support/content-warnings.ts';

const confirm = (text: string) => ({ type: 'confirm', data: { text } });
const survey = (...questions: unknown[]) => ({ type: 'survey', data: { heading: 'Plans', questions } });
const required = (text: string) => ({ text, required: true });
const link = (url: string) => ({ type: 'button', data: { text: 'Open', url } });
const away = link('https://bank.example/a');
const home = link('{{journey_url}}');

describe('an agreement that cannot be answered as it is meant:', () => {
  const asked = (data: object, type = 'agreement') => block(type, data);
  const translated = (data: object, translations: object, type?: string) => ({
    templates: [{ ...asked(data, type).templates[0], translations }],
  });
  const inData = `${inBlock}/data`;
  const long = 'I agree to the terms of the savings account.';

  test.each<[what: string, document: object, path: string, message: RegExp]>([
    [
      'a signature with an empty label',
      asked({ agreementText: 'A', signatureBoxText: ' ' }, 'Signature'),
      inData,
      /no `signatureBoxText`/,
    ],
    ['a signature without a label', asked({ agreementText: 'A' }, 'signature'), inData, /no `signatureBoxText`/],
  ])('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.slice(0, path.length + 1))).toEqual([`${path} `]);
    expect(found[0]).toMatch(message);
  });

  test.each<[what: string, document: object]>([
    ['a signature with a label', asked({ agreementText: 'A', signatureBoxText: 'Your name' }, 'signature')],
    ['an agreement without a name', asked({ agreementText: 'A' })],
    ['buttons with different texts', asked({ agreementText: 'I agree', disagreeText: 'I do not agree' })],
    [
      'a long text with the word of the page',
      translated(
        { agreementText: long, disagreeText: 'Decline' },
        { es: { [long]: 'Acepto las condiciones de la cuenta.', Decline: 'No acepto' } },
      ),
    ],
  ])('%s is none', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});

describe('buttons of a page with the condition action:', () => {
  const other = { type: 'button', data: { text: 'Learn more', url: 'https://bank.example/b' } };
  const acted = (...content_blocks: object[]) => templateWith({ completion_condition: 'action', content_blocks });
  const message =
    'has 2 buttons: `button` "Open", `button` "Learn more". Each of them completes the page. If only one is the action, make the others blocks of the type document_link, whose links complete nothing';

  test('a second one completes it too', () => {
    expect(warningsOf(acted(away, other))).toEqual([`${inPage}/content_blocks ${message}`]);
  });

  test('so it does in the content of a channel', () => {
    const page = { completion_condition: 'action', content_blocks: [away] };
    expect(warningsOf(container({ content_blocks: [away, other] }, {}, page))).toEqual([
      `${inPage}/content_containers/0/content_blocks ${message}`,
    ]);
  });

  const documentLink = { type: 'document_link', data: { documentLinkText: 'A', documentLinkUrl: 'https://a.example' } };
  test.each<[what: string, document: object]>([
    ['a button twice', acted(away, away)],
    ['a button to the journey', acted(away, home)],
    ['a link to a document', acted(away, documentLink)],
    ['ways to call', acted(link('tel:+15550100199'), link('mailto:help@bank.example'))],
    ['apps', acted(link('https://apps.apple.com/app/id1'), link('https://play.google.com/store/apps?id=a'))],
    ['another condition', templateWith({ completion_condition: 'view', content_blocks: [away, other] })],
  ])('%s is none', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});

describe('a survey on a page without a condition:', () => {
  const page = (content: object, condition: string | null = null) => ({
    page: { navigation_title: condition ?? 'none', completion_condition: condition, content_blocks: [content] },
  });
  const agreed = page(agreement, 'confirm');
  const warned = (...template_pages: object[]) => warningsOf({ templates: [{ template_pages }] });
  const message =
    'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';

  test.each<[what: string, pages: object[], place: number | undefined]>([
    ['the only page', [page(survey('Why?'))], 0],
    ['the first page', [page(survey('Why?')), agreed], 0],
    ['the last page, with a required question', [agreed, page(survey(required('Why?')))], 1],
    ['the last page', [agreed, page(survey('Why?'))], undefined],
    ['a page with a condition', [page(survey('Why?'), 'view'), agreed], undefined],
  ])('%s', (_what, pages, place) => {
    expect(warned(...pages)).toEqual(
      place === undefined ? [] : [`/templates/0/template_pages/${place}/page/content_blocks/0/type ${message}`],
    );
  });
});

test.each<[condition: object, message: string]>([
  [
    { completion_condition: 'open', completion_product_type: 'savings' },
    'the page is completed by its product. Delete the block, or move it to a page of its own with the `completion_condition` confirm',
  ],
  [
    { completion_condition: 'objective', objective_id: id(1) },
    'the page is completed by its objective. Delete the block, or move it to a page of its own with the `completion_condition` confirm',
  ],
  [{ completion_condition: null }, 'set the `completion_condition` of the page to confirm'],
])('a confirmation that cannot be answered with %j', (condition, message) => {
  const document = templateWith({ content_blocks: [confirm('Done')], ...condition });
  expect(warningsOf(document)).toEqual([`${inBlock}/type cannot be answered here: ${message}`]);
});

describe('the key of a question:', () => {
  const asked = (...questions: object[]) => block('survey', { questions });
  const at = `${inBlock}/data/questions`;

  test.each<[what: string, document: object, path: string, message: RegExp]>([
    [
      'twice',
      asked({ text: 'Why?', key: 'why' }, { text: 'When?', id: ' why' }),
      `${at}/1`,
      /the same key as question 1/,
    ],
    ['a number', asked({ text: 'Why?', key: 5 }), `${at}/0/key`, /write a text in quotes/],
    ['true', asked({ text: 'Why?', key: true }), `${at}/0/key`, /write a text in quotes/],
  ])('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });

  test('different keys, no key and the same key in another survey are none', () => {
    expect(
      warningsOf(asked({ text: 'Why?', key: 'why' }, { text: 'When?', key: 'Why' }, { text: 'Who?', key: null })),
    ).toEqual([]);
    expect(warningsOf(asked({ text: 'Why?', key: '', id: 'why' }))).toEqual([]);
    const page = (title: string) => ({
      page: {
        navigation_title: title,
        completion_condition: 'confirm',
        content_blocks: [survey({ text: 'Why?', key: 'why' })],
      },
    });
    expect(warningsOf({ templates: [{ template_pages: [page('A'), page('B')] }] })).toEqual([]);
  });
});
