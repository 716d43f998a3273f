import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Color, colorOf, contrast } from '../../lib/web/css/color.ts';
import { browserTest, newContext } from '../support/browser.ts';
import { known, right } from '../support/identity-requests.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

const palettes: object[] = [
  {},
  { background: '#0b5d57' },
  { background: '#003366' },
  { surface: '#003366' },
  { surface: '#808080' },
  { background: '#ffffff', surface: '#111111', text: '#222222' },
  { dark: { surface: '#ffffff' } },
  { dark: { background: '#ffffff' } },
];

/** The color of the notice's text, and that of what is behind it. */
const colors = `(()=>{const text=document.querySelector(".proof-first p,.personal p");let ground=text;
while(getComputedStyle(ground).backgroundColor==="rgba(0, 0, 0, 0)")ground=ground.parentElement;
return [getComputedStyle(text).color,getComputedStyle(ground).backgroundColor]})()`;

async function expectReadable(page: Page, palette: object): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [text, ground] = (await page.evaluate<string[]>(colors)).map(colorOf) as [Color, Color];
    expect(contrast(text, ground), `${JSON.stringify(palette)}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
  }
}

const blocks = [{ type: 'text', data: { body: 'Your limit is {{meta_private.limit}}.' } }];

browserTest.each(palettes)(
  'the notices of the identity proof can be read by day and in the dark: %j',
  async (palette) => {
    const own = await campaign(api, [testPage('confirm', { content_blocks: blocks })], { theme: { palette } });
    const { url } = await own.start(known);
    const page = await (await newContext({ reducedMotion: 'reduce' })).newPage();
    await page.goto(url);
    await expectReadable(page, palette);
    await page.locator('.proof-first a').click();
    for (const [name, value] of Object.entries(right)) await page.locator(`[name=${name}]`).fill(value);
    await page.locator('.go .button').click();
    await page.locator('.personal.shown').waitFor();
    await expectReadable(page, palette);
  },
);
