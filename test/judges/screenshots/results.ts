import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { resultsPage } from '../../../bin/admin/results/results-page.ts';
import type { CampaignResults } from '../../../bin/admin/results/results-text.ts';

const pages: [name: string, viewed: number, completed: number, declined: number][] = [
  ['How it works', 1498, 1498, 0],
  ['Your plans', 1263, 1104, 0],
  ['Your documents', 1011, 884, 0],
  ['Your consent', 852, 803, 31],
];
const questions: [text: string, answers: [text: string | null, count: number][]][] = [
  [
    'What would you like to do?',
    [
      ['Buy a home', 612],
      ['Build a home', 187],
      ['Change my lender', 305],
    ],
  ],
  ['What else should we know?', [[null, 96]]],
];

/** The results of `examples/mortgage.json` as they can be two weeks after a mailing to 2,400 people. */
const sample: CampaignResults = {
  ...{ template_id: randomUUID(), as_of: '2026-03-15T08:00:00.000000Z' },
  journeys: {
    created: 2400,
    opened: 1498,
    completed: 781,
    verified: 402,
    cancelled: 0,
    expired: 0,
    by_source: { api: 1850, 'automatic-targeting': 550 },
  },
  targeted: 0,
  pages: pages.map(([name, viewed, completed, declined], index) => {
    return { page_id: randomUUID(), name, order: index + 1, viewed, completed, declined };
  }),
  questions: questions.map(([question, answers], index) => ({
    ...{ page_id: randomUUID(), block_id: randomUUID(), key: `question_${index + 1}`, question },
    ...{ type: 'option' as const, answered: answers.reduce((sum, [, count]) => sum + count, 0) },
    answers: answers.map(([answer, count]) => ({ key: answer, answer, count })),
  })),
  messages: [],
  by_language: [
    { language: 'en', created: 1611, opened: 1034, completed: 563 },
    { language: 'es', created: 402, opened: 249, completed: 121 },
    { language: null, created: 387, opened: 215, completed: 97 },
  ],
  by_day: [
    { date: '2026-03-02', created: 1850, opened: 902, completed: 214 },
    { date: '2026-03-09', created: 550, opened: 596, completed: 567 },
  ],
};

/** @returns the number of pictures */
export async function takeResults(browser: Browser, folder: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  await page.setContent(resultsPage(sample, { name: 'Your mortgage, step by step', team: 'Cedar Valley' }));
  await page.screenshot({ path: join(folder, 'results.png'), fullPage: true });
  await page.close();
  return 1;
}
