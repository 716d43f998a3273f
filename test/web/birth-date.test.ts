import { expect } from 'vitest';
import { browserTest, newContext } from '../support/browser.ts';
import { known } from '../support/identity-requests.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

/** The inputs, with the top, width and height of each, and whether its label and text fit. */
const inputs = `[...document.querySelectorAll(".date input")].map(each=>{
const{top,width,height,right}=each.getBoundingClientRect();
return {top,width,height,fits:each.scrollWidth<=each.clientWidth&&each.previousSibling.scrollWidth<=each.parentElement.clientWidth&&right<=each.closest(".field").getBoundingClientRect().right}})`;

browserTest.each(['en', 'es', 'de', 'fr', 'ar'])(
  'the parts of the birth date are in one row of 44 px on every phone, in %s',
  async (language) => {
    const own = await campaign(api, [testPage('confirm')], { is_auth_required: true, language });
    const { url } = await own.start(known);
    const page = await (await newContext({})).newPage();
    await page.goto(url);
    const expectOneRow = async () => {
      for (const width of [320, 360, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate<{ top: number; width: number; height: number; fits: boolean }[]>(inputs);
        expect(found).toHaveLength(3);
        expect([width, new Set(found.map(({ top }) => top)).size, found.every(({ fits }) => fits)]).toEqual([
          ...[width, 1, true],
        ]);
        expect(Math.min(...found.flatMap((each) => [each.width, each.height]))).toBeGreaterThanOrEqual(44);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    };
    await expectOneRow();
    // The mark of a wrong answer takes space.
    const typed = { birth_day: '28', birth_month: '88', birth_year: '2088' };
    for (const [name, value] of Object.entries(typed)) await page.locator(`[name=${name}]`).fill(value);
    await page.locator('.go .button').click();
    await page.locator('.wrong .date').waitFor();
    await expectOneRow();
  },
);
