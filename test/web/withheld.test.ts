import { expect } from 'vitest';
import { browserTest, newContext, phone } from '../support/browser.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

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
/** Visible notes outside of the box of their block, and blocks that overlap. */
const misplaced = `[...document.querySelectorAll(".hidden-note")].slice(0,1).flatMap(note=>{
const [own,box]=[note,note.closest(".block")].map(each=>each.getBoundingClientRect()),range=document.createRange();
range.selectNodeContents(note);
const text=range.getBoundingClientRect(),card=note.previousElementSibling.getBoundingClientRect();
const content=note.previousElementSibling.lastElementChild.getBoundingClientRect();
return [own.bottom>box.bottom&&"note below its box",text.left<box.left-.5&&"note left",text.right>box.right+.5&&"note right",own.top<card.bottom-.5&&"note over the card",innerWidth<900&&card.bottom-content.bottom>60&&"an empty area"].filter(Boolean).map(each=>each+" at "+innerWidth);
})`;

browserTest.each(['de', 'ar'])('cards with private values contain their notes, in %s', async (language) => {
  const pages = [testPage('confirm', { content_blocks: cards }), testPage('confirm')];
  const { url } = await (await campaign(api, pages, { language })).start({ name_first: 'Samira' });
  const page = await (await newContext(phone)).newPage();
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    // Screen readers read both notes. Only the first one is shown.
    expect(await page.locator('.hidden-note').count()).toBe(2);
    expect(await page.evaluate(misplaced)).toEqual([]);
  }
});
