import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/placeholders.ts';
import { wordsIn } from '../../lib/web/words/words.ts';
import { axeFindings } from '../support/axe.ts';
import { browserTest, newContext } from '../support/browser.ts';
import { embedding, pageFor } from '../support/channels.ts';
import { warningsOf } from '../support/content-warnings.ts';
import { campaign, testPage } from '../support/journeys.ts';
import { blockOf, htmlOfBlocks } from '../support/rendered-blocks.ts';
import { service } from '../support/service.ts';

const api = await service();

const labels = { lowestText: 'Not at all likely', highestText: 'Extremely likely' };
const survey = (...questions: object[]) => ({ type: 'survey', data: { questions } });
/** Scales of 2 to 11 steps, the last from 0 to 10. */
const scales = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((steps) => ({
  text: `Of ${steps}?`,
  scale: [11 - steps, 10],
  ...labels,
}));

/** The rows of each scale as counts of steps, and the smallest width and height of a step. */
async function layout(page: Page) {
  const rows = (await page.evaluate(`[...document.querySelectorAll(".scale")].map(scale=>{
const tops=[...scale.querySelectorAll("span")].map(each=>each.getBoundingClientRect().top);
return [...new Set(tops)].map(top=>tops.filter(each=>each===top).length);
})`)) as number[][];
  const sizes = (await page.evaluate(
    `[...document.querySelectorAll(".scale span")].map(each=>each.getBoundingClientRect()).map(({width,height})=>[width,height])`,
  )) as [number, number][];
  const outside = await page.evaluate(`[...document.querySelectorAll(".scaled,.scaled *")].filter(each=>{
const own=each.getBoundingClientRect(),survey=each.closest(".survey").getBoundingClientRect();
return !each.matches("input,.unseen")&&(own.left<survey.left-.5||own.right>survey.right+.5)}).length`);
  const [widths, heights] = [sizes.map(([width]) => width), sizes.map(([, height]) => height)];
  return { rows, width: Math.min(...widths), height: Math.min(...heights), outside };
}

const few = [[2], [3], [4], [5]];
const onPhones = [...few, [6], [4, 3], [4, 4], [5, 4], [5, 5], [6, 5]];
const onNarrowPhones = [...few, [3, 3], [4, 3], [4, 4], [3, 3, 3], [4, 4, 2], [4, 4, 3]];
const inOneRow = [...few, [6], [7], [8], [9], [10], [11]];

describe.each(['en', 'ar'])('scales in %s', (language) => {
  browserTest('have steps of 44 px in balanced rows on every screen', async () => {
    const page = testPage('confirm', { content_blocks: [survey(...scales)] });
    const { url } = await (await campaign(api, [page], { language })).start();
    const shown = await (await newContext({})).newPage();
    await shown.goto(url);
    for (const [width, rows] of [
      [320, onNarrowPhones],
      [344, onNarrowPhones],
      [360, onPhones],
      [375, onPhones],
      [390, onPhones],
      [768, inOneRow],
      [1280, inOneRow],
    ] as const) {
      await shown.setViewportSize({ width, height: 800 });
      const found = await layout(shown);
      expect([width, found.rows, found.outside]).toEqual([width, rows, 0]);
      expect(Math.min(found.width, found.height)).toBeGreaterThanOrEqual(43.9);
      expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });
});

browserTest('a scale in a column or in a frame has the rows for its own width', async () => {
  const page = testPage('confirm', { content_blocks: [{ ...survey(...scales), grid: { xs: 12, md: 6 } }] });
  const { url } = await (await campaign(api, [page])).start();
  const shown = await (await newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await shown.goto(url);
  const inColumn = await layout(shown);
  expect([inColumn.rows.at(-1), inColumn.outside]).toEqual([[6, 5], 0]);
  expect(inColumn.width).toBeGreaterThanOrEqual(43.9);
  const { path } = await (
    await embedding(api, (id) => [pageFor(id, 'confirm', { container: { content_blocks: [survey(...scales)] } })])
  ).person();
  await shown.goto(`${api.baseUrl}${path}`);
  await shown.setViewportSize({ width: 240, height: 800 });
  const inFrame = await layout(shown);
  expect([inFrame.rows[3], inFrame.rows.at(-1), inFrame.outside]).toEqual([[3, 2], [4, 4, 3], 0]);
  expect(inFrame.width).toBeGreaterThanOrEqual(43.9);
});

browserTest.each(['lowestText', 'highestText'])(
  'a long %s leaves the other end of the scale its space',
  async (name) => {
    const long = 'I would never recommend this bank to my family, my friends or anybody else';
    const both = { lowestText: 'Not likely at all', highestText: 'Extremely likely', [name]: long };
    const page = testPage('confirm', { content_blocks: [survey({ text: 'How likely?', scale: [0, 10], ...both })] });
    const { url } = await (await campaign(api, [page])).start();
    const shown = await (await newContext({})).newPage();
    await shown.goto(url);
    for (const width of [320, 390, 1280]) {
      await shown.setViewportSize({ width, height: 800 });
      const shares = await shown.evaluate<number[]>(
        `[...document.querySelectorAll(".ends>:not(.unseen)")].map(each=>each.getBoundingClientRect().width/each.parentElement.clientWidth)`,
      );
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.39);
    }
  },
);

browserTest('screen readers read the labels of a scale with its question', async () => {
  const required = { text: 'How likely?', scale: [0, 10], ...labels, required: true };
  const page = testPage('confirm', { content_blocks: [survey(required, { text: 'How easy?', scale: [1, 5] })] });
  const { url } = await (await campaign(api, [page])).start();
  const shown = await (await newContext({})).newPage();
  await shown.goto(url);
  const groups = async () => {
    const session = await shown.context().newCDPSession(shown);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    return nodes
      .filter(({ role }) => role?.value === 'radiogroup')
      .map(({ name, description }) => [name?.value, String(description?.value ?? '').replace(' ,', ',')]);
  };
  expect(await groups()).toEqual([
    [expect.stringMatching(/^How likely\?/), '0 Not at all likely, 10 Extremely likely'],
    ['How easy?', ''],
  ]);
  expect(await axeFindings(shown)).toEqual([]);
  await shown.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(shown, { only: ['color-contrast'] })).toEqual([]);
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.locator('.unanswered').waitFor();
  const [, description] = (await groups())[0]!;
  expect(description).toBe('0 Not at all likely, 10 Extremely likely Please answer this question.');
});

