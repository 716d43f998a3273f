import { expect } from 'vitest';
import { browserTest, open, phone } from '../support/browser.ts';
import { known } from '../support/identity-requests.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { service } from '../support/service.ts';
import { block } from '../support/welcome-campaign.ts';

const api = await service();

const rates = (order = 1) => block('button', { text: 'See our rates', url: 'https://a.example/' }, order);
const agreement = block('agreement', { agreementText: 'I agree to it' }, 2);
const survey = block('survey', { questions: [{ text: 'How was it?' }], text: 'Send' }, 2);
const pages = {
  first: testPage('view', { navigation_title: 'First', content_blocks: [rates()] }),
  cta: testPage(null, { navigation_title: 'Own', cta: { text: 'See our rates', url: 'https://a.example/' } }),
  act: testPage('action', { navigation_title: 'Act', content_blocks: [rates()] }),
  agree: testPage('confirm', { navigation_title: 'Agree', content_blocks: [rates(), agreement] }),
  survey: testPage('view', { navigation_title: 'Survey', content_blocks: [rates(), survey] }),
  consent: testPage('view', { navigation_title: 'Consent', content_blocks: [agreement] }),
  last: testPage(null, { navigation_title: 'Last', content_blocks: [rates()] }),
};
const intro = [block('button', { text: 'Read more', url: 'https://b.example/' })];

browserTest('each page of a journey has one primary button, with the page around its blocks', async () => {
  const { start, analytics } = await campaign(api, Object.values(pages), { content_blocks: intro });
  const journey = await start();
  const { page } = await open(phone);
  const primary = async ({ id }: { id: string }) => {
    await page.goto(`${journey.url}?page=${id}`);
    return (await page.locator('.button:visible').allInnerTexts()).map((text) => text.trim());
  };
  expect(await primary(pages.first)).toEqual(['Next: Own']);
  expect(await primary(pages.cta)).toEqual(['Next: Act']);
  expect(await primary(pages.act)).toEqual(['See our rates']);
  expect(await primary(pages.agree)).toEqual(['I agree to it']);
  expect(await primary(pages.survey)).toEqual(['Send']);
  expect(await primary(pages.consent)).toEqual(['I agree to it']);
  expect(await primary(pages.last)).toEqual(['See our rates']);
  await page.goto(`${journey.url}?page=${pages.act.id}`);
  await page.getByRole('button', { name: 'I have done this' }).click();
  await expect.poll(async () => (await analytics(journey)).pages_completed).toContain(pages.act.id);
  await page.locator('.saved').waitFor();
  expect(await primary(pages.act)).toEqual(['Next: Agree']);
});

browserTest('on a page that is completed by viewing, the button of an open form is the primary one', async () => {
  const { start, analytics } = await campaign(api, Object.values(pages));
  const journey = await start();
  const { page } = await open(phone);
  const shown = page.locator('.button:visible');
  await page.goto(`${journey.url}?page=${pages.survey.id}`);
  await expect.poll(async () => (await analytics(journey)).pages_completed).toContain(pages.survey.id);
  await expect.poll(() => shown.allInnerTexts()).toEqual(['Send']);
  await page.getByLabel('How was it?').fill('Good');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.saved a').click();
  await page.locator('.outcome').waitFor();
  expect(await shown.allInnerTexts()).toEqual(['Next: Consent']);
  const fillOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
  const filled = await fillOf('.next');
  await page.getByText('Change your answers').click();
  expect([await fillOf('.completion button'), await fillOf('.next')]).toEqual([filled, 'rgb(255, 255, 255)']);
  await page.getByRole('link', { name: 'Next: Consent' }).click();
  await page.getByRole('button', { name: 'I agree to it' }).click();
  await page.locator('.saved a').click();
  await page.locator('.outcome').waitFor();
  expect(await shown.allInnerTexts()).toEqual(['Next: Last']);
});

browserTest('before a proof of identity, a page has one button for it, in the place of its first form', async () => {
  const limit = block('card', { heading: 'Your limit', body: 'Up to {{meta_private.limit}}' });
  const born = block('card', { heading: 'You', body: 'Born on {{birthdate}}' });
  const own = {
    asks: testPage('confirm', {
      navigation_title: 'Asks',
      content_blocks: [limit, born, survey, { ...agreement, order: 3 }],
    }),
    act: testPage('action', { navigation_title: 'Act', content_blocks: [limit, rates(2)] }),
    cta: testPage('action', {
      navigation_title: 'Own',
      content_blocks: [limit],
      cta: { text: 'See', url: 'https://a.example/' },
    }),
    confirm: testPage('confirm', { navigation_title: 'Confirm', content_blocks: [limit] }),
    viewed: testPage('view', { navigation_title: 'Viewed', content_blocks: [limit, survey] }),
    read: testPage('view', { navigation_title: 'Read', content_blocks: [limit] }),
    last: testPage(null, { navigation_title: 'Last', content_blocks: [limit] }),
  };
  const { start } = await campaign(api, Object.values(own));
  const { url } = await start(known);
  const { page } = await open(phone);
  const shown = async ({ id }: { id: string }) => {
    await page.goto(`${url}?page=${id}`);
    const check = 'Confirm that it is you';
    return {
      primary: await page.locator('.button:visible').allInnerTexts(),
      checks: await page.getByRole('link', { name: check, exact: true }).count(),
      marks: await page.locator('.withheld>.unseen,.proof-first').count(),
    };
  };
  const first = { primary: ['Confirm that it is you'], checks: 1 };
  expect(await shown(own.asks)).toEqual({ ...first, marks: 4 });
  expect(await shown(own.act)).toEqual({ ...first, marks: 2 });
  expect(await shown(own.cta)).toEqual({ ...first, marks: 2 });
  expect(await shown(own.confirm)).toEqual({ ...first, marks: 2 });
  expect(await shown(own.viewed)).toEqual({ ...first, marks: 2 });
  expect(await shown(own.read)).toEqual({ primary: ['Next: Last'], checks: 1, marks: 1 });
  expect(await shown(own.last)).toEqual({ primary: [], checks: 1, marks: 1 });
  await page.goto(`${url}?page=${own.asks.id}`);
  await page.getByRole('link', { name: 'Confirm that it is you' }).click();
  await page.getByRole('heading', { name: 'Please confirm that it is you' }).waitFor();
});
