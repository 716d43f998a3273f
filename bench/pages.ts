import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { launchBrowser } from './browser.ts';
import { median, rounded } from './measure.ts';
import { startSampleJourney } from './sample-journey.ts';

/** How often each page is opened, each time by a browser without a cache of it. */
const visits = 5;

const screens: Record<string, BrowserContextOptions> = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};

export type PageResult = {
  screen: string;
  /** Its position in the campaign, from 1. */
  page: number;
  /** The transferred size of the document. */
  kilobytes: number;
  /** The same without embedded images. */
  kilobytes_without_images: number;
  /** The first request loads the page. The others report the view, and reload a page that the view completes. */
  requests: number;
  /** Milliseconds from the start of the navigation, medians. */
  first_byte_ms: number;
  first_contentful_paint_ms: number;
};

type Visit = {
  bytes: number;
  withoutImages: number;
  requests: number;
  firstByte: number;
  paint: number;
};

/** Measures the pages of the sample campaign on the local service with the timings of the browser. */
export async function benchPages(local: LocalDescription): Promise<PageResult[]> {
  const browser = await launchBrowser();
  try {
    const results: PageResult[] = [];
    for (const [screen, options] of Object.entries(screens)) {
      const { pageIds } = await startSampleJourney(local, `bench-${screen}`);
      for (const [at, id] of pageIds.entries()) {
        const seen: Visit[] = [];
        for (let nth = 0; nth < visits; nth++) {
          // A new contact each time, so that every visit has a view to report.
          const { url } = await startSampleJourney(local, `bench-${screen}-${at}-${nth}`);
          seen.push(await visit(browser, options, `${url}?page=${id}`));
        }
        results.push({ screen, page: at + 1, ...summary(seen) });
      }
    }
    return results;
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, options: BrowserContextOptions, url: string): Promise<Visit> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    let requests = 0;
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests++;
    });
    const response = await page.goto(url, { waitUntil: 'networkidle' });
    const body = (await response?.body()) ?? Buffer.alloc(0);
    const timings = await page.evaluate<{ firstByte: number; paint: number }>(`(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      const paint = performance.getEntriesByName('first-contentful-paint')[0].startTime;
      return { firstByte: navigation.responseStart, paint };
    })()`);
    const withoutImages = Buffer.byteLength(body.toString('utf8').replaceAll(/data:image\/[^"]*/g, ''));
    return { bytes: body.length, withoutImages, requests, ...timings };
  } finally {
    await context.close();
  }
}

function summary(seen: readonly Visit[]): Omit<PageResult, 'screen' | 'page'> {
  const middle = (name: keyof Visit) => median(seen.map((each) => each[name]));
  return {
    kilobytes: rounded(middle('bytes') / 1000),
    kilobytes_without_images: rounded(middle('withoutImages') / 1000),
    requests: middle('requests'),
    first_byte_ms: rounded(middle('firstByte')),
    first_contentful_paint_ms: rounded(middle('paint')),
  };
}

export const pagesText = (results: readonly PageResult[]): string =>
  [
    `Pages of the sample campaign, one request after another (medians of ${visits} first visits)`,
    '  screen   page   document   without images    requests   first byte   first paint',
    ...results.map((each) =>
      [
        `  ${each.screen.padEnd(7)}`,
        String(each.page).padStart(6),
        `${each.kilobytes} KB`.padStart(11),
        `${each.kilobytes_without_images} KB`.padStart(17),
        String(each.requests).padStart(11),
        `${each.first_byte_ms} ms`.padStart(13),
        `${each.first_contentful_paint_ms} ms`.padStart(14),
      ].join(''),
    ),
  ].join('\n');
