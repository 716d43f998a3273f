import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { catalogues, type Language } from '../../lib/web/words/words.ts';
import { axeFindings } from '../support/axe.ts';
import { browserTest, open, phone, withoutScripts } from '../support/browser.ts';
import { embedding, pageFor } from '../support/channels.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';

const api = await service();

const asked = (...questions: object[]) => ({ id: crypto.randomUUID(), type: 'survey', data: { questions } });
const options = ['A home', 'A trip'];
const several = asked(
  { text: 'What for?', options, required: true },
  { text: 'How sure?', scale: [0, 10] },
  { text: 'Why?', required: true },
);
const one = asked({ text: 'How sure?', scale: [0, 10] }, { text: 'What for?', options, required: true });
const lead = { type: 'text', data: { body: Array(30).fill('More about it.').join('\n\n') } };

const journeyWith = async (block: object, template: object = {}) =>
  (await campaign(api, [testPage('confirm', { content_blocks: [lead, block] })], { ...template })).start();
const wordsOf = (language: Language) => catalogues[language];
const send = (page: Page) => page.locator('.completion .button').click();
const told = (page: Page) => page.locator('.unanswered');
const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("name")??document.activeElement.className');

/** The name, the description and the state that screen readers get of each group and field of a form. */
const accessible = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll("fieldset,textarea")].map(each=>[each.getAttribute("aria-invalid"),document.getElementById(each.getAttribute("aria-describedby"))?.textContent??null])`,
  );

describe.each([
  ['with scripts', phone],
  ['without scripts', withoutScripts],
])('a survey without its required answers, %s,', (_, screen) => {
  browserTest('names the questions beside them and in a list of links that has the focus', async () => {
    const { url } = await journeyWith(several);
    const { page } = await open(screen);
    await page.goto(url);
    await page.getByText('7', { exact: true }).click();
    await send(page);
    await page.locator('.faults').waitFor();
    await expect.poll(() => focused(page)).toBe('faults');
    expect(await page.locator('.faults').innerText()).toMatch(/^Please answer these questions\s+What for\?\s+Why\?$/);
    expect(await told(page).allInnerTexts()).toEqual(Array(2).fill('Please answer this question.'));
    const message = 'Please answer this question.';
    expect(await accessible(page)).toEqual([
      ['true', message],
      [null, null],
      ['true', message],
    ]);
    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.locator('.unsent').allInnerTexts()).toEqual(['']);
    expect(await page.locator('input:checked').inputValue()).toBe('7');
    await page.locator('.faults a').last().click();
    expect(await focused(page)).toBe('value:Why?');
    expect(page.context().pages()).toHaveLength(1);
    // axe needs scripts.
    if (screen === withoutScripts) return;
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, { only: ['color-contrast'] })).toEqual([]);
  });

  browserTest('shows the question and gives it the focus, if it is the only one', async () => {
    const { url } = await journeyWith(one);
    const { page } = await open(screen);
    await page.goto(url);
    await send(page);
    await told(page).waitFor();
    expect(await page.locator('.faults').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('value:What for?');
    await expect
      .poll(() =>
        told(page).evaluate(
          '{const{top,bottom}=document.querySelector(".unanswered").getBoundingClientRect();top>=0&&bottom<=innerHeight}',
        ),
      )
      .toBe(true);
  });

  browserTest('is recorded when they are given', async () => {
    const { url } = await journeyWith(several);
    const { page } = await open(screen);
    await page.goto(url);
    await send(page);
    await page.locator('.faults').waitFor();
    await page.getByText('A trip').click();
    await page.getByLabel('Why?').fill('Sun');
    await send(page);
    await page.locator('.saved a').click();
    await page.locator('.outcome').waitFor();
    expect(await page.locator('.given dd').allInnerTexts()).toEqual(['A trip', 'Sun']);
    expect([await told(page).count(), await page.title()]).toEqual([0, expect.not.stringMatching(/^Error/)]);
  });

  browserTest('shows an answer with its line breaks', async () => {
    const { url } = await journeyWith(asked({ text: 'Why?' }));
    const { page } = await open(screen);
    await page.goto(url);
    await page.getByLabel('Why?').fill('Sun\nSea\n\nSand');
    await send(page);
    await page.locator('.saved a').click();
    await page.locator('.outcome').waitFor();
    expect(await page.locator('.given dd').innerText()).toBe('Sun\nSea\n\nSand');
  });

  browserTest('says so in the frame of a channel too', async () => {
    const { path } = await (
      await embedding(api, (id: string) => [pageFor(id, 'confirm', { container: { content_blocks: [several] } })])
    ).person();
    const { page } = await open(screen);
    await page.goto(`${api.baseUrl}${path}`);
    await send(page);
    await page.locator('.faults').waitFor();
    expect(await page.locator('.faults a').allInnerTexts()).toEqual(['What for?', 'Why?']);
    await page.locator('.faults a').last().click();
    expect(await focused(page)).toBe('value:Why?');
    expect(page.context().pages()).toHaveLength(1);
  });
});

browserTest('with scripts, the page stays, and keeps what was given for another block', async () => {
  const signature = {
    ...{ id: crypto.randomUUID(), type: 'agreement' },
    data: { agreementText: 'The terms', signatureBoxText: 'Your name' },
  };
  const other = asked(
    { text: 'Which of these?', options: ['Water', 'Tea', 'Milk'], multiple: true },
    { text: 'How many?', type: 'number' },
  );
  const content_blocks = [several, { ...signature, order: 8 }, { ...other, order: 9 }];
  const { url } = await (await campaign(api, [testPage('confirm', { content_blocks })])).start();
  const { page, seen } = await open(phone);
  await page.goto(url);
  await page.getByLabel('Your name').fill('Jana');
  for (const drink of ['Water', 'Milk']) await page.getByText(drink, { exact: true }).click();
  await page.getByLabel('How many?').fill('3');
  await page.locator('.survey', { hasText: 'What for?' }).locator('.button').click();
  await page.locator('.faults').waitFor();
  expect([await page.getByLabel('Your name').inputValue(), page.url(), seen.documents]).toEqual(['Jana', url, 1]);
  expect(await page.getByLabel('How many?').inputValue()).toBe('3');
  const chosen = ['Water', 'Tea', 'Milk'].map((drink) => page.getByLabel(drink, { exact: true }).isChecked());
  expect(await Promise.all(chosen)).toEqual([true, false, true]);
});

test.each(Object.keys(catalogues) as Language[])(
  'the messages are in the language of the page: %s',
  async (language) => {
    const page = testPage('confirm', { content_blocks: [several] });
    const { slug } = await (await campaign(api, [page], { language })).start();
    const fields = { type: 'page_completed', page_id: page.id, block_id: several.id };
    const { status, body } = await api.request('POST', `/j/${slug}/actions`, {
      body: new URLSearchParams(fields).toString(),
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { survey_required, survey_required_several } = wordsOf(language);
    expect(status).toBe(422);
    expect(body.split(`>${survey_required}</span>`)).toHaveLength(3);
    expect(body).toContain(`<h2>${survey_required_several}</h2>`);
  },
);

browserTest('what is typed in an Arabic page has its own direction, and an empty field that of the page', async () => {
  const signature = { type: 'agreement', data: { agreementText: 'A', signatureBoxText: 'اسمكم' }, order: 9 };
  const content_blocks = [asked({ text: 'لماذا؟' }), signature];
  const { url } = await (await campaign(api, [testPage('confirm', { content_blocks })], { language: 'ar' })).start();
  const { page } = await open(phone);
  await page.goto(url);
  for (const field of await page.locator('textarea,input[type=text]').all()) {
    await field.focus();
    const direction = () => page.evaluate('getComputedStyle(document.activeElement).direction');
    expect(await direction()).toBe('rtl');
    await field.fill('Because');
    expect(await direction()).toBe('ltr');
    await field.fill('لأن');
    expect(await direction()).toBe('rtl');
  }
});
