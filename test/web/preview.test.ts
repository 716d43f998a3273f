import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPreview } from '../../bin/preview/server.ts';
import { read } from '../architecture/sources.ts';
import { browserTest, newContext } from '../support/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'preview-'));
const file = join(folder, 'campaign.json');
writeFileSync(file, read('examples/mortgage.json'));
const preview = await startPreview({ file, port: 0, dataDirectory: folder });

afterAll(async () => {
  preview.close();
  rmSync(folder, { recursive: true });
});

test.each(['/', '/events', '/t/0/new/en', '/files/x'])(
  'of %s is only for requests to its own host, not for one whose name resolves to it',
  async (path) => {
    const statusFor = (host: string) =>
      new Promise((resolve) =>
        get(new URL(path, preview.url), { headers: { host } }, (response) => {
          resolve(response.statusCode);
          response.destroy();
        }),
      );
    const { port } = new URL(preview.url);
    expect(await statusFor(`preview.example.com:${port}`)).toBe(403);
    expect(await statusFor(`localhost:${port}`)).not.toBe(403);
  },
);

browserTest('shows every page and state on a phone and a desktop, and each change with its warnings', async () => {
  const page = await (await newContext({ viewport: { width: 1500, height: 1000 } })).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(preview.url);
  const [onPhone, onDesktop] = [page.frameLocator('.phone'), page.frameLocator('.desktop')];
  for (const frame of [onPhone, onDesktop]) await frame.getByText('A home of your own, Alex').waitFor();
  await page.getByText('anybody with the link can').waitFor();

  await page.getByRole('link', { name: 'Ending' }).click();
  await onPhone.getByText('Congratulations, Alex').waitFor();
  await page.getByLabel('es', { exact: true }).check();
  await onDesktop.getByText('Enhorabuena, Alex').waitFor();
  await page.getByLabel('Dark').check();
  await onPhone.getByText('Enhorabuena, Alex').waitFor();

  await page.getByLabel('Dark').uncheck();
  await page.getByLabel('en', { exact: true }).check();
  await page.getByRole('link', { name: 'Your consent' }).nth(1).click();
  await onPhone.getByRole('link', { name: 'Finish' }).click();
  await onDesktop.getByText('Congratulations, Alex').waitFor();
  expect(await page.locator('nav a[aria-current]').textContent()).toBe('Ending');

  await page.getByRole('link', { name: 'Your consent' }).first().click();
  await onPhone.getByRole('textbox').fill('Alex Sample');
  await onPhone.locator('form.completion button').first().click();
  await onPhone.locator('.outcome').waitFor();
  await onPhone.getByRole('link', { name: 'Finish' }).click();
  await onPhone.getByText('Congratulations, Alex').waitFor();

  const links = await page
    .locator('nav a')
    .evaluateAll((all) =>
      all.map((each) => (each as never as { getAttribute(name: string): string }).getAttribute('href')),
    );
  for (const link of links) {
    const response = await fetch(new URL(link.replace('LANGUAGE', 'es'), preview.url));
    expect([link, response.status]).toEqual([link, 200]);
  }

  const changed = JSON.parse(read('examples/mortgage.json'));
  changed.templates[0].ending.heading = 'Well done, {{name_first}}';
  changed.templates[0].colour = 'red';
  changed.templates[0].status = 'draft';
  changed.templates[0].template_pages[1].page.is_live = false;
  writeFileSync(file, JSON.stringify(changed));
  await page.getByText('/templates/0/colour').waitFor();
  await page.getByText('Journeys are not open: the campaign is a draft (status)').waitFor();
  expect(await page.getByText('Not shown: the page is not live (is_live is false)').count()).toBe(4);
  await expect.poll(() => onPhone.locator('h2').first().textContent()).toBe('Well done, Alex');
  writeFileSync(file, '{');
  await page.getByText('Errors (1)').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});
