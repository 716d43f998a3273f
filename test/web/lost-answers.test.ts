import { describe, expect, test } from 'vitest';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { agreement, block, container, inBlock, inChannels, warningsOf } from '../support/content-warnings.ts';

const signature = {
  type: 'signature',
  data: { heading: 'Contract', agreementText: 'I sign.', signatureBoxText: 'Your full name' },
};
const confirm = (text: string) => ({ type: 'confirm', data: { text } });
const survey = (...questions: unknown[]) => ({ type: 'survey', data: { heading: 'Plans', questions } });
const required = (text: string) => ({ text, required: true });
const link = (url: string) => ({ type: 'button', data: { text: 'Open', url } });
const away = link('https://bank.example/a');
const home = link('{{journey_url}}');

describe('content of a channel that completes a page whose questions stay open:', () => {
  const shown = (condition: string, own: object[], ...content_blocks: object[]) =>
    container({ content_blocks }, {}, { completion_condition: condition, content_blocks: own });
  const at = (index: number) => `${inPage}/content_containers/0/content_blocks/${index}`;

  test.each<[what: string, document: object, index: number, message: RegExp]>([
    [
      'a confirmation beside an agreement',
      shown('confirm', [agreement], { type: 'text', data: { body: 'A' } }, confirm('Done')),
      1,
      /when it is answered, and `agreement` "I agree\." of the page itself can stay open: ask the same here/,
    ],
    ['a confirmation beside a signature', shown('confirm', [signature], confirm('Done')), 0, /`signature` "Contract"/],
    [
      'an agreement without the signature',
      shown('confirm', [signature], { type: 'agreement', data: { agreementText: 'I sign.' } }),
      0,
      /can stay open/,
    ],
    [
      'another agreement',
      shown('confirm', [agreement], { type: 'agreement', data: { agreementText: 'I accept cookies.' } }),
      0,
      /can stay open/,
    ],
    ['a survey beside an agreement', shown('confirm', [agreement], survey('Why?')), 0, /can stay open/],
    ['a confirmation beside a survey', shown('confirm', [survey(required('Why?'))], confirm('Done')), 0, /"Plans"/],
    [
      'a survey without the required question',
      shown('confirm', [survey(required('Why?'), required('When?'))], survey(required('Why?'), 'When?')),
      0,
      /can stay open/,
    ],
    ['an agreement beside a confirmation', shown('confirm', [confirm('Go')], agreement), 0, /can stay open/],
    ['a button beside an agreement', shown('action', [agreement], home, away), 1, /when it is followed/],
  ])('%s', (_what, document, index, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([at(index)]);
    expect(found[0]).toMatch(message);
  });

  test.each<[what: string, document: object]>([
    ['the same agreement', shown('confirm', [agreement], { type: 'text', data: { body: 'A' } }, agreement)],
    [
      'the same signature with fewer texts around it',
      shown('confirm', [signature], {
        type: 'agreement',
        data: { agreementText: 'I sign. ', signatureBoxText: 'Name', disagreeText: 'No' },
      }),
    ],
    ['another label of a confirmation', shown('confirm', [confirm('I want this offer')], confirm('I want it'))],
    [
      'a survey with the required question',
      shown('confirm', [survey(required('Why?'), 'When?')], survey(required('Why?'))),
    ],
    ['a survey that can be left out', shown('confirm', [survey('Why?')], confirm('Done'))],
    ['a button to the journey', shown('action', [agreement], home)],
    ['a button that completes nothing', shown('confirm', [agreement], away)],
    ['a page that is viewed', shown('view', [survey('Why?')], survey('When?'))],
    ['a page that asks nothing itself', shown('confirm', [{ type: 'text', data: { body: 'A' } }], agreement)],
    [
      'two channels that ask the same',
      templateWith(
        {
          completion_condition: 'confirm',
          content_blocks: [agreement],
          content_containers: [
            { engagement_channel_id: id(1), content_blocks: [agreement] },
            { engagement_channel_id: id(2), content_blocks: [agreement] },
          ],
        },
        inChannels,
      ),
    ],
  ])('%s is none', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });

  test('several of them have one warning, that they are several', () => {
    expect(warningsOf(shown('confirm', [agreement], agreement, confirm('Done')))).toEqual([
      expect.stringMatching(/\/content_containers\/0\/content_blocks has 2 blocks that ask/),
    ]);
  });
});

describe('an agreement that cannot be answered as it is meant:', () => {
  const asked = (data: object, type = 'agreement') => block(type, data);
  const translated = (data: object, translations: object, type?: string) => ({
    templates: [{ ...asked(data, type).templates[0], translations }],
  });
  const inData = `${inBlock}/data`;
  const inTranslation = '/templates/0/translations/es';
  const long = 'I agree to the terms of the savings account.';

  test.each<[what: string, document: object, path: string, message: RegExp]>([
    ['a signature without a name', asked({ agreementText: 'A' }, 'signature'), inData, /no name is asked/],
    [
      'a signature with an empty label',
      asked({ agreementText: 'A', signatureBoxText: ' ' }, 'Signature'),
      inData,
      /no `signatureBoxText`/,
    ],
    [
      'equal buttons',
      asked({ agreementText: 'I agree', disagreeText: 'I  agree ' }),
      `${inData}/disagreeText`,
      /also the text of the button that accepts/,
    ],
    [
      'the word of the page on both',
      asked({ agreementText: long, disagreeText: 'I agree' }),
      `${inData}/disagreeText`,
      /also the text/,
    ],
    [
      'equal buttons of a confirmation',
      asked({ label: 'Yes', disagreeText: 'yes' }, 'confirm'),
      `${inData}/disagreeText`,
      /also the text/,
    ],
    [
      'equal buttons in a translation',
      translated({ agreementText: 'Yes', disagreeText: 'No' }, { es: { Yes: 'Acepto', No: 'Acepto' } }),
      `${inTranslation}/No`,
      /also the text/,
    ],
    [
      'the word of the page in a translation',
      translated(
        { agreementText: long, disagreeText: 'No' },
        { es: { [long]: 'Acepto las condiciones de la cuenta de ahorro.', No: 'Acepto' } },
      ),
      `${inTranslation}/No`,
      /also the text/,
    ],
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

  test('equal buttons that a translation repeats have one warning', () => {
    const document = translated({ agreementText: 'OK', disagreeText: 'OK' }, { es: { OK: 'Vale' } });
    expect(warningsOf(document)).toHaveLength(1);
  });

  test('a translation without the text that declines names the text', () => {
    const document = translated({ agreementText: 'Yes', disagreeText: 'No' }, { es: { Yes: 'No' } });
    expect(warningsOf(document)).toContain(
      `${inTranslation} has no other text for "No" than for the button that accepts`,
    );
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
      `${at}/1/id`,
      /also the `id` of question 1/,
    ],
    ['a number', asked({ text: 'Why?', key: 5 }), `${at}/0/key`, /write a text in quotes/],
    ['true', asked({ text: 'Why?', key: true }), `${at}/0/key`, /write a text in quotes/],
    ['blank', asked({ text: 'Why?', key: ' ' }), `${at}/0/key`, /is empty/],
    ['with a placeholder', asked({ text: 'Why?', key: 'why_{{name_first}}' }), `${at}/0/key`, /not filled in/],
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
