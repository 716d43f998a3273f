import { expect } from 'vitest';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext, phone } from './browser.ts';

const api = await service();

const born = 'Born on {{birthdate}}, post code {{post_code}}';
const half = { xs: 12, md: 6 };
const cards = [
  { type: 'card', grid: half, order: 1, data: { heading: 'You', body: `{{name_first}}\n\n${born}` } },
  {
    type: 'card',
    grid: half,
    order: 2,
    data: { heading: 'The account', body: 'Register number {{meta_private.number}}' },
  },
  { type: 'confirm', order: 3, data: { agreementText: 'Is everything correct? Then confirm it.' } },
];
/** What says to sighted people that something is hidden, and their way to see it. */
const said = `[...document.querySelectorAll(".proof-first,.personal,.withheld>.unseen")].filter(each=>each.getBoundingClientRect().width>1).map(each=>each.className)`;

browserTest.each(['de', 'ar'])(
  'one line and one button in the place of the form lead to the proof of identity, in %s',
  async (language) => {
    const pages = [testPage('confirm', { content_blocks: cards }), testPage('confirm')];
    const { url } = await (await campaign(api, pages, { language })).start({ name_first: 'Samira' });
    const page = await (await newContext(phone)).newPage();
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url);
      // Screen readers read both notes. Nobody sees them.
      expect(await page.locator('.withheld>.unseen').count()).toBe(2);
      expect(await page.evaluate(said)).toEqual(['proof-first']);
      expect(await page.locator('.consent .proof-first .button').count()).toBe(1);
      expect(await page.locator('main .button').count()).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await axeFindings(page)).toEqual([]);
    }
  },
);
