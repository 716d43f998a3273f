import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, newContext, phone } from '../support/browser.ts';
import { embedding, pageFor } from '../support/channels.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

/** The page of these blocks, in German. */
async function opened(blocks: object[], width: number): Promise<Page> {
  const pages = [testPage('confirm', { content_blocks: blocks }), testPage('confirm')];
  const { url } = await (await campaign(api, pages, { language: 'de' })).start();
  const page = await (await newContext({ ...phone, viewport: { width, height: 844 } })).newPage();
  await page.goto(url);
  return page;
}

const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

browserTest('the star of a required question is on the line of its last word', async () => {
  const words = 'Wie viele Menschen arbeiten zurzeit in Ihrer neuen Firma?';
  const questions = Array.from({ length: 20 }, (_, at) => ({ text: `${'x'.repeat(at)} ${words}`, required: true }));
  const page = await opened([{ type: 'survey', data: { questions } }], 390);
  const alone = `[...document.querySelectorAll(".question label span[aria-hidden]")].filter(star=>{
const text=star.previousSibling,range=document.createRange();
range.setStart(text,text.length-1);range.setEnd(text,text.length);
return Math.abs(range.getBoundingClientRect().top-star.getClientRects()[star.getClientRects().length-1].top)>5;
}).length`;
  expect(await page.locator('.question label span[aria-hidden]').count()).toBe(20);
  expect(await page.evaluate(alone)).toBe(0);
});

browserTest('a document has space above it', async () => {
  const link = {
    documentLinkText: 'So bekommen Sie den Auszug aus dem Register',
    documentLinkUrl: 'https://a.example/',
  };
  const page = await opened([{ type: 'direct_deposit', data: { body: 'Bitte lesen.', ...link } }], 390);
  const [text, document] = [await boxOf(page, '.prose'), await boxOf(page, '.document a')];
  expect(document.y - text.y - text.height).toBeGreaterThanOrEqual(8);
});

browserTest.each([
  [768, true],
  [1024, false],
])('columns at %i px are below one another: %s', async (width, isStacked) => {
  const cards = ['Postleitzahl', 'Registernummer'].map((body, order) => ({
    ...{ type: 'card', order, grid: { xs: 12, md: 6 } },
    data: { heading: body, body },
  }));
  const page = await opened(cards, width);
  const [first, second] = await Promise.all([boxOf(page, '#b1'), boxOf(page, '#b2')]);
  expect(second.y >= first.y + first.height).toBe(isStacked);
  const broken = `[...document.querySelectorAll(".card h2,.card p")].filter(each=>each.getBoundingClientRect().height>45).length`;
  expect(await page.evaluate(broken)).toBe(0);
});

const addresses = `[...document.querySelectorAll('.bar li a')].map(each=>each.href)`;

browserTest('the name of the current page is visible in the bar of a frame', async () => {
  const titles = ['Bevor Sie beginnen', 'Ihre Firma', 'Ihre persönlichen Daten und Unterlagen', 'Unsere Prüfung'];
  const container = { content_blocks: [{ type: 'text', data: { body: 'Guten Tag' } }] };
  const pagesOf = (channel: string) =>
    titles.map((navigation_title) => pageFor(channel, 'confirm', { navigation_title, container }));
  for (const language of ['de', 'ar']) {
    const own = await embedding(api, pagesOf, { show_navigation: true }, { language });
    const { url } = await own.person();
    const page = await (await newContext({ viewport: { width: 390, height: 320 } })).newPage();
    await page.goto(url);
    for (const address of await page.evaluate<string[]>(addresses)) {
      await page.goto(address);
      const [list, current] = [await boxOf(page, '.bar ol'), await boxOf(page, '.bar [aria-current]')];
      expect(current.x).toBeGreaterThanOrEqual(list.x - 1);
      expect(current.x + current.width).toBeLessThanOrEqual(list.x + list.width + 1);
    }
  }
});
