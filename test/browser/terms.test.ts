import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/journeys/placeholders.ts';
import { block, warningsOf } from '../support/samples/content-warnings.ts';
import { blockOf, htmlOfBlocks } from '../support/samples/rendered-blocks.ts';
import { known } from '../support/service/identity-requests.ts';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

const api = await service();

const terms = [
  { label: 'Interest rate', value: '3.2 %' },
  { label: 'Monthly payment in the first five years', value: '$31,400' },
  { label: 'Fees', value: 'Zahlungsverkehrsbedingungen und Kontoführung ohne Entgelt' },
];
const pairs = '<dl class="terms"><div><dt>Rate</dt><dd><bdi>3.2 %</bdi></dd></div></dl>';

function htmlOf(type: string, terms: unknown, rest: object = {}): string {
  const values = { ...noValues, contact: { name_first: '<b>' } as never };
  return htmlOfBlocks([blockOf(type, { ...rest, terms })], { values });
}

describe('terms', () => {
  test.each(['text', 'card'])('are below the text of a %s', (type) => {
    const html = htmlOf(type, [{ label: 'Rate', value: '3.2 %' }], { heading: 'H', body: 'B' });
    expect(html).toContain(`<h2>H</h2><div class="prose"><p>B</p></div>${pairs}`);
  });

  test('need no other text, and have placeholders, whose values are escaped', () => {
    const html = htmlOf('card', [
      { label: 'Rate', value: '3.2 %' },
      { label: 'For', value: '{{name_first}}' },
    ]);
    expect(html).toContain('<div class="card"><dl class="terms">');
    expect(html).toContain('<dt>For</dt><dd><bdi>&lt;b&gt;</bdi></dd>');
  });

  test.each<[what: string, terms: unknown]>([
    ['without a value', [{ label: 'Rate' }]],
    ['with a blank value', [{ label: 'Rate', value: ' ' }]],
    ['with a value that is unset', [{ label: 'Rate', value: '{{meta_public.rate}}' }]],
    ['without a label', [{ value: '3.2 %' }]],
    ['that are texts', ['Rate: 3.2 %', null]],
    ['that are no list', { label: 'Rate', value: '3.2 %' }],
    ['of a heading', undefined],
  ])('%s are not shown', (_what, given) => {
    expect(htmlOf('text', given, { body: 'B' })).not.toMatch(/<d[ltd]/);
    expect(htmlOf('heading', [{ label: 'Rate', value: '1' }], { body: 'B' })).not.toContain('<dl');
  });
});

test.each<[what: string, given: unknown, warning: RegExp]>([
  ['without a value', [{ label: 'Rate' }], /\/terms\/0\/label is not shown without `value`/],
  ['without a label', [{ value: '1' }], /\/terms\/0\/value is not shown without `label`/],
  ['with a number', [{ label: 'Rate', value: 3.2 }], /\/terms\/0\/value/],
  ['with another field', [{ label: 'Rate', value: '1', unit: '%' }], /\/terms\/0\/unit/],
  ['that are texts', ['Rate'], /\/terms\/0/],
])('terms %s are a warning', (_what, given, warning) => {
  expect(warningsOf(block('card', { heading: 'H', terms: given }))).toEqual([expect.stringMatching(warning)]);
});

test('terms alone are content, and their texts need translations', () => {
  const document = block('card', { terms: [{ label: 'Rate', value: '3.2 %' }] });
  expect(warningsOf(document)).toEqual([]);
  expect(warningsOf(block('heading', { terms: [{ label: 'Rate', value: '1' }] }))).toEqual([
    expect.stringMatching(/data\/terms is not shown: a heading has only/),
  ]);
  const [template] = document.templates;
  const translated = { templates: [{ ...template, translations: { es: { Unused: 'No' } } }] };
  expect(warningsOf(translated).join()).toContain('terms/0/label has no translation');
});

browserTest.each(['en', 'ar'])(
  'terms fit every screen, in %s, with each value at the end of its row, or at the start of the next',
  async (language) => {
    const blocks = [
      { type: 'card', order: 1, grid: { xs: 12, md: 6 }, data: { heading: 'Offer', terms } },
      { type: 'text', order: 2, data: { terms } },
    ];
    const page = testPage('confirm', { content_blocks: blocks });
    const { url } = await (await campaign(api, [page], { language })).start();
    const shown = await (await newContext({})).newPage();
    await shown.goto(url);
    const misplaced = `[...document.querySelectorAll(".terms div")].filter(row=>{
const [own,label,value]=[row,...row.children].map(each=>each.getBoundingClientRect());
const isRight=document.dir==="rtl",end=isRight?value.left-own.left:own.right-value.right,start=isRight?own.right-label.right:label.left-own.left;
const beside=label.right<=value.left||value.right<=label.left;
const below=isRight?own.right-value.right:value.left-own.left,first=document.createRange();first.selectNodeContents(row.lastChild);
const lines=[...first.getClientRects()].map(each=>isRight?own.right-each.right:each.left-own.left);
return Math.abs(beside?end:below)>1||!beside&&Math.max(...lines)>1||Math.abs(start)>1||!(beside||value.top>=label.bottom-1)||row.scrollWidth>row.clientWidth;
}).length`;
    for (const width of [320, 390, 1280]) {
      await shown.setViewportSize({ width, height: 800 });
      expect([width, await shown.evaluate(misplaced)]).toEqual([width, 0]);
      expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await axeFindings(shown)).toEqual([]);
    }
    await shown.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(shown, { only: ['color-contrast'] })).toEqual([]);
    // The sign stays before the amount, and the percent sign after it.
    const order = (text: string) =>
      shown.evaluate(`{const node=document.evaluate("//bdi//text()[contains(.,'${text}')]",document,null,9).singleNodeValue,at=index=>{
const range=document.createRange();range.setStart(node,index);range.setEnd(node,index+1);return range.getBoundingClientRect().left};at(0)<at(${text.length - 1})}`);
    expect([await order('3.2 %'), await order('$31,400')]).toEqual([true, true]);
  },
);

test('a private value in terms is hidden before the proof of identity, which the page offers', async () => {
  const card = { type: 'card', data: { terms: [{ label: 'Limit', value: '{{meta_private.limit}}' }] } };
  const { slug } = await (await campaign(api, [testPage('confirm', { content_blocks: [card] })])).start(known);
  const { body } = await api.request('GET', `/j/${slug}`);
  expect(body).toContain('•••');
  expect(body).not.toContain('seven thousand');
  expect(body).toContain('••• hidden until you confirm that it is you');
  expect(body).toContain(`/identity?page=`);
});
