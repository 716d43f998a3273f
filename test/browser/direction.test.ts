import { describe, expect, test } from 'vitest';
import { noValues, type Values } from '../../lib/domain/journeys/placeholders.ts';
import { wordsIn } from '../../lib/web/words/words.ts';
import { blockOf, htmlOfBlocks, openPage } from '../support/samples/rendered-blocks.ts';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { browserTest, open, phone } from './browser.ts';

const api = await service();

const contact = { name_first: 'Ann', meta_public: { rate: '$31,400' } } as unknown as Values['contact'];

/** The blocks on a page of this language. */
function htmlOf(language: string, type: string, data: object): string {
  const words = wordsIn(language);
  const values = { ...noValues, contact, direction: words.direction };
  return htmlOfBlocks([blockOf(type, data)], { words, values, page: openPage });
}

describe('a value in a text from right to left', () => {
  const rate = '{{meta_public.rate}}';
  test.each([
    ['a heading', 'heading', { heading: `السعر ${rate}` }, '<h2>السعر <bdi>$31,400</bdi></h2>'],
    ['a paragraph', 'text', { body: `السعر ${rate}` }, '<p>السعر <bdi>$31,400</bdi></p>'],
    ['a button', 'confirm', { text: `السعر ${rate}` }, '>السعر <bdi>$31,400</bdi></button>'],
    ['a short statement', 'agreement', { agreementText: `${'س'.repeat(33)}${rate}` }, `<bdi>$31,400</bdi></button>`],
    ['a description', 'image', { file_id: crypto.randomUUID(), altText: rate }, 'alt="\u2068$31,400\u2069"'],
    ['a link', 'cta', { text: rate, url: `https://a.example/?r=${rate}` }, 'href="https://a.example/?r=%2431%2C400"'],
    [
      'a question',
      'survey',
      { questions: [`لماذا ${rate}`] },
      '<label for="b1-1">لماذا <bdi>$31,400</bdi></label><textarea',
    ],
    ['the name of its field', 'survey', { questions: [`لماذا ${rate}`] }, 'name="value:لماذا $31,400"'],
    ['the value of a choice', 'survey', { questions: [{ text: 'ك', options: [rate] }] }, 'value="$31,400"'],
  ])('%s', (_, type, data, expected) => {
    expect(htmlOf('ar', type, data)).toContain(expected);
    const english = JSON.parse(JSON.stringify(data).replaceAll(/[\u0600-\u06ff]/g, 'a'));
    expect(htmlOf('en', type, english)).not.toMatch(/[\u2068\u2069]|<bdi>/);
  });
});

browserTest('an amount is shown from left to right in an Arabic text', async () => {
  const page = testPage('confirm', {
    content_blocks: [
      { type: 'text', data: { body: 'القسط {{meta_public.rate}} شهريًا' } },
      { type: 'text', data: { body: 'القسط $31,400 شهريًا' } },
      { type: 'survey', data: { questions: [{ text: 'لماذا {{meta_public.rate}}؟', required: true }] } },
    ],
  });
  const { start } = await campaign(api, [page], { language: 'ar' });
  const { url } = await start({ meta_public: { rate: '$31,400' } });
  const shown = await open(phone);
  await shown.page.goto(url);
  const offsets = await shown.page.evaluate(`[...document.querySelectorAll("main bdi")].map(each=>{
const text=each.firstChild,at=index=>{const range=document.createRange();range.setStart(text,index);range.setEnd(text,index+1);return range.getBoundingClientRect().left};
return at(0)<at(1)&&at(1)<at(6);
})`);
  expect(offsets).toEqual([true, true, true]);
  await shown.page.getByRole('textbox').fill('لا');
  await shown.page.locator('form button').click();
  await shown.page.locator('.saved a').click();
  await shown.page.locator('.given').waitFor();
  expect(await shown.page.locator('.given dt').textContent()).toBe('لماذا $31,400؟');
  expect(shown.seen.complaints).toEqual([]);
});
