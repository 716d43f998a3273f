import { describe, expect, test } from 'vitest';
import { id, templateWith } from '../support/content-documents.ts';
import { agreement, block, inBlock, warningsOf, warns } from '../support/content-warnings.ts';

const confirm = (text: string) => ({ type: 'confirm', data: { text } });
const survey = (...questions: unknown[]) => ({ type: 'survey', data: { heading: 'Plans', questions } });
const required = (text: string) => ({ text, required: true });

describe('an agreement that cannot be answered as it is meant:', () => {
  const asked = (data: object, type = 'agreement') => block(type, data);
  const translated = (data: object, translations: object, type?: string) => ({
    templates: [{ ...asked(data, type).templates[0], translations }],
  });
  const long = 'I agree to the terms of the savings account.';

  warns(inBlock, [
    [
      'a signature with an empty label',
      asked({ agreementText: 'A', signatureBoxText: ' ' }, 'Signature'),
      'data',
      /no `signatureBoxText`/,
    ],
    ['a signature without a label', asked({ agreementText: 'A' }, 'signature'), 'data', /no `signatureBoxText`/],
  ]);

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

test.each([
  { completion_condition: 'open', completion_product_type: 'savings' },
  { completion_condition: 'objective', objective_id: id(1) },
  { completion_condition: null },
])('a confirmation that cannot be answered with %j', (condition) => {
  const document = templateWith({ content_blocks: [confirm('Done')], ...condition });
  expect(warningsOf(document)).toEqual([
    `${inBlock}/type cannot be answered here: set the \`completion_condition\` of the page to confirm, or move the block to such a page`,
  ]);
});

test.each([5, true])('the key of a question cannot be %j', (key) => {
  expect(warningsOf(block('survey', { questions: [{ text: 'Why?', key }] }))).toEqual([
    expect.stringMatching(`${inBlock}/data/questions/0/key .*write a text in quotes`),
  ]);
});