const htmlOf = (question: object, language = 'en'): string => {
  const context = { words: wordsIn(language), values: { ...noValues, contact: { name_first: 'Jana' } as never } };
  return htmlOfBlocks([blockOf('survey', { questions: [question] })], context);
};

test.each<[what: string, question: object, shown: string]>([
  [
    'both',
    { ...labels },
    '<b>0</b> Not at all likely</span><span class="unseen">, </span><span class="highest"><b>10</b> Extremely likely</span></p>',
  ],
  ['the lowest only', { lowestText: 'No' }, '<p class="ends" id="b1-1-ends"><span><b>0</b> No</span></p>'],
  [
    'the highest only',
    { highestText: 'Yes' },
    '<p class="ends" id="b1-1-ends"><span class="highest"><b>10</b> Yes</span></p>',
  ],
  ['a placeholder', { lowestText: 'Not {{name_first}}' }, '<b>0</b> Not Jana</span>'],
])('a scale shows %s', (_what, fields, shown) => {
  const html = htmlOf({ text: 'How?', scale: [0, 10], ...fields });
  expect(html).toContain(shown);
  expect(html).toContain('aria-describedby="b1-1-ends"');
});

test('the numbers beside the labels have the digits of the language', () => {
  expect(htmlOf({ text: 'How?', scale: [0, 10], ...labels }, 'ar-EG')).toContain('<b>١٠</b> Extremely likely');
});

test.each([
  ['a scale without labels', { scale: [0, 10] }],
  ['a scale with blank labels', { scale: [0, 10], lowestText: ' ', highestText: null }],
  ['options', { options: ['A'], ...labels }],
  ['a question without a scale', labels],
  ['a scale that is none', { scale: [10, 0], ...labels }],
])('%s has no labels', (_what, fields) => {
  expect(htmlOf({ text: 'How?', ...fields })).not.toMatch(/class="ends"|aria-describedby/);
});

test('a label without a scale is a warning, and one without a translation too', () => {
  const document = (question: object, translations: object = {}) => ({
    templates: [
      {
        name: 'N',
        translations,
        template_pages: [{ page: { completion_condition: 'confirm', content_blocks: [survey(question)] } }],
      },
    ],
  });
  expect(warningsOf(document({ text: 'How?', scale: [0, 10], ...labels }))).toEqual([]);
  expect(warningsOf(document({ text: 'How?', options: ['A', 'B'], lowestText: 'Low' }))).toEqual([
    expect.stringMatching(/questions\/0\/lowestText is not shown without `scale`/),
  ]);
  const spanish = { es: { N: 'Ene', 'How?': '¿Cómo?', 'Not at all likely': 'Nada probable' } };
  expect(warningsOf(document({ text: 'How?', scale: [0, 10], ...labels }, spanish))).toEqual([
    expect.stringContaining('highestText'),
  ]);
});
