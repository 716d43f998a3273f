import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { browserTest, newContext } from './browser.ts';
import { mortgagePreview } from './mortgage-preview.ts';

const api = await service();

/** As the preview shows its pages, notices and channel. */
const preview = await mortgagePreview();

afterAll(async () => {
  preview.close();
});

/** Blocks, and what they contain, with an edge outside of the card. The card hides what is outside of it. */
const outside = `[...document.querySelectorAll(".block,.block *:not(.unseen,input[type=radio])")].flatMap(each=>{
const card=each.closest(".sheet,.box").getBoundingClientRect(),own=each.getBoundingClientRect();
return own.width>0&&(own.left<card.left-.5||own.right>card.right+.5)?[each.outerHTML.slice(0,60)+" "+own.left+" to "+own.right+" in "+card.left+" to "+card.right]:[];
})`;

/** Names of steps of which a part is not visible. Phones show only that of the current step. */
const cutLabels = `[...document.querySelectorAll(".steps a>span,.at")].filter(each=>each.clientWidth>1&&(each.scrollHeight>each.clientHeight+1||each.scrollWidth>each.clientWidth+1)).map(each=>"cut: "+each.textContent)`;

/** Words of the links to other pages that are broken over lines, although they fit in a link that is as wide as its row. */
const brokenWords = `[...document.querySelectorAll(".onward a")].flatMap(each=>[...each.textContent.matchAll(/\\S+/g)].flatMap(({0:word,index})=>{
const range=document.createRange();range.setStart(each.firstChild,index);range.setEnd(each.firstChild,index+word.length);
const rects=[...range.getClientRects()],inner=of=>of.clientWidth-2*parseFloat(getComputedStyle(of).paddingLeft);
const fits=rects.reduce((sum,{width})=>sum+width,0)<=inner(each.parentElement)-each.clientWidth+inner(each);
return fits&&new Set(rects.map(({top})=>top)).size>1?["broken: "+word]:[];
}))`;

/** Pixels between the lines of the step's name and what is above and below it. */
const spaceAroundStep = `(()=>{
const summary=document.querySelector(".steps summary"),range=document.createRange();range.selectNodeContents(summary);
const own=summary.getBoundingClientRect(),text=range.getBoundingClientRect();
return Math.min(text.top-own.top,own.bottom-text.bottom);
})()`;

async function pathsIn(language: string): Promise<string[]> {
  const shell = await (await fetch(preview.url)).text();
  const paths = [...shell.matchAll(/href="(\/[tc]\/[^"]+)"/g)].map(([, path]) => path!.replace('LANGUAGE', language));
  return paths.filter((path) => /^\/c|\/(?:new|answered|before%20the%20proof|not%20sent)\//.test(path));
}

const faultsIn = async (page: Page): Promise<string[]> =>
  (await Promise.all([outside, cutLabels, brokenWords].map((each) => page.evaluate(each)))).flat() as string[];

describe.each(['en', 'es', 'ar'])('in %s on screens of 320, 344 and 360 px', (language) => {
  browserTest(
    'no block is outside of its card, no label of a step is cut, and no word of a link to another page is broken',
    async () => {
      const page = await (await newContext({ reducedMotion: 'reduce' })).newPage();
      const found: Record<string, string[]> = {};
      const paths = await pathsIn(language);
      expect(paths.length).toBeGreaterThan(8);
      for (const path of paths) {
        await page.goto(new URL(path, preview.url).href);
        expect(await page.locator('.block,.ending,.neutral').count()).toBeGreaterThan(0);
        // A frame can be narrower than a screen.
        for (const width of path.startsWith('/c') ? [240, 320] : [320, 344, 360]) {
          await page.setViewportSize({ width, height: 800 });
          const faults = await faultsIn(page);
          if (faults.length > 0) found[`${path} at ${width} px`] = faults;
        }
      }
      await page.close();
      expect(found).toEqual({});
    },
    120_000,
  );
});

browserTest.each([
  'Zahlungsverkehrsbedingungen und Datenschutzerklärung',
  'شروط حركة المدفوعات وحماية البيانات الشخصية',
])(
  'on a phone, only the current step shows its name, "%s", and opens the list, in which every step is a link with a name of 44 px',
  async (title) => {
    const pages = [1, 2, 3, 4].map((at) => testPage('confirm', { navigation_title: `${title} ${at}` }));
    const language = title.startsWith('Z') ? 'de' : 'ar';
    const { url } = await (await campaign(api, pages, { language })).start();
    const page = await (await newContext({ viewport: { width: 320, height: 640 } })).newPage();
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(`${url}?page=${pages[1]!.id}`);
      expect(await faultsIn(page)).toEqual([]);
      const shown = page.locator('.steps :is(summary,a):visible');
      expect(await shown.allTextContents()).toEqual([expect.stringContaining(`${title} 2`)]);
      expect(await page.evaluate(spaceAroundStep)).toBeGreaterThanOrEqual(5);
      await page.locator('.steps summary').click();
      expect(await faultsIn(page)).toEqual([]);
      const links = page.locator('.steps').getByRole('link', { name: title });
      expect(await links.count()).toBe(4);
      for (const link of await links.all()) {
        const box = (await link.boundingBox())!;
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
        expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
      }
    }
  },
);
