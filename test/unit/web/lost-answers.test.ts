import { describe, expect, test } from 'vitest';
import { id, templateWith } from '../../support/samples/content-documents.ts';
import { agreement, block, inBlock, warningsOf, warnsNot } from '../../support/samples/content-warnings.ts';

const survey = (...questions: unknown[]) => ({ type: 'survey', data: { heading: 'Plans', questions } });
const required = { text: 'Why?', required: true };

describe('none is a warning:', () => {
  const signature = { agreementText: 'A', signatureBoxText: 'Your name' };
  warnsNot([
    ['a signature with a label', block('signature', signature)],
    ['an agreement without a name', block('agreement', { agreementText: 'A' })],
    ['two buttons', block('agreement', { agreementText: 'I agree', disagreeText: 'I do not agree' })],
  ]);
});

describe('a survey on a page without a condition:', () => {
  const page = (content: object, condition: string | null = null) => ({
    page: { navigation_title: condition ?? 'none', completion_condition: condition, content_blocks: [content] },
  });
  const agreed = page(agreement, 'confirm');
  const message =
    'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';

  test.each<[what: string, pages: object[], place: number | undefined]>([
    ['the first page', [page(survey('Why?')), agreed], 0],
    ['the last page, with a required question', [agreed, page(survey(required))], 1],
    ['the last page', [agreed, page(survey('Why?'))], undefined],
    ['a page with a condition', [page(survey('Why?'), 'view'), agreed], undefined],
  ])('%s', (_what, template_pages, place) => {
    expect(warningsOf({ templates: [{ template_pages }] })).toEqual(
      place === undefined ? [] : [`/templates/0/template_pages/${place}/page/content_blocks/0/type ${message}`],
    );
  });
});

test('required questions of a page that is viewed are not', () => {
  const page = { completion_condition: 'view', content_blocks: [survey(required)] };
  expect(warningsOf(templateWith(page))).toEqual([
    expect.stringMatching(`${inBlock}/type .*viewing completes the page.*to confirm`),
  ]);
});

test.each([
  { completion_condition: 'open', completion_product_type: 'savings' },
  { completion_condition: 'objective', objective_id: id(1) },
  { completion_condition: null },
])('a confirmation that cannot be answered with %j', (condition) => {
  const document = templateWith({ content_blocks: [{ type: 'confirm', data: { text: 'Done' } }], ...condition });
  expect(warningsOf(document)).toEqual([
    `${inBlock}/type cannot be answered here: set the \`completion_condition\` of the page to confirm, or move the block to such a page`,
  ]);
});
