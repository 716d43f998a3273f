import { createServer } from 'node:http';
import { afterAll, expect } from 'vitest';
import { read } from '../architecture/sources.ts';
import { browserTest, newContext } from '../support/browser.ts';
import { embedding, pageFor } from '../support/channels.ts';
import { listen } from '../support/loopback.ts';
import { service } from '../support/service.ts';

const api = await service();
let site = '';
const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(site));
const { endpoint: origin, stop } = await listen(server);
afterAll(async () => {
  stop();
});

/** The lines that the documentation gives to the owner of the page. */
const [script = ''] = read('docs/journeys.md').match(/<script>.+?<\/script>/s)!;
const text = (body: string, order: number) => ({ type: 'text', order, data: { body } });
const lines = (count: number) => Array.from({ length: count }, (_, at) => text(`Line ${at}`, at));

browserTest('a frame gets the height of its content, at every width, by the script of the documentation', async () => {
  const question = { type: 'survey', order: 30, data: { questions: [{ text: 'Why?' }] } };
  const pages = (id: string) => [
    pageFor(id, 'confirm', { navigation_title: 'Ask', container: { content_blocks: [...lines(12), question] } }),
  ];
  const channel = { frame_ancestors: [origin], default_content: { content_blocks: lines(2) } };
  const own = await embedding(api, pages, channel);
  const { url } = await own.person();
  const page = await (await newContext({ viewport: { width: 900, height: 700 } })).newPage();
  const frame = page.locator('iframe');
  const heightOf = async () => (await frame.boundingBox())!.height;
  const isFit = () =>
    page.frames()[1]!.evaluate('((e) => e.scrollHeight <= e.clientHeight)(document.querySelector("main"))');

  site = `<!doctype html><title>Bank</title>${script}<iframe src="${url}" width="100%" height="90" style="border: 0"></iframe>`;
  await page.goto(origin);
  await expect.poll(heightOf).toBeGreaterThan(500);
  await expect.poll(isFit).toBe(true);
  const wide = await heightOf();
  await page.setViewportSize({ width: 330, height: 700 });
  await expect.poll(isFit).toBe(true);
  await page.frames()[1]!.getByLabel('Why?').fill('So');
  await page.frames()[1]!.getByRole('button', { name: 'Done' }).click();
  await page.frames()[1]!.getByText('Change your answers').waitFor();
  await expect.poll(isFit).toBe(true);
  expect(wide).toBeLessThan(1200);

  site = site.replace(url, (await own.search('nobody')).url);
  await page.goto(origin);
  await expect.poll(heightOf).toBeLessThan(200);
  await expect.poll(isFit).toBe(true);
});
