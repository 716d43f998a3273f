import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { browserTest, desktop, open, phone } from '../support/browser.ts';
import { png, putFile, svg } from '../support/images.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

/** The images of the page that have loaded, by their descriptions; those of no size are the images that count views. */
const loaded = (page: Page) =>
  page.evaluate<string[]>(
    '[...document.images].filter((each)=>each.complete&&each.naturalWidth>0&&each.width>1).map((each)=>each.alt)',
  );

/** A campaign with a logo and, on its page, an image. */
async function withLogo(template: Record<string, unknown> = {}) {
  const block = { id: crypto.randomUUID(), order: 1, type: 'image', data: {} as Record<string, string> };
  const made = await campaign(api, [testPage('view', { content_name: 'Hello', content_blocks: [block] })], template);
  const logo = (await putFile(made.teamId, svg(), 'logo.svg')).value;
  const image = (await putFile(made.teamId, png())).value;
  block.data = { file_id: image.file_id, altText: 'A house' };
  const put = (changes: Record<string, unknown> = {}) => made.put({ logo_file_id: logo.file_id, ...changes });
  await put();
  return { ...made, put, logo, block };
}

describe('a campaign with a logo', () => {
  browserTest.each([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ])('shows it, and the images of its blocks, %s', async (_, screen) => {
    const { start, logo } = await withLogo();
    const { page, seen } = await open(screen);
    await page.goto((await start()).url);
    await expect.poll(() => loaded(page)).toEqual(['Test', 'A house']);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe(`/files/${logo.file_id}`);
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toBe(logo.url);
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Campaign');
    expect(seen).toMatchObject({ outside: [], dialogs: [], complaints: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest.each(['en', 'ar'])(
    'has it on a round plate with space around it in dark colors, in %s',
    async (language) => {
      const { start } = await withLogo({ language, journey_title_options: { type: 'TEMPLATE_NAME' } });
      const { page } = await open({ ...phone, colorScheme: 'dark' });
      await page.goto((await start()).url);
      const [radius, inline, block, distance, color] = (await page.evaluate(`(()=>{
const logo=document.querySelector(".logo"),style=getComputedStyle(logo);
const distance=document.querySelector("h1").getBoundingClientRect().top-logo.getBoundingClientRect().bottom;
return [style.borderRadius,style.paddingInlineStart,style.paddingBlockStart,distance,style.backgroundColor];
})()`)) as [string, string, string, number, string];
      expect([radius, color]).toEqual(['12px', 'rgb(255, 255, 255)']);
      expect([Number.parseFloat(inline), Number.parseFloat(block)]).toEqual([12, 8]);
      expect(distance).toBeGreaterThanOrEqual(8);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.viewport!.width);
    },
  );

  browserTest('has another logo and another image in dark colors, and no plate behind them', async () => {
    const { start, put, teamId, block } = await withLogo();
    const [logo, image] = [await putFile(teamId, svg(), 'logo-dark.svg'), await putFile(teamId, png('dark'))];
    block.data = { ...block.data, dark_file_id: image.value.file_id };
    await put({ theme: { logo_dark_file_id: logo.value.file_id } });
    const { page, seen } = await open({ ...phone, colorScheme: 'dark' });
    await page.goto((await start()).url);
    await expect.poll(() => loaded(page)).toEqual(['Test', 'A house']);
    const shown = (selector: string) =>
      page.evaluate<string[]>(
        `(each=>[new URL(each.currentSrc).pathname,getComputedStyle(each).backgroundColor])(document.querySelector("${selector}"))`,
      );
    const transparent = 'rgba(0, 0, 0, 0)';
    expect(await shown('.logo')).toEqual([`/files/${logo.value.file_id}`, transparent]);
    expect(await shown('figure img')).toEqual([`/files/${image.value.file_id}`, transparent]);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(async () => (await shown('figure img'))[0]).toBe(`/files/${block.data.file_id}`);
    expect(seen).toMatchObject({ outside: [], complaints: [] });
  });

  browserTest('has no plate behind an image in dark colors, also without another one', async () => {
    const { start } = await withLogo({ theme: { palette: { surface: '#fffdf5' } } });
    const { page } = await open({ ...phone, colorScheme: 'dark' });
    await page.goto((await start()).url);
    const color = 'getComputedStyle(document.querySelector("figure img")).backgroundColor';
    expect(await page.evaluate(color)).toBe('rgba(0, 0, 0, 0)');
  });

  browserTest('shows it where the identity is asked for', async () => {
    const { start } = await withLogo({ is_auth_required: true });
    const { page, seen } = await open(phone);
    await page.goto((await start({ birthdate: '1985-03-27', post_code: '12345' })).url);
    await expect.poll(() => loaded(page)).toEqual(['Test']);
    expect(await page.locator('meta[property="og:image"]').count()).toBe(1);
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Test');
    expect(seen).toMatchObject({ outside: [], complaints: [] });
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest('shows it where the journey has ended', async () => {
    const { start } = await withLogo({ journey_duration_hours: 0, theme: { palette: { primary: '#0a6640' } } });
    const { page } = await open(desktop);
    const response = await page.goto((await start()).url);
    expect(response?.status()).toBe(410);
    await expect.poll(() => loaded(page)).toEqual(['Test']);
    expect(await page.title()).toMatch(/ · Test$/);
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest('has the name of the team in its place where the file is gone', async () => {
    const { start, put } = await withLogo();
    await put({ logo_file_id: crypto.randomUUID() });
    const { page } = await open(phone);
    await page.goto((await start()).url);
    await page.getByRole('img', { name: 'Test' }).waitFor();
    await expect.poll(() => loaded(page)).toEqual(['A house']);
  });
});

describe('an SVG that is opened by itself', () => {
  browserTest('is shown, and has an origin of its own', async () => {
    const { logo } = await withLogo();
    const { page, seen } = await open(desktop);
    const response = await page.goto(logo.url);
    expect(response?.headers()['content-type']).toBe('image/svg+xml');
    expect(await page.evaluate('[document.documentElement.tagName, self.origin]')).toEqual(['svg', 'null']);
    expect(seen).toMatchObject({ outside: [], dialogs: [] });
  });
});
