import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished, test } from 'vitest';
import { isLongForm } from '../support/long-form.ts';
import { launchBrowser, missingBrowser } from '../support/service/launch-browser.ts';
import { service } from '../support/service/service.ts';

if (missingBrowser) console.warn(`${missingBrowser} Without a browser its tests are skipped.`);

/** A test that uses a browser. If there is none, the test is skipped and the reason is printed. */
export const browserTest = test.skipIf(missingBrowser !== undefined);

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const withoutScripts: BrowserContextOptions = { ...phone, javaScriptEnabled: false };
/** For tests of which the short form needs the smaller screen only. */
export const screens: [string, BrowserContextOptions][] = [
  ['on a phone', phone],
  ...(isLongForm ? [['on a desktop', desktop] satisfies [string, BrowserContextOptions]] : []),
];

let launched: Promise<Browser> | undefined;

/** The browser of all test files of this process. It starts when a test first needs it, and ends with the run. */
export function browser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

/** A context for one test. After the test its pages would continue to draw, so it is closed. */
export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await browser()).newContext(options);
  onTestFinished(() => context.close());
  return context;
}

export type Seen = { outside: string[]; dialogs: string[]; complaints: string[]; documents: number };

/** A new page, with the errors and requests that no page of the service may cause. */
export async function open(options: BrowserContextOptions): Promise<{ page: Page; seen: Seen }> {
  const api = await service();
  const context = await newContext(options);
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
