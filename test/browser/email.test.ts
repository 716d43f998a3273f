import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect } from 'vitest';
import { OutboxSender } from '../../lib/email/outbox.ts';
import { email, id } from '../support/samples/email.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

/** Messages as a mail program with the engine of a browser shows them, with their images not loaded. */

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const blocks = [
  { type: 'heading', data: { heading: `Welcome ${long}`, body: 'Two steps are open: {{journey_url}}' } },
  { type: 'text', data: { body: long, terms: [{ label: 'Interest rate', value: '3.2 %' }] } },
  { type: 'card', data: { heading: 'In short', body: 'It takes five minutes.' } },
  { type: 'image', data: { file_id: id(77), altText: 'A house beside a river', caption: 'Our branch' } },
  { type: 'button', data: { text: 'Begin', url: '{{page_url}}' } },
  { type: 'divider', data: {} },
  { type: 'document', data: { documentLinkText: 'Prices', documentLinkUrl: 'https://bank.example/prices.pdf' } },
  { type: 'agreement', data: { heading: 'Please agree', agreementText: 'I agree', text: long } },
  { type: 'survey', data: { heading: 'Tell us', questions: ['How was it?'] } },
];
const palette = { primary: '#0a6847', background: '#f4f1ea' };
const sent = (language: string, logo_file_id?: string) =>
  email({ template: { language, theme: { palette }, logo_file_id: logo_file_id ?? null }, blocks });

const cases = [320, 600].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme): [number, 'light' | 'dark'] => [width, colorScheme]),
);

async function opened(html: string, options: BrowserContextOptions) {
  const context = await newContext(options);
  const page = await context.newPage();
  const asked: string[] = [];
  await page.route('**', (route) => {
    asked.push(new URL(route.request().url()).pathname);
    return route.abort();
  });
  await page.setContent(html);
  return { page, asked };
}

describe.each(cases)('at %i pixels in %s colors', (width, colorScheme) => {
  browserTest.each(['en', 'ar'])('in %s nothing is cut off, and axe finds nothing', async (language) => {
    const { html } = sent(language, id(78));
    const { page, asked } = await opened(html, { viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await axeFindings(page)).toEqual([]);
    // Nothing but its images is loaded, and without them their texts are there.
    expect(new Set(asked)).toEqual(new Set([`/files/${id(77)}`, `/files/${id(78)}`]));
    await page.getByAltText('A house beside a river').waitFor();
    await page.getByAltText('Bank of Rivers').waitFor();
    const button = await page.getByRole('link', { name: 'Begin' }).boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(44);
    const background = await page.evaluate('getComputedStyle(document.querySelector(".surface")).backgroundColor');
    expect(background === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
  });

  browserTest('it can be read without its style element, which some programs drop', async () => {
    const html = sent('en').html.replace(/<style>.*?<\/style>/s, '');
    const { page } = await opened(html, { viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await axeFindings(page)).toEqual([]);
  });
});

browserTest.each(['light', 'dark'] as const)(
  'the outbox shows a message in its frame, in %s colors',
  async (colorScheme) => {
    const api = await service();
    const { values, ...mail } = sent('en');
    const tags = { message: randomUUID(), address: '', team: id(1) };
    const folder = join(dirname(api.local.drop_box_folder), 'outbox');
    await new OutboxSender(folder, Date.now).send({ ...mail, to: 'maria@example.org', tags });
    const page = await (await newContext({ viewport: { width: 320, height: 800 }, colorScheme })).newPage();
    await page.goto(`${api.baseUrl}/outbox`);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator(`a[href="/outbox/${tags.message}"]`).click();
    await page.frameLocator('iframe').getByRole('link', { name: 'Begin' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'bounced' }).click();
    await page.getByText('bounced', { exact: true }).first().waitFor();
    expect(page.url()).toBe(`${api.baseUrl}/outbox/${tags.message}`);
  },
);
