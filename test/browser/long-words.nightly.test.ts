import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { browserTest, newContext } from './browser.ts';

const api = await service();

const longWords = {
  de: 'Zahlungsverkehrsbedingungsaenderungsmitteilungsbestaetigung',
  ar: 'شروطحركةالمدفوعاتوحمايةالبياناتالشخصيةوالمعلوماتالمصرفيةوالمالية',
};
const support_owner_options = {
  name: longWords.de,
  text: `Write to ${longWords.de}`,
  phone: '+1 555 010 1234',
  email: 'customers.with.questions.about.their.home@harborbank.example',
  url: 'https://harborbank.example/customers/questions/about/their/home/and/all/else',
};

/** Texts of which a part is outside of the button, the link or the card that they are in. */
const outside = `[...document.querySelectorAll("body *")].flatMap(each=>[...each.childNodes]).filter(each=>each.nodeType===3&&each.data.trim()&&!each.parentElement.closest(".unseen,.skip,script,noscript,template,.steps a>span>span")&&each.parentElement.checkVisibility()).flatMap(text=>{
const range=document.createRange();range.selectNodeContents(text);
const box=text.parentElement.closest(".button,.quiet,.choice span,.outcome,a,.steps,.sheet,.notice main,header,footer").getBoundingClientRect();
if(box.width<=2||text.parentElement.closest(".steps a>span")?.clientWidth===1)return[];
return [...range.getClientRects()].filter(({left,right,width})=>width>1&&(left<box.left-.5||right>Math.min(box.right,innerWidth)+.5)).slice(0,1).map(({left,right})=>text.data.slice(0,30)+" "+left+" to "+right+" in "+box.left+" to "+box.right);
})`;

async function expectInside(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await page.evaluate(outside)]).toEqual([width, []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}

const shown = async (url: string): Promise<Page> => {
  const page = await (await newContext({})).newPage();
  await page.goto(url);
  return page;
};

describe.each(['de', 'ar'] as const)('with long words, in %s,', (language) => {
  const long = longWords[language];
  const blocks = [
    { type: 'text', data: { heading: long, body: long, terms: [{ label: long, value: long }] } },
    { type: 'document_link', data: { documentLinkText: long, documentLinkUrl: 'https://a.example/' } },
    {
      type: 'survey',
      data: {
        text: long,
        questions: [
          { text: long, options: [long, `${long} 2`] },
          { text: 'Scale', scale: [0, 10], lowestText: long, highestText: long },
          { text: 'Typed' },
        ],
      },
    },
    { type: 'agreement', data: { agreementText: 'Yes', text: long, disagreeText: `${long} 2` } },
    { type: 'cta', data: { text: long, url: 'https://a.example/' } },
  ].map((block, at) => ({ ...block, order: at + 1 }));
  const start = async () =>
    (
      await campaign(
        api,
        [1, 2].map((at) => testPage('confirm', { navigation_title: `${long} ${at}`, content_blocks: blocks })),
        { language, support_owner_options },
      )
    ).start();

  browserTest('no text is outside of its button, its link or its card', async () => {
    const page = await shown((await start()).url);
    await expectInside(page, [320, 390, 600, 768, 1280]);
  });

  browserTest('the contact of the institution is inside of the notice of a declined agreement', async () => {
    const page = await shown((await start()).url);
    await page.locator('.answer .quiet').click();
    await page.locator('.declined .reach').waitFor();
    await expectInside(page, [320, 390, 1280]);
  });
});

browserTest('the contact of the institution is inside of the notice of an unknown page and of the ending', async () => {
  const journey = await (await campaign(api, [testPage('confirm')], { support_owner_options })).start();
  const page = await shown(`${journey.url}?page=${crypto.randomUUID()}`);
  expect(await page.locator('.notice .reach').count()).toBe(1);
  await expectInside(page, [320, 1280]);
  await page.goto(journey.url);
  await page.locator('.completion .button').click();
  await page.locator('.saved').waitFor();
  await page.goto(`${journey.url}?page=ending`);
  expect(await page.locator('.ending .reach').count()).toBe(1);
  await expectInside(page, [320, 1280]);
});
