import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isLongForm } from '../support/long-form.ts';
import { warningsOf } from '../support/samples/content-warnings.ts';
import { putFile, svg } from '../support/samples/images.ts';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext, phone, withoutScripts } from './browser.ts';

const api = await service();
const { teamId } = await api.newTeam();
const blue = (await putFile(teamId, svg(), 'blue.svg')).value.file_id;
const red = (await putFile(teamId, svg('<path d="M0 0h96v64H0z" fill="#a12"/>'), 'red.svg')).value.file_id;

const options = [
  { text: 'The blue card', key: 'blue', image: blue, altText: 'A card with waves' },
  { text: 'The red card', key: 'red', image: red },
  'No card',
];
const question = { text: 'Which card?', key: 'card', options, required: true };
const surveyPage = (changes: object = {}) =>
  testPage('confirm', {
    content_blocks: [
      { id: crypto.randomUUID(), type: 'survey', order: 1, data: { questions: [{ ...question, ...changes }] } },
    ],
  });

const measures = `(()=>{const choices=[...document.querySelectorAll(".pictures .choice>span")].map(each=>each.getBoundingClientRect());
return {size:Math.min(...choices.flatMap(({width,height})=>[width,height])),rows:new Set(choices.map(({top})=>Math.round(top))).size,
outside:choices.filter(({left,right})=>left<0||right>innerWidth).length,scroll:document.documentElement.scrollWidth,
pictures:[...document.querySelectorAll(".pictures img")].filter(({complete,naturalWidth})=>complete&&naturalWidth>0).length}})()`;
type Measures = { size: number; rows: number; outside: number; scroll: number; pictures: number };

const languages = isLongForm ? ['en', 'es', 'fr', 'de', 'cs', 'ar'] : ['de', 'ar'];

describe.each(languages)('choices with pictures in %s', (language) => {
  browserTest('are of 44 px and more, within the screen, and accessible', async () => {
    const { url } = await (await campaign(api, [surveyPage()], { language })).start();
    const page = await (await newContext({})).newPage();
    await page.goto(url);
    for (const [width, rows] of [
      [320, 2],
      [390, 2],
      [1280, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const found = await page.evaluate<Measures>(measures);
      expect(found).toMatchObject({ rows, outside: 0, scroll: width, pictures: 2 });
      expect(found.size).toBeGreaterThanOrEqual(44);
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, { only: ['color-contrast'] })).toEqual([]);
  });
});

const chosen = (page: Page) => page.locator('dl.given dd').allTextContents();

browserTest('a picture is chosen with the keyboard', async () => {
  const { url } = await (await campaign(api, [surveyPage()])).start();
  const page = await (await newContext(phone)).newPage();
  await page.goto(url);
  await page.getByRole('radio', { name: 'A card with waves The blue card' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('radio', { name: 'The red card' }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('dl.given').waitFor();
  expect(await chosen(page)).toEqual(['The red card']);
});

browserTest('several pictures are chosen without scripts', async () => {
  const { url } = await (await campaign(api, [surveyPage({ multiple: true })])).start();
  const page = await (await newContext(withoutScripts)).newPage();
  await page.goto(url);
  await page.getByText('The blue card').tap();
  await page.getByText('No card').tap();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('dl.given').waitFor();
  expect(await chosen(page)).toEqual(['The blue card', 'No card']);
});

test('the import warns of a picture that is no file, and of a description without one', () => {
  const given = [
    { text: 'A', image: 'card.png' },
    { text: 'B', altText: 'A card' },
  ];
  const warnings = warningsOf({
    templates: [
      {
        name: 'T',
        template_pages: [
          {
            page: {
              completion_condition: 'confirm',
              content_blocks: [{ type: 'survey', data: { questions: [{ text: 'Q', options: given }] } }],
            },
          },
        ],
      },
    ],
  });
  expect(warnings).toEqual([
    expect.stringMatching(/options\/0\/image is not the id of a file/),
    expect.stringMatching(/options\/1\/altText is not shown without `image`/),
  ]);
});

test('pictures and kinds of questions need no translation', () => {
  const questions = [
    { ...question, options: options.slice(1, 2) },
    { text: 'When?', type: 'date' },
  ];
  const texts = { T: 'T', 'Which card?': '¿Qué tarjeta?', 'The red card': 'La roja', 'When?': '¿Cuándo?' };
  const warnings = warningsOf({
    templates: [
      {
        name: 'T',
        language: 'en',
        translations: { es: texts },
        template_pages: [
          { page: { completion_condition: 'confirm', content_blocks: [{ type: 'survey', data: { questions } }] } },
        ],
      },
    ],
  });
  expect(warnings).toEqual([]);
});
