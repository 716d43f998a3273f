import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { campaign, type TestPage, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext, phone } from './browser.ts';

const api = await service();

const limit = { type: 'text', data: { body: 'Your limit is {{meta_private.limit}}.' } };
const survey = { type: 'survey', data: { questions: ['What do you plan with {{meta_private.limit}}?'] } };
const jana = { birthdate: '1985-03-27', post_code: '12345', meta_private: { limit: 'seven thousand' } };

const signature = { type: 'signature', data: { agreementText: 'I agree.', signatureBoxText: 'Your full name' } };

type Shown = { page: Page; context: BrowserContext; url: string };

/** A page that is shown after the proof of identity, with a clock that the test moves. */
async function proved(
  blocks: object[],
  template: Record<string, unknown> = {},
  condition = 'confirm',
  more: TestPage[] = [],
): Promise<Shown> {
  const { start } = await campaign(api, [testPage(condition, { content_blocks: blocks }), ...more], template);
  const { url } = await start(jana);
  const context = await newContext(phone);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${url}/identity`);
  await page.getByLabel('Month').fill('3');
  await page.getByLabel('Day').fill('27');
  await page.getByLabel('Year').fill('1985');
  await page.getByLabel('Your post code').fill('12345');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Your limit is seven thousand.').waitFor();
  return { page, context, url };
}

/** The browser deletes the cookie of the proof after the same time. */
async function endProof({ page, context }: Shown, endTime: (page: Page) => Promise<void>): Promise<void> {
  await computed(page);
  await context.clearCookies();
  await endTime(page);
}

/** The script knows when the proof ends. The text of a page can be visible before its script runs. */
const computed = (page: Page) => page.locator('[data-end]').waitFor({ state: 'attached' });

const halfAnHour = (page: Page) => page.clock.fastForward('30:01');
/** While a device sleeps, its timers do not run. */
const sleep = async (page: Page) => {
  await page.clock.setSystemTime(Date.now() + 40 * 60_000);
  await wake(page);
};
/** The browser shows a page that it kept in memory, after the person went back to it. */
const goBack = (page: Page) =>
  page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow',{persisted:true}))").then(() => {});
const wake = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))").then(() => {});

browserTest.each([
  ['after half an hour', {}, halfAnHour, 'Your limit is •••.'],
  ['after the device slept', {}, sleep, 'Your limit is •••.'],
  ['after the person went back to it', {}, goBack, 'Your limit is •••.'],
  ['of a campaign that is all private', { is_auth_required: true }, halfAnHour, 'Please confirm that it is you'],
] as const)('an open page hides the personal details %s', async (_, template, endTime, expected) => {
  const shown = await proved([limit], template);
  await computed(shown.page);
  await shown.page.clock.fastForward('29:00');
  expect(await shown.page.getByText('seven thousand').count()).toBe(1);
  await endProof(shown, endTime);
  await shown.page.getByText(expected).waitFor();
  expect(await shown.page.content()).not.toContain('seven thousand');
});

browserTest('a page without personal details hides what was signed on it with a proof', async () => {
  const signing = testPage('confirm', { content_blocks: [{ ...signature, id: crypto.randomUUID() }] });
  const shown = await proved([limit], {}, 'confirm', [signing]);
  const { page } = shown;
  await page.goto(`${shown.url}?page=${signing.id}`);
  await page.getByLabel('Your full name').fill('Jana Novotna');
  await page.getByRole('button', { name: 'I agree.' }).click();
  await page.locator('.saved a').click();
  await page.getByText('Signed as Jana Novotna').waitFor();
  expect((await page.getByRole('button', { name: 'Hide now' }).boundingBox())!.height).toBe(44);
  await endProof(shown, halfAnHour);
  await page.getByText('Answered on').waitFor();
  expect(await page.content()).not.toContain('Jana Novotna');
});

browserTest('what was typed is kept too if the form was sent without a required answer', async () => {
  const questions = [
    'What do you plan with {{meta_private.limit}}?',
    { text: 'When?', options: ['Now'], required: true },
  ];
  const shown = await proved([limit, { type: 'survey', data: { questions } }]);
  const { page, context } = shown;
  const cookies = await context.cookies();
  await page.getByRole('textbox').fill('A boat');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Please answer this question.').waitFor();
  await endProof(shown, halfAnHour);
  await page.getByText('The personal details are hidden again.').waitFor();
  await context.addCookies(cookies);
  await wake(page);
  await page.getByText('Your limit is seven thousand.').waitFor();
  expect(await page.getByRole('textbox').inputValue()).toBe('A boat');
});

browserTest('the ending hides them too', async () => {
  const ending = { body: 'You were given {{meta_private.limit}}.' };
  const shown = await proved([limit], { is_auth_required: true, ending }, 'view');
  const given = shown.page.getByText('You were given seven thousand.');
  // There is an ending as soon as the view is recorded, which the page reports at a key.
  await shown.page.keyboard.press('Tab');
  const goToEnding = async () => {
    await shown.page.goto(`${shown.url}?page=ending`);
    return given.count();
  };
  await expect.poll(goToEnding, { interval: 500 }).toBe(1);
  await endProof(shown, halfAnHour);
  await shown.page.getByText('Please confirm that it is you').waitFor();
});

browserTest('what was typed is kept, without the personal details, and is there again after a new proof', async () => {
  const shown = await proved([limit, survey]);
  const { page, context } = shown;
  const cookies = await context.cookies();
  await page.getByRole('textbox').fill('A boat');
  await endProof(shown, halfAnHour);
  const notice = page.getByText('The personal details are hidden again.');
  await notice.waitFor();
  expect(await page.content()).not.toMatch(/seven thousand|A boat/);
  expect(await page.title()).toBe('Personal details');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await axeFindings(page)).toEqual([]);
  await wake(page);
  expect(await notice.count()).toBe(1);
  const [check] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Confirm that it is you (opens in a new tab)' }).click(),
  ]);
  await check.getByRole('heading', { name: 'Please confirm that it is you' }).waitFor();
  await context.addCookies(cookies);
  await wake(page);
  await page.getByText('Your limit is seven thousand.').waitFor();
  expect(await page.getByRole('textbox').inputValue()).toBe('A boat');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('.saved a').click();
  await page.locator('.given dd').getByText('A boat').waitFor();
  await endProof(shown, halfAnHour);
  await page.getByText('Your limit is •••.').waitFor();
});
