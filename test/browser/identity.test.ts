import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isLongForm } from '../support/long-form.ts';
import { campaign, type TestJourney, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, desktop, newContext, phone, screens, withoutScripts } from './browser.ts';

const api = await service();

const kinds = [
  ['on a phone, without scripts', withoutScripts],
  ['on a desktop, with scripts', desktop],
] as const;
/** For what the other tests try without scripts too, so that the short form needs it once. */
const scripted = isLongForm ? kinds : kinds.slice(1);

const jana = {
  name_first: 'Jana',
  birthdate: '1985-03-27',
  phone_mobile: '+1 555 010 4821',
  meta_private: { limit: 'seven thousand' },
};
const text = 'Your limit is {{meta_private.limit}}.';
const pages = [
  testPage('view', { navigation_title: 'Welcome', content_blocks: [{ type: 'text', data: { body: 'Good day.' } }] }),
  testPage('confirm', { navigation_title: 'Your limit', content_blocks: [{ type: 'text', data: { body: text } }] }),
];
const start = async (fields: object, contact: object = jana): Promise<TestJourney> =>
  (await campaign(api, pages, fields as Record<string, unknown>)).start(contact as Record<string, unknown>);

type Opened = { page: Page; complaints: string[] };

async function open(options: BrowserContextOptions): Promise<Opened> {
  const context = await newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Some of these tests expect rejected answers.
    if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Types the date of birth and the end of the telephone number, and sends them by the keyboard. */
async function answer(page: Page, [month, day, year]: readonly string[], digits: string): Promise<void> {
  await page.getByLabel('Month').fill(month!);
  await page.getByLabel('Day').fill(day!);
  await page.getByLabel('Year').fill(year!);
  const phoneField = page.getByLabel('The last four digits of your mobile number');
  await phoneField.fill(digits);
  await phoneField.press('Enter');
}
const birthday = ['3', '27', '1985'];

describe('a person proves who they are', () => {
  browserTest.each(kinds)('to see a journey at all, %s', async (_, options) => {
    const journey = await start({ is_auth_required: true });
    const { page, complaints } = await open(options);
    await page.goto(`${journey.url}?page=${pages[1]!.id}`);
    await page.getByRole('heading', { name: 'Please confirm that it is you' }).waitFor();
    expect(/Jana|4821|1985-|Your limit/.exec(await page.content())).toBeNull();
    await answer(page, birthday, '4821');
    await page.getByText('Your limit is seven thousand.').waitFor();
    expect(page.url()).toBe(`${journey.url}?page=${pages[1]!.id}`);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('link', { name: 'See or change it' }).waitFor();
    await page.goto(`${journey.url}?page=${pages[1]!.id}`);
    await page.getByRole('button', { name: 'Hide now' }).click();
    await page.getByRole('heading', { name: 'Please confirm that it is you' }).waitFor();
    expect(complaints).toEqual([]);
  });

  browserTest.each(scripted)('to see what a page says to them alone, %s', async (_, options) => {
    const journey = await start({});
    const { page, complaints } = await open(options);
    await page.goto(journey.url);
    expect(await page.getByRole('link', { name: 'Confirm that it is you' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next: Your limit' }).click();
    await page.getByText('Your limit is •••.').waitFor();
    await page.getByRole('link', { name: 'Confirm that it is you' }).first().click();
    await answer(page, birthday, '0000');
    await page.getByRole('link', { name: 'Back without confirming' }).click();
    await page.getByText('Your limit is •••.').waitFor();
    await page.getByRole('link', { name: 'Confirm that it is you' }).first().click();
    await answer(page, birthday, '(555) 010-4821');
    await page.getByText('Your limit is seven thousand.').waitFor();
    await page.getByRole('button', { name: 'Hide now' }).click();
    await page.getByText('Your limit is •••.').waitFor();
    expect(complaints).toEqual([]);
  });

  browserTest.each(kinds)('after mistakes, of which the page tells where they look first, %s', async (_, options) => {
    const journey = await start({ is_auth_required: true });
    const { page } = await open(options);
    await page.goto(journey.url);
    await answer(page, ['3', '', '1985'], '');
    const alert = page.getByRole('alert');
    await alert.getByText('Something is missing').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    if (options.javaScriptEnabled !== false) {
      expect(await page.evaluate("document.activeElement.matches('[role=alert]')")).toBe(true);
    }
    await alert.getByRole('link', { name: 'Enter the last four digits of your mobile number' }).click();
    expect(await page.locator('#phone:focus').count()).toBe(1);
    expect(await page.locator('#phone').inputValue()).toBe('');
    expect(await page.locator('#phone').getAttribute('aria-invalid')).toBe('true');
    await answer(page, birthday, '4822');
    await page.getByRole('alert').getByText('do not match').waitFor();
    // With scripts the page stays where it was, so that a reload sends nothing again.
    expect(page.url().split('#')[0]).toBe(
      options.javaScriptEnabled === false ? `${journey.url}/identity` : journey.url,
    );
    expect(await page.locator('#phone').inputValue()).toBe('4822');
    await answer(page, ['2', '30', '1985'], '12');
    await page.locator('fieldset').getByText('This date does not exist.').waitFor();
    await page.locator('.field').getByText('This has fewer than four digits').waitFor();
    expect(await page.getByLabel('Day').inputValue()).toBe('30');
    await answer(page, birthday, '4821');
    await page.getByText('Good day.').waitFor();
  });
});

browserTest('an error of the network or of the gateway keeps what was typed', async () => {
  const journey = await start({ is_auth_required: true });
  const { page } = await open(phone);
  await page.goto(journey.url);
  await page.route('**/identity', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Service Unavailable"}' }),
  );
  await answer(page, birthday, '4821');
  await page.getByRole('alert').getByText('This could not be sent').waitFor();
  expect(await page.getByLabel('Year').inputValue()).toBe('1985');
  await page.unroute('**/identity');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Good day.').waitFor();
});

browserTest('a link that was pressed before the answers were refused is followed', async () => {
  const journey = await start({});
  const { page } = await open(desktop);
  await page.goto(`${journey.url}?page=${pages[1]!.id}`);
  await page.getByRole('link', { name: 'Confirm that it is you' }).first().click();
  const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
  await page.route('**/identity', (route) => isPressed.then(() => route.continue()));
  const refused = page.waitForResponse('**/identity');
  await answer(page, birthday, '0000');
  await page.getByRole('link', { name: 'Back without confirming' }).hover();
  await page.mouse.down();
  press();
  await (await refused).finished();
  // A page that does not wait for the release has replaced the link by then.
  await page.waitForTimeout(300);
  await page.mouse.up();
  await page.getByText('Your limit is •••.').waitFor();
});

describe('the questions', () => {
  browserTest.each(screens)(
    'give axe nothing to find %s: asked, at fault, on hold after five guesses, without anything to ask',
    async (_, screen) => {
      const journey = await start({ is_auth_required: true });
      const { page } = await open(screen);
      await page.goto(journey.url);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await answer(page, ['', '', ''], '');
      await page.getByRole('alert').getByText('Something is missing').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      for (let guess = 0; guess < 5; guess++) {
        await Promise.all([page.waitForResponse('**/identity'), answer(page, birthday, `000${guess}`)]);
        if (guess < 4) await page.locator(`#phone[value="000${guess}"]`).waitFor();
      }
      await page.getByRole('heading', { name: 'Please pause before you try again' }).waitFor();
      await page.getByText(/1[45]:\d\d/).waitFor();
      expect(await page.locator('form').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.goto((await start({ is_auth_required: true }, { name_first: 'Jana' })).url);
      expect(await axeFindings(page)).toEqual([]);
      await page.goto((await start({})).url);
      await page.getByRole('link', { name: 'Next: Your limit' }).click();
      await page.getByRole('link', { name: 'Confirm that it is you' }).first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
  );
});
