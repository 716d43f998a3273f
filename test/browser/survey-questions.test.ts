import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startPreview } from '../../bin/preview/server.ts';
import { campaign, type TestJourney, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { browserTest, open, phone, withoutScripts } from './browser.ts';
import { block } from './welcome-campaign.ts';

const api = await service();

const options = ['A', 'B'];
const questions = [
  { text: 'Your first bank?', options, required: true },
  { question: 'Your second bank?', options, required: true },
  { text: 'Why?' },
  { text: 'Why?' },
];
/** Two texts that differ in English are equal in Spanish. */
const translations = { ES: { 'Your first bank?': '¿Su banco?', 'Your second bank?': '¿Su banco?' } };
const survey = { ...block('survey', { questions }), id: crypto.randomUUID() };
const surveyPage = testPage('confirm', { content_blocks: [survey] });

/** The survey in this language, and the values that the API returns for the latest answer to it. */
async function surveyIn(language: string) {
  const { start, token } = await campaign(api, [surveyPage], { language: 'en', translations });
  const journey: TestJourney = await start({ meta_public: { language } });
  const values = async () => {
    const { body: journeys } = await api.request('GET', `/v1/journeys?contact_id=${journey.contactId}`, { token });
    const { body } = await api.request('GET', `/v1/journeys/${journeys[0].id}/responses`, { token });
    return body.responses.at(-1)?.values;
  };
  return { journey, values };
}

browserTest.each([
  ['with scripts', phone],
  ['without scripts', withoutScripts],
])('answers to questions with equal texts are all kept and shown, %s', async (_, screen) => {
  const { journey, values } = await surveyIn('ES');
  const { page } = await open(screen);
  await page.goto(journey.url);
  expect(await page.getAttribute('html', 'lang')).toBe('es');
  await page.locator('.question').nth(0).getByText('A', { exact: true }).click();
  await page.locator('.question').nth(1).getByText('B', { exact: true }).click();
  await page.locator('textarea').nth(0).fill('Near');
  await page.locator('textarea').nth(1).fill('Cheap');
  await page.locator('form.completion button').click();
  await page.locator('.saved a').click();
  await page.locator('dl.given').waitFor();
  expect(await values()).toMatchObject([
    { question: '¿Su banco?', value: 'A' },
    { question: '¿Su banco? (2)', value: 'B' },
    { question: 'Why?', value: 'Near' },
    { question: 'Why? (2)', value: 'Cheap' },
  ]);
  await page.locator('summary').click();
  const checked = page.locator('input:checked');
  expect([await checked.nth(0).inputValue(), await checked.nth(1).inputValue()]).toEqual(options);
  expect(await page.locator('textarea').nth(1).inputValue()).toBe('Cheap');
});

browserTest('questions with texts of their own are stored under these texts', async () => {
  const { journey, values } = await surveyIn('en');
  const { page } = await open(phone);
  await page.goto(journey.url);
  await page.locator('.question').nth(0).getByText('A', { exact: true }).click();
  await page.locator('.question').nth(1).getByText('B', { exact: true }).click();
  await page.locator('form.completion button').click();
  await page.locator('.saved a').click();
  await page.locator('dl.given').waitFor();
  expect(await values()).toMatchObject([
    { question: 'Your first bank?', value: 'A' },
    { question: 'Your second bank?', value: 'B' },
  ]);
});

test('a required question is not answered by another question with the same text', async () => {
  const { journey } = await surveyIn('ES');
  const answer = { block_id: survey.id, values: [{ question: '¿Su banco?', value: 'A' }] };
  const response = await fetch(`${journey.url}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'page_completed', page_id: surveyPage.id, answers: [answer] }),
  });
  expect(response.status).toBe(422);
  expect(JSON.stringify(await response.json())).toContain('must have an answer to');
});

test('the preview shows the questions of an answered survey under any name of their texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  const file = join(folder, 'campaign.json');
  const asked = [...questions, { label: 'How, {{name_first}}?' }, 'When?'];
  const page = { completion_condition: 'confirm', content_blocks: [{ type: 'survey', data: { questions: asked } }] };
  const translated = { ara: { 'When?': 'متى؟' } };
  const template = { name: 'Campaign', template_pages: [{ order: 1, page }], translations: translated };
  writeFileSync(file, JSON.stringify({ templates: [template] }));
  const preview = await startPreview({ file, port: 0, dataDirectory: folder });
  onTestFinished(() => {
    preview.close();
    rmSync(folder, { recursive: true });
  });
  const shell = await (await fetch(preview.url)).text();
  const [, path] = /href="(\/t\/0\/answered\/LANGUAGE[^"]*)"/.exec(shell)!;
  const html = await (await fetch(new URL(path!.replace('LANGUAGE', 'ara'), preview.url))).text();
  expect(html).toContain('<html lang="ar" dir="rtl">');
  const shown = [...html.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, text]) => text);
  expect(shown).toEqual(['Your first bank?', 'Your second bank?', 'Why?', 'Why? (2)', 'How, Alex?', 'متى؟']);
});
