import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { resultsPage } from '../../bin/admin/results/results-page.ts';
import type { CampaignResults } from '../../bin/admin/results/results-text.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

const long = 'Open your everyday checking account with all its services and documents';
const day = { date: '2026-03-01', created: 90_000, opened: 40_000, completed: 9_000 };
const results: CampaignResults = {
  ...{ template_id: randomUUID(), as_of: '2026-03-15T08:00:00.000000Z', targeted: 12, by_day: [day] },
  journeys: {
    ...{ created: 123_456, opened: 90_000, completed: 60_000, verified: 1, cancelled: 2, expired: 3 },
    by_source: { api: 100_000, 'automatic-targeting': 23_456 },
  },
  pages: [{ page_id: randomUUID(), name: long, order: 1, viewed: 6_000, completed: 120_000, declined: 31 }],
  questions: [
    {
      ...{ page_id: randomUUID(), block_id: randomUUID(), key: 'q', question: long, type: 'options', answered: 40 },
      answers: [{ key: 'a', answer: long, count: 30 }],
    },
  ],
  by_language: [{ ...day, language: 'pt-BR' }],
  messages: [
    {
      ...{ template_message_id: randomUUID(), name: 'Invitation', due: 100, sent: 90, delivered: 80 },
      ...{ bounced: 5, complained: 1, unsubscribed: 2 },
    },
  ],
};

browserTest.each(['light', 'dark'] as const)(
  'the results page is readable on a phone of 320 px, and axe finds nothing, with a %s screen',
  async (colorScheme) => {
    const page = await (await newContext({ viewport: { width: 320, height: 640 }, colorScheme })).newPage();
    await page.setContent(resultsPage(results, { name: long, team: 'Cedar Valley' }));
    expect(await axeFindings(page)).toEqual([]);
    const measured = await page.evaluate(`(()=>{
const texts=[...document.querySelectorAll("main *")].filter(each=>[...each.childNodes].some(node=>node.nodeType===3&&node.data.trim()));
return {wide:document.documentElement.scrollWidth,smallest:Math.min(...texts.map(each=>parseFloat(getComputedStyle(each).fontSize))),
background:getComputedStyle(document.body).backgroundColor};})()`);
    const background = colorScheme === 'dark' ? 'rgb(20, 24, 29)' : 'rgb(255, 255, 255)';
    expect(measured).toEqual({ wide: 320, smallest: 14, background });
  },
);
