import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startPreview } from '../../../bin/preview/server.ts';

const phone = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 1.5 };
const desktop = { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 };

const root = new URL('../../../', import.meta.url).pathname;
const mortgage = readFileSync(join(root, 'examples/mortgage.json'), 'utf8');

/** The example of a section of docs/campaigns.md. */
function exampleOf(section: string): string {
  const page = readFileSync(join(root, 'docs/campaigns.md'), 'utf8');
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`));
  return /```json content\n(.+?)```/s.exec(text ?? '')?.[1] ?? '';
}

type Shot = { name: string; document: string; path: string; page?: number; isDark?: boolean; isDesktop?: boolean };

const first = { document: exampleOf('A first page'), path: 't/0/new/en' };
const look = { document: exampleOf('Give it your look'), path: 't/0/new/en' };
const terms = { document: exampleOf('Show the terms of an offer'), path: 't/0/new/en' };
/** The same with a value that needs a proof of identity. */
const personal = mortgage.replaceAll('I allow {{team.name}}', 'I, born on {{birthdate}}, allow {{team.name}}');
const consent = { document: mortgage, path: 't/0/new/en', page: 3 };

const shots: Shot[] = [
  { name: 'first-phone', ...first },
  { name: 'terms-phone', ...terms },
  { name: 'terms-dark-phone', ...terms, isDark: true },
  { name: 'steps-phone', document: exampleOf('Add steps that ask'), path: 't/0/new/en', page: 1 },
  { name: 'ending-phone', document: exampleOf('Say how it ends'), path: 't/0/answered/en?page=ending' },
  { name: 'look-phone', ...look },
  { name: 'look-dark-phone', ...look, isDark: true },
  { name: 'languages-ar-phone', document: exampleOf('Translate it'), path: 't/0/new/ar' },
  ...[0, 1, 2, 3].map((page) => ({ ...consent, name: `mortgage-${page + 1}-phone`, page })),
  { ...consent, name: 'mortgage-4-ar-phone', path: 't/0/new/ar' },
  { ...consent, name: 'mortgage-4-proof-phone', document: personal, path: 't/0/before the proof/en' },
  { ...consent, name: 'mortgage-4-answered-dark-phone', path: 't/0/answered/en', isDark: true },
  { name: 'mortgage-ending-es-phone', document: mortgage, path: 't/0/answered/es?page=ending' },
  { name: 'mortgage-identity-phone', document: mortgage, path: 't/0/identity error/en' },
  { name: 'mortgage-expired-phone', document: mortgage, path: 't/0/expired/en' },
  { ...consent, name: 'mortgage-2', page: 1, isDesktop: true },
];

/** As people see the pages: with the name of a bank, and a font in place of those that this machine lacks. */
const asSeen = (page: Page) =>
  page.route('**/t/**', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replaceAll('Your institution', 'Cedar Valley');
    await route.fulfill({
      response,
      body: html.replaceAll('system-ui,"Segoe UI"', '"Open Sans",system-ui,"Segoe UI"'),
    });
  });

/** Takes the pictures of docs/campaigns.md. @returns how many */
export async function takeGallery(browser: Browser, folder: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-gallery-'));
  const file = join(directory, 'campaign.json');
  writeFileSync(file, mortgage);
  const preview = await startPreview({ file, port: 0, dataDirectory: directory });
  try {
    for (const shot of shots) {
      writeFileSync(file, shot.document);
      const colorScheme = shot.isDark ? 'dark' : 'light';
      const page = await browser.newPage({
        ...(shot.isDesktop ? desktop : phone),
        colorScheme,
        reducedMotion: 'reduce',
      });
      await asSeen(page);
      await page.goto(new URL(shot.path, preview.url).href);
      const step = page.locator('.steps a').nth(shot.page ?? 0);
      if (shot.page !== undefined && shot.page > 0)
        await page.goto(new URL((await step.getAttribute('href'))!, page.url()).href);
      await page.screenshot({ path: join(folder, `campaign-${shot.name}.png`), fullPage: true });
      await page.close();
    }
    writeFileSync(file, mortgage);
    const page = await browser.newPage({ viewport: { width: 1580, height: 960 }, reducedMotion: 'reduce' });
    await asSeen(page);
    await page.goto(preview.url);
    await page.frameLocator('.desktop').locator('h2').first().waitFor();
    await page.screenshot({ path: join(folder, 'campaign-preview.png') });
    await page.close();
    return shots.length + 1;
  } finally {
    preview.close();
    rmSync(directory, { recursive: true });
  }
}
