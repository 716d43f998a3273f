import { describe, expect } from 'vitest';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, desktop, open, phone, screens } from './browser.ts';
import { block } from './welcome-campaign.ts';

const api = await service();

const questions = [{ text: 'How easy was it?', options: ['Easy', 'Hard'] }, { text: 'Why?' }];
const consent = {
  agreementText: 'I agree to all the terms that are written in the document.',
  signatureBoxText: 'Name',
};
const pages = {
  hello: testPage(null, { navigation_title: 'Hello', content_blocks: [block('heading', { heading: 'Hello' })] }),
  both: testPage('confirm', {
    navigation_title: 'Terms and questions',
    content_blocks: [block('survey', { questions }), block('agreement', consent, 2)],
  }),
  last: testPage('confirm', { navigation_title: 'Last', content_blocks: [block('confirm', { text: 'Yes' })] }),
};
const template = {
  ending: { heading: 'Welcome, {{name_first}}', body: 'Your account is open.', next: 'Your card arrives in a week.' },
  support_owner_options: { phone: '+1 555 0100', email: 'help@bank.example' },
};

describe('a journey', () => {
  browserTest.each(screens)(
    'has steps with names, keeps what is typed, and ends on a page of its own, %s',
    async (_, screen) => {
      const { start, analytics } = await campaign(api, Object.values(pages), template);
      const journey = await start({ name_first: 'Jana' });
      const { page, seen } = await open(screen);
      await page.goto(journey.url);
      expect(await page.getByRole('img', { name: '0 of 2 steps completed' }).count()).toBe(1);
      await expect.poll(async () => (await analytics(journey)).pages_viewed).toEqual([pages.hello.id]);
      await page.goto(journey.url);
      const steps = page.getByRole('navigation');
      if (screen === phone) await steps.getByText('Step 1 of 2: Terms and questions').click();
      expect(await steps.getByRole('link', { name: 'Terms and questions' }).count()).toBe(1);

      await page.getByText('Hard').click();
      await page.getByLabel('Why?').fill('The queue');
      await page.getByLabel('Name').fill('Jana Novotna');
      await page.getByRole('button', { name: 'I agree' }).click();
      await page.getByText('Signed as Jana Novotna on').waitFor();
      expect(await page.getByLabel('Why?').inputValue()).toBe('The queue');
      expect(await page.getByLabel('Hard').isChecked()).toBe(true);

      await page.route('**/actions', (route) =>
        route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Service Unavailable"}' }),
      );
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('alert').getByText('This could not be sent').waitFor();
      expect(await page.getByLabel('Why?').inputValue()).toBe('The queue');
      await page.unroute('**/actions');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('“Terms and questions” is saved.').waitFor();
      await page.getByRole('link', { name: 'See or change it' }).click();
      await page.getByRole('definition').getByText('The queue').waitFor();
      await page.getByText('Change your answers').click();
      expect(await page.getByLabel('Hard').isChecked()).toBe(true);

      await page.getByRole('link', { name: 'Next: Last' }).click();
      await page.getByRole('button', { name: 'Yes' }).click();
      await page.getByRole('heading', { name: 'Welcome, Jana' }).waitFor();
      await page.getByText('Your card arrives in a week.').waitFor();
      await page.getByRole('definition').getByText('The queue').waitFor();
      await page.getByText('Signed as Jana Novotna on').waitFor();
      await page.getByRole('link', { name: '+1 555 0100' }).waitFor();
      await page.goto(journey.url);
      await page.getByRole('heading', { name: 'Welcome, Jana' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
      await page.getByRole('link', { name: 'Terms and questions' }).click();
      await page.getByText('Signed as Jana Novotna on').waitFor();
      await page.getByRole('definition').getByText('Hard').waitFor();
      expect(seen.complaints.filter((each) => !each.includes('503'))).toEqual([]);
    },
  );

  browserTest('says how to reach the institution when it has expired', async () => {
    const { start } = await campaign(api, [pages.last], { ...template, journey_duration_hours: 0 });
    const { page } = await open(phone);
    await page.goto((await start()).url);
    await page.getByText('This invitation has expired').waitFor();
    await page.getByRole('link', { name: 'help@bank.example' }).waitFor();
  });

  browserTest('names the institution as the campaign does, also among words from right to left', async () => {
    const support = { ...template.support_owner_options, name: 'Cedar Valley (West)' };
    const changes = { language: 'ar', journey_duration_hours: 0, support_owner_options: support };
    const { start } = await campaign(api, [pages.last], changes);
    const { page } = await open(phone);
    await page.goto((await start()).url);
    expect(await page.locator('.reach h2').textContent()).toMatch(/\u2068Cedar Valley \(West\)\u2069/);
  });
});

describe('somebody who declines', () => {
  const asked = { ...consent, disagreeText: 'I do not agree' };
  const page = testPage('confirm', { navigation_title: 'Terms', content_blocks: [block('agreement', asked)] });

  browserTest.each([
    ['on a phone', 'en', phone],
    ['in Arabic, in dark colors', 'ar', { ...phone, colorScheme: 'dark' }],
    ['on a desktop, without scripts', 'en', { ...desktop, javaScriptEnabled: false }],
  ] as const)('sees when, and how to reach the institution, %s', async (_, language, screen) => {
    const { start } = await campaign(api, [page], { ...template, language });
    const { url } = await start({ timezone: 'Europe/Prague' });
    const { page: shown, seen } = await open(screen);
    await shown.goto(url);
    await shown.getByRole('button', { name: 'I do not agree' }).click();
    const outcome = shown.locator('.outcome.declined');
    await outcome.getByRole('link', { name: '+1 555 0100' }).waitFor();
    expect(await outcome.getByRole('link', { name: '+1 555 0100' }).getAttribute('href')).toBe('tel:+15550100');
    expect(await outcome.getByRole('link', { name: 'help@bank.example' }).count()).toBe(1);
    expect(await outcome.textContent()).toMatch(/20\d\d.*\d:\d\d/);
    if (!('javaScriptEnabled' in screen)) expect(await axeFindings(shown)).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });
});
