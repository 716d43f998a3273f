import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../bin/content/read.ts';
import { contentWarnings } from '../../bin/warnings/document.ts';
import { axeFindings } from '../support/axe.ts';
import { browserTest, desktop, open, phone, withoutScripts } from '../support/browser.ts';
import { campaign, type TestPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

/** The campaign that docs/campaigns.md makes: four pages, all types of blocks, own colors, three languages. */
const document = JSON.parse(readFileSync(new URL('../../examples/mortgage.json', import.meta.url), 'utf8'));
const { template_pages, ...template } = document.templates[0];
const pages: TestPage[] = template_pages.map(({ page }: { page: object }) => ({ ...page, id: crypto.randomUUID() }));

test('the mortgage campaign has no errors and no warnings', () => {
  const { errors, document: read } = readDocument(document);
  expect([errors, contentWarnings(document, read!)]).toEqual([[], []]);
});

/** Controls that are smaller than 44 px, without links in running text and what only screen readers see. */
const smallControls = `[...document.querySelectorAll("a,button,input:not([type=hidden]),textarea,summary")].filter(each=>!each.closest("p:not(.document):not(.call),.unseen,.skip,footer")&&each.type!=="radio").map(each=>[each.outerHTML.slice(0,90),each.getBoundingClientRect()]).filter(([,{width,height}])=>width>0&&(width<43.5||height<43.5)).map(([text,{width,height}])=>text+" "+width+"x"+height)`;

/** What is wrong with the page by day and by night. */
async function faultsIn(page: Page, width: number): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    const small = (await page.evaluate(smallControls)) as string[];
    const faults = [...(await axeFindings(page)), ...small, ...(wide > width ? [`is ${wide} px wide`] : [])];
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

const screens: [string, BrowserContextOptions][] = [
  ['a phone', phone],
  ['a desktop', desktop],
];

describe.each(screens)('on %s', (_, screen) => {
  browserTest.each(['en', 'es', 'ar'])('every page in %s is for everybody, to the ending', async (language) => {
    const { start } = await campaign(api, pages, template);
    const { url } = await start({ name_first: 'Ana', meta_public: { language } });
    const { page, seen } = await open(screen);
    const found: string[] = [];
    const { width } = screen.viewport!;
    for (const { id } of pages) {
      await page.goto(`${url}?page=${id}`);
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      found.push(...(await faultsIn(page, width)));
      const button = page.locator('form.completion button').first();
      const name = page.locator('input[name=typed_name]');
      if ((await name.count()) > 0) await name.fill('Ana Núñez');
      if ((await button.count()) > 0) {
        await button.click();
        await page.locator('.saved,.told,.page-notes,.call:not([data-completes])').first().waitFor();
        found.push(...(await faultsIn(page, width)));
      }
    }
    await page.goto(url);
    await page.locator('.ending').waitFor();
    found.push(...(await faultsIn(page, width)));
    expect(found).toEqual([]);
    expect([seen.outside, seen.dialogs, seen.complaints]).toEqual([[], [], []]);
  });
});

browserTest('without scripts every page can be completed, to the ending', async () => {
  const { start, analytics } = await campaign(api, pages, template);
  const journey = await start({ name_first: 'Ana', meta_public: { language: 'es' } });
  const { page } = await open(withoutScripts);
  for (const { id } of pages) {
    await page.goto(`${journey.url}?page=${id}`, { waitUntil: 'networkidle' });
    const name = page.locator('input[name=typed_name]');
    if ((await name.count()) > 0) await name.fill('Ana Núñez');
    const button = page.locator('form.completion button').first();
    if ((await button.count()) > 0) await button.click();
  }
  await page.goto(journey.url);
  await page.getByText('Enhorabuena, Ana').waitFor();
  expect((await analytics(journey)).is_completed).toBe(true);
});

browserTest('a page is one document of at most 18 KB and one request', async () => {
  const { start } = await campaign(api, pages, template);
  const { url } = await start({ name_first: 'Ana' });
  const { page } = await open(phone);
  const requests: string[] = [];
  // After it is shown, the page reports its view and loads its new progress, and nothing else.
  page.on('request', (request) => {
    if (request.resourceType() !== 'fetch') requests.push(request.url());
  });
  const sizes: number[] = [];
  for (const { id } of pages) {
    requests.length = 0;
    const response = await page.goto(`${url}?page=${id}`, { waitUntil: 'networkidle' });
    sizes.push(Buffer.byteLength(await response!.text()));
    expect(requests.filter((each) => !each.startsWith('data:') && !each.endsWith('favicon.ico'))).toEqual([
      `${url}?page=${id}`,
    ]);
  }
  expect(Math.max(...sizes)).toBeLessThan(18_000);
});
