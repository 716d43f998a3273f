import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { states } from '../../bin/preview/views.ts';
import { renderNotice } from '../../lib/web/notice.ts';
import { axeFindings } from './axe.ts';
import { browserTest, desktop, newContext, phone } from './browser.ts';
import { mortgagePreview } from './mortgage-preview.ts';

/** As the preview shows its pages, notices and channel. */
const preview = await mortgagePreview();

afterAll(async () => {
  preview.close();
});

/** Controls that are smaller than 44 px, without links in running text and what only screen readers see. */
const smallControls = `[...document.querySelectorAll("a,button,input:not([type=hidden]),textarea,summary,.choice span")]
.filter(each=>!each.closest("p:not(.document):not(.call):not(.go),.unseen,.skip")&&each.type!=="radio")
.map(each=>[each.outerHTML.slice(0,90),each.getBoundingClientRect()])
.filter(([,{width,height}])=>width>0&&(width<43.5||height<43.5))
.map(([text,{width,height}])=>text+" "+width+"x"+height)`;

/** Small controls, and content that is wider than the screen. */
async function misfits(page: Page, width: number): Promise<string[]> {
  const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
  const small = (await page.evaluate(smallControls)) as string[];
  return [...small, ...(wide > width ? [`is ${wide} px wide`] : [])];
}

/** What a page lacks on this screen. @param only the rules of axe; all by default */
async function lacks(page: Page, width: number, ...only: string[]): Promise<string[]> {
  return [...(await axeFindings(page, { only })), ...(await misfits(page, width))];
}

/** Each kind of page once: all pages where they differ by the page, otherwise the first. */
async function pathsIn(language: string): Promise<string[]> {
  const shell = await (await fetch(preview.url)).text();
  const links = [...shell.matchAll(/href="(\/[tc]\/[^"]+)"/g)].map(([, path]) => path!.replace('LANGUAGE', language));
  expect(states.filter((state) => !links.some((path) => path.includes(`/${encodeURIComponent(state)}/`)))).toEqual([]);
  return links;
}

describe.each(['en', 'ar'])('each page and notice in %s', (language) => {
  browserTest(
    'is for everybody on phones and desktops, by day and by night',
    async () => {
      const page = await (await newContext({ reducedMotion: 'reduce' })).newPage();
      const found: Record<string, string[]> = {};
      for (const path of await pathsIn(language)) {
        await page.setViewportSize(phone.viewport!);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(new URL(path, preview.url).href);
        expect(await page.getAttribute('html', 'dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
        const told: string[] = await lacks(page, phone.viewport!.width);
        await page.emulateMedia({ colorScheme: 'dark' });
        told.push(...(await lacks(page, phone.viewport!.width, 'color-contrast')));
        await page.setViewportSize(desktop.viewport!);
        await page.emulateMedia({ colorScheme: 'light' });
        told.push(...(await lacks(page, desktop.viewport!.width)));
        if (told.length > 0) found[path] = [...new Set(told)];
      }
      await page.close();
      expect(found).toEqual({});
    },
    120_000,
  );

  // axe needs scripts. Without them the pages have the same elements.
  browserTest(
    'fits phones without scripts, with controls of 44 px',
    async () => {
      const page = await (await newContext({ ...phone, javaScriptEnabled: false })).newPage();
      const found: Record<string, string[]> = {};
      for (const path of await pathsIn(language)) {
        await page.goto(new URL(path, preview.url).href);
        const told = await misfits(page, phone.viewport!.width);
        if (told.length > 0) found[path] = [...new Set(told)];
      }
      await page.close();
      expect(found).toEqual({});
    },
    120_000,
  );
});

browserTest('a notice on a form that could not be sent is for everybody', async () => {
  const page = await (await newContext(phone)).newPage();
  for (const name of ['unsent', 'unknown', 'foreign', 'busy', 'fault', 'content'] as const) {
    const { html } = renderNotice(name, 'en', name === 'unsent' ? { fields: { a: 'b' } } : {});
    await page.setContent(html);
    expect([name, await lacks(page, phone.viewport!.width)]).toEqual([name, []]);
  }
  await page.close();
});

browserTest('these checks find a picture without a description, small controls and wide content', async () => {
  const page = await (await newContext(phone)).newPage();
  await page.setContent('<img src="data:,"><a href="/" style="display: block; width: 900px">Next</a>');
  const found = (await lacks(page, phone.viewport!.width)).join('\n');
  expect(found).toMatch(/critical image-alt <img/);
  expect(found).toMatch(/Next<\/a> 900x/);
  expect(found).toMatch(/is 9\d\d px wide/);
  await page.close();
});
