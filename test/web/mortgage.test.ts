import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDocument } from '../../bin/content/read.ts';
import { contentWarnings } from '../../bin/warnings/document.ts';
import { browserTest, open, phone, withoutScripts } from '../support/browser.ts';
import { campaign, type TestPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

/** The campaign that docs/campaigns.md makes. `everybody.test.ts` looks at each of its pages. */
const document = JSON.parse(readFileSync(new URL('../../examples/mortgage.json', import.meta.url), 'utf8'));
const { template_pages, ...template } = document.templates[0];
const pages: TestPage[] = template_pages.map(({ page }: { page: object }) => ({ ...page, id: crypto.randomUUID() }));

test('the mortgage campaign has no errors, and no warnings but that anybody with the link can sign', () => {
  const { errors, document: read } = readDocument(document);
  const warnings = contentWarnings(document, read!).filter(({ message }) => !/anybody with the link/.test(message));
  expect([errors, warnings]).toEqual([[], []]);
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
