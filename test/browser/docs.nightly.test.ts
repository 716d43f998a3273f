import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { docsFiles, guides, tasks } from '../../lib/http/docs.ts';
import packages from '../../package.json' with { type: 'json' };
import { service, type TestTeam } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browser, browserTest, newContext } from './browser.ts';

const running = await service();

describe('GET /docs', () => {
  test('answers a page that may load and call nothing but this service, and that nobody may frame', async () => {
    const { status, headers, body } = await running.request('GET', '/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toMatch(/connect-src 'self'.*frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(body).not.toMatch(/<script>|<style>|style=|https?:/);
    const loaded = [...body.matchAll(/(?:src|href)="\/docs\/([^"]+)"/g)].map(([, name]: string[]) => name);
    expect(loaded.sort()).toEqual([...docsFiles.keys(), ...guides.keys()].sort());
  });

  test('has each of its files, compressed for who takes that, kept for good where the name has the version', async () => {
    for (const [name, { type }] of docsFiles) {
      const compressed = await running.request('GET', `/docs/${name}`);
      const plain = await running.request('GET', `/docs/${name}`, {
        headers: { 'accept-encoding': 'identity, gzip;q=0' },
      });
      expect([compressed.status, plain.status]).toEqual([200, 200]);
      expect(plain.headers.get('content-type')).toBe(type);
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(compressed.headers.get('content-encoding')).toBe(name.startsWith('page.') ? null : 'gzip');
      expect(compressed.body === plain.body).toBe(true);
      const seconds = name.startsWith('page.') ? 300 : 31_536_000;
      expect(plain.headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
    }
    const versions = [...docsFiles.keys()].flatMap((name) => /\d+\.\d+\.\d+/.exec(name) ?? []);
    expect(new Set(versions)).toEqual(new Set([packages.dependencies['swagger-ui-dist']]));
  });

  test('has guides whose links lead to what is there', async () => {
    const pages = new Map<string, string>();
    for (const name of guides.keys()) {
      const { status, headers, body } = await running.request('GET', `/docs/${name}`);
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, 'text/html; charset=utf-8']);
      pages.set(name, body);
    }
    for (const [name, html] of pages) {
      const links = [...html.matchAll(/href="(?!https?:|data:)([^"]*)"/g)].map(([, link]) => link!);
      const unknown = links.filter((link) => {
        const [path, anchor] = link.split('#');
        const target = path === '' ? html : pages.get(path!.replace('/docs/', ''));
        return (
          !['/docs', '/docs/page.css'].includes(path!) && !(target && (!anchor || target.includes(`id="${anchor}"`)))
        );
      });
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  test.each(['constructor', '__proto__', 'swagger-ui.js', '..%2Fpackage.json'])('has no file %s', async (name) => {
    expect(await running.request('GET', `/docs/${name}`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});

describe('the reference in a browser', () => {
  let page: Page;
  let team: TestTeam;
  const requested: string[] = [];
  const complaints: string[] = [];

  const opened = async (address: string): Promise<Page> => {
    page = await (await browser()).newPage({ viewport: { width: 390, height: 844 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    await page.waitForSelector('.opblock');
    return page;
  };

  beforeAll(async () => {
    team = await running.newTeam();
  });

  browserTest('lists every operation, and lets a client authorize and try one', async () => {
    const { body: document } = await running.request('GET', '/openapi.json');
    // By another name than the document's, as through a tunnel or a proxy.
    await opened(`${running.baseUrl.replace('127.0.0.1', 'localhost')}/docs`);
    const { origin } = new URL(page.url());
    const names = Object.values({ ...document.paths, ...document.webhooks } as object).flatMap((operations) =>
      Object.values(operations as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    const listed = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').at(-1)));
    expect(listed.sort()).toEqual(names.sort());

    const top = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    const order = [await top('.guides'), await top('.btn.authorize'), await top('.info .title')];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const rules = page.locator('.info', { hasText: 'Rules of all operations' }).locator('details table');
    expect([await rules.count(), await rules.first().isVisible()]).toEqual([1, false]);
    for (const [path] of tasks.flatMap(({ steps }) => steps)) expect(names).toContain(path.split('/')[1]);

    await page.click('.btn.authorize');
    await page.fill('#client_id_clientCredentials', team.clientId);
    await page.fill('#client_secret_clientCredentials', team.clientSecret);
    await page.locator('.modal-btn.authorize').first().click();
    await page.locator('.auth-container .btn', { hasText: 'Logout' }).waitFor();
    await page.click('.close-modal');

    const operation = page.locator('[id$="-listContacts"]');
    await page.locator('.guides a', { hasText: 'find them' }).click();
    await operation.locator('.try-out__btn').click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/v1/contacts')),
      operation.locator('.execute').click(),
    ]);
    expect([answer.status(), (await answer.json()).contacts]).toEqual([200, []]);

    expect(requested.filter((address) => new URL(address).origin !== origin && !address.startsWith('data:'))).toEqual(
      [],
    );
    expect(complaints).toEqual([]);
    // On a phone, nothing overflows the width.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  browserTest.each(['light', 'dark'] as const)(
    'and its guides can be read in %s colors, on a narrow phone',
    async (colorScheme) => {
      const context = await newContext({ colorScheme, viewport: { width: 320, height: 700 } });
      const read = await context.newPage();
      await read.goto(`${running.baseUrl}/docs`);
      await read.waitForSelector('.opblock');
      const isDark = await read.evaluate('document.documentElement.classList.contains("dark-mode")');
      expect(isDark).toBe(colorScheme === 'dark');
      for (const [name, title] of guides) {
        const link = read.locator('.guides a', { hasText: title });
        expect(await link.getAttribute('href')).toBe(`/docs/${name}`);
      }
      for (const name of guides.keys()) {
        await read.goto(`${running.baseUrl}/docs/${name}`);
        expect(await read.locator('h1').count()).toBe(1);
        expect([name, await axeFindings(read)]).toEqual([name, []]);
        expect([name, await read.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 320]);
      }
    },
  );

  browserTest('says so when the document cannot be read', async () => {
    const alone = await (await newContext({})).newPage();
    await alone.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '{}' }));
    await alone.goto(`${running.baseUrl}/docs`);
    await alone.getByText('The OpenAPI document could not be loaded (status 503).').waitFor();
  });
});
