import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startService } from '../../../bin/demo/service.ts';
import { launchBrowser, missingBrowser } from '../../support/service/launch-browser.ts';
import { startPartnerSite } from './embedding-page.ts';
import { takeGallery } from './gallery.ts';
import { takeResults } from './results.ts';
import { type SampleJourney, sampleContent, startSampleJourney } from './sample-journey.ts';

/** `node test/judges/screenshots/run.ts` takes the pictures of the sample campaign for the documentation. */
const folder = new URL('../../../docs/images/', import.meta.url).pathname;

const desktop = { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 };

/** The pages of the campaign to take, and the action before the picture. */
const shots = [
  { name: 'journey-welcome', screen: desktop, page: 0 },
  { name: 'journey-consent', screen: desktop, page: 3, signs: false },
  { name: 'journey-completed', screen: desktop, page: 3, signs: true },
  { name: 'journey-card', screen: desktop, page: 4 },
  { name: 'journey-welcome-phone', screen: phone, page: 0 },
  { name: 'journey-consent-phone', screen: phone, page: 3 },
  { name: 'journey-survey-phone', screen: phone, page: 6 },
] as const;

async function take(browser: Browser, journey: SampleJourney, shot: (typeof shots)[number]): Promise<void> {
  const page = await browser.newPage({ ...shot.screen, reducedMotion: 'reduce' });
  await page.goto(`${journey.url}?page=${journey.pageIds[shot.page]}`, { waitUntil: 'networkidle' });
  if ('signs' in shot && shot.signs) {
    await page.getByLabel('Type your full name').fill('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.locator('.saved a').click();
    await page.locator('.outcome').waitFor();
  }
  await page.screenshot({ path: join(folder, `${shot.name}.png`), fullPage: true });
  await page.close();
}

/** A picture of a partner's online banking that embeds channel content. */
async function takeEmbedding(browser: Browser, url: string, name: string): Promise<void> {
  const partner = await startPartnerSite(url);
  const page = await browser.newPage({ viewport: { width: 1120, height: 720 }, reducedMotion: 'reduce' });
  await page.goto(partner.url, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
  partner.close();
}

async function main(): Promise<void> {
  if (missingBrowser) throw new Error(missingBrowser);
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-screenshots-'));
  const { local, release } = await startService(directory, '--memory');
  const browser = await launchBrowser({ ownFonts: true });
  try {
    mkdirSync(folder, { recursive: true });
    for (const shot of shots) await take(browser, await startSampleJourney(local, shot.name), shot);
    const embedded = 'channel-embedded';
    await startSampleJourney(local, embedded);
    await takeEmbedding(browser, await sampleContent(local, embedded), embedded);
    const others = (await takeGallery(browser, folder)) + (await takeResults(browser, folder));
    console.log(`${shots.length + 1 + others} screenshots are in ${folder}`);
  } finally {
    await browser.close();
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
