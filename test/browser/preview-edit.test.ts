import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { versionOf } from '../../bin/preview/content.ts';
import { changedText } from '../../bin/preview/edit.ts';
import { changedPages } from '../../bin/preview/pages.ts';
import { placeIn } from '../../bin/preview/places.ts';
import { startPreview } from '../../bin/preview/server.ts';
import { browserTest, newContext } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'preview-edit-'));
const file = join(folder, 'campaign.json');

/** As a person writes it: with an order, spaces and escapes that a program would not keep. */
const campaign = `{
  "templates": [ { "name" : "Welcome", "status": "live",
    "translations": { "es": { "Hello, {{name_first}}": "Hola, {{name_first}}", "Which card?": "¿Qué tarjeta?" } },
    "template_pages": [
      {"order": 2, "page": {"navigation_title": "Card", "completion_condition": "confirm", "content_blocks": [
        {"type": "survey", "data": {"questions": [{"text": "Which card?", "options": ["Blue", {"text": "Red"}]}], "text": "Send"}}
      ]}},
      {"order": 1, "page": {"navigation_title": "Hello", "completion_condition": "view", "content_blocks": [
        {"type": "heading", "data": {"heading": "Hello, {{name_first}}", "body": "First \\u0022part\\u0022.\\n\\nSecond part."}}
      ]}}
    ] } ]
}
`;
beforeEach(() => writeFileSync(file, campaign));
const preview = await startPreview({ file, port: 0, dataDirectory: folder });
afterAll(() => {
  preview.close();
  rmSync(folder, { recursive: true });
});

const written = () => readFileSync(file, 'utf8');

describe('the preview', () => {
  browserTest.each([1280, 1440])('shows the whole frame of the desktop in a window of %i px', async (width) => {
    const page = await (await newContext({ viewport: { width, height: 900 } })).newPage();
    await page.goto(preview.url);
    const frame = await page.locator('.desktop').boundingBox();
    expect(frame!.x + frame!.width).toBeLessThanOrEqual(width);
    expect(frame!.width).toBeGreaterThan(400);
    const shown = await page.locator('.scaled').boundingBox();
    expect(Math.abs(shown!.height - frame!.height)).toBeLessThan(4);
  });

  browserTest('changes texts where they stand, and leaves the rest of the file as it is written', async () => {
    const page = await (await newContext({ viewport: { width: 1500, height: 1000 } })).newPage();
    await page.goto(preview.url);
    await page.getByLabel('Edit texts').check();
    const phone = page.frameLocator('.phone');
    // The page is loaded again with its editor, which marks the texts.
    await phone.locator('[data-text]').first().waitFor();
    const change = async (shown: string, given: string, text: string) => {
      await phone.getByText(shown, { exact: true }).first().click();
      const field = phone.getByRole('textbox', { name: 'Text', exact: true });
      expect(await field.inputValue()).toBe(given);
      await field.fill(text);
      const shownAgain = page.waitForEvent('load');
      await field.press('Control+Enter');
      await expect.poll(async () => written().includes(JSON.stringify(text))).toBe(true);
      await shownAgain;
    };
    await change('Hello, Alex', 'Hello, {{name_first}}', 'Welcome, {{name_first}}!');
    const marked = '- **One** part.\n- Two';
    await change('Second part.', 'First "part".\n\nSecond part.', marked);
    await phone.locator('li strong').getByText('One', { exact: true }).waitFor();
    await change('Two', marked, 'One part.');
    await page.getByRole('link', { name: 'Card' }).first().click();
    await change('Red', 'Red', 'Dark red');
    await change('Send', 'Send', 'Send it');
    await page.getByLabel('es', { exact: true }).check();
    await change('¿Qué tarjeta?', '¿Qué tarjeta?', '¿Cuál?');
    await change('Blue', 'Blue', 'Azul');
    const translatedFrom = { es: { 'Welcome, {{name_first}}!': 'Hello, {{name_first}}' } };
    expect(written()).toBe(
      campaign
        .replace('"es": { "Hello, {{name_first}}"', '"es": { "Blue": "Azul", "Welcome, {{name_first}}!"')
        .replace('"¿Qué tarjeta?" } }', `"¿Cuál?" } },\n    "translated_from": ${JSON.stringify(translatedFrom)}`)
        .replace('"Hello, {{name_first}}", "body"', '"Welcome, {{name_first}}!", "body"')
        .replace('"First \\u0022part\\u0022.\\n\\nSecond part."', '"One part."')
        .replace('"Red"', '"Dark red"')
        .replace('"Send"', '"Send it"'),
    );
  });

  browserTest('changes titles, the footer, colors, images and the order of pages in the fields beside it', async () => {
    const image = '00000000-0000-4000-8000-000000000001';
    const more = campaign
      .replace(
        '"status": "live",',
        '"status": "live", "styles": {"overrides": {"palette": {"primary": "#0AF", "dark": false}}}, "footer_content": {"text": "Foot",  "links": []},',
      )
      .replace(
        '{"type": "heading"',
        `{"type": "image", "order": 2, "data": {"file_id": "${image}", "altText": "A house"}},\n{"type": "heading", "order": 1`,
      )
      .replace('"es": {', '"es": { "Hello": "Hola",');
    writeFileSync(file, more);
    const page = await (await newContext({ viewport: { width: 1500, height: 1000 } })).newPage();
    await page.goto(preview.url);
    await page.getByLabel('Edit texts').check();
    const fields = page.getByRole('region', { name: 'Page and campaign' });
    const change = async (label: string, given: string, text: string) => {
      const field = fields.getByLabel(label, { exact: true });
      await expect.poll(() => field.inputValue()).toBe(given);
      const shownAgain = page.waitForEvent('load');
      await field.fill(text);
      await field.blur();
      await shownAgain;
    };
    const act = async (name: string) => {
      const shownAgain = page.waitForEvent('load');
      await fields.getByRole('button', { name }).click();
      await shownAgain;
    };
    const titles = () => page.locator('nav ul').first().getByRole('link').allTextContents();
    await change('Title of the step', 'Hello', 'Welcome');
    await change('Footer', 'Foot', 'Our **address**');
    await change('Color: primary', '#00aaff', '#123456');
    await change('Description of the image', 'A house', 'Our branch');
    await change('Image', image, image.replace('1', '2').replace(/1$/, '2'));
    await fields.getByLabel('Image', { exact: true }).fill('house.png');
    await fields.getByLabel('Image', { exact: true }).blur();
    await page.getByText('It was not saved: the value is not the id of a file').waitFor();
    const saved = more
      .replace('"Hello": "Hola"', '"Welcome": "Hola"')
      .replace(/\n(.*"translations": .*)/, '\n$1\n    "translated_from": {"es":{"Welcome":"Hello"}},')
      .replace('"navigation_title": "Hello"', '"navigation_title": "Welcome"')
      .replace('"Foot"', '"Our **address**"')
      .replace('#0AF', '#123456')
      .replace('A house', 'Our branch')
      .replace(image, image.replace(/1$/, '2'));
    expect(written()).toBe(saved);
    await page.frameLocator('.phone').locator('footer strong').getByText('address').waitFor();
    await page.getByLabel('es', { exact: true }).check();
    await change('Title of the step', 'Hola', 'Bienvenida');
    await page.getByLabel('en', { exact: true }).check();
    await act('Move down');
    expect(await titles()).toEqual(['Card', 'Welcome']);
    expect(written()).toBe(
      saved
        .replace('"Hola"', '"Bienvenida"')
        .replace('{"Welcome":"Hello"}', '{"Welcome":"Welcome"}')
        .replace('"order": 2, "page"', '"order": 0, "page"')
        .replace('"order": 1, "page"', '"order": 2, "page"')
        .replace('"order": 0, "page"', '"order": 1, "page"'),
    );
    await act('Add a copy');
    expect(await titles()).toEqual(['Card', 'Welcome', 'Welcome']);
  });

  browserTest('loads no change while a text is being written', async () => {
    const context = await newContext({ viewport: { width: 1500, height: 1000 } });
    const [page, other] = [await context.newPage(), await context.newPage()];
    for (const each of [page, other]) await each.goto(preview.url);
    await page.getByLabel('Edit texts').check();
    const phone = page.frameLocator('.phone');
    const field = phone.getByRole('textbox', { name: 'Text', exact: true });
    await phone.locator('[data-text]').first().waitFor();
    await phone.getByText('Hello, Alex', { exact: true }).first().click();
    await field.fill('Welcome');
    await phone.getByText('Second part.', { exact: true }).click();
    await field.fill('One');
    await other.frameLocator('.phone').getByText('Welcome').first().waitFor();
    // A page that does not wait has been loaded by then.
    await page.waitForTimeout(300);
    await field.press('End');
    await field.pressSequentially(' part.');
    const shownAgain = page.waitForEvent('load');
    await field.press('Control+Enter');
    await shownAgain;
    await phone.getByText('One part.', { exact: true }).waitFor();
    expect(written()).toContain('"heading": "Welcome", "body": "One part."');
  });

  browserTest(
    'keeps the last pages while the file is broken, and names the line and the page of an error',
    async () => {
      const page = await (await newContext({ viewport: { width: 1500, height: 1000 } })).newPage();
      await page.goto(preview.url);
      const heading = page.frameLocator('.phone').getByText('Hello, Alex');
      await heading.waitFor();
      writeFileSync(file, campaign.replace('"status": "live",', '"status": "live"'));
      await page.getByText('The file is not a JSON document: see line 3').waitFor();
      await heading.waitFor();
      await page.getByText('These pages are the last without any.').waitFor();
      writeFileSync(file, campaign.replace('"completion_condition": "view"', '"completion_condition": "seen"'));
      await page.getByText('Line 8, Hello:').waitFor();
      await heading.waitFor();
      writeFileSync(file, campaign);
      await page.getByText('These pages are the last without any.').waitFor({ state: 'detached' });
    },
  );

  browserTest('shows a change that was reported before the page listened', async () => {
    const context = await newContext({ viewport: { width: 1500, height: 1000 } });
    const [early, late] = [await context.newPage(), await context.newPage()];
    const { promise: isReported, resolve: report } = Promise.withResolvers<void>();
    await late.route('**/events*', (route) => isReported.then(() => route.continue()), { times: 1 });
    for (const page of [early, late]) {
      await page.goto(preview.url);
      await page.frameLocator('.phone').getByText('Hello, Alex').waitFor();
    }
    writeFileSync(file, campaign.replace('"status": "live",', '"status": "live"'));
    await early.getByText('The file is not a JSON document: see line 3').waitFor();
    report();
    await late.getByText('The file is not a JSON document: see line 3').waitFor();
  });

  test('writes nothing for a request that is not its own', async () => {
    const html = await (await fetch(preview.url)).text();
    const token = /const token="([^"]+)"/.exec(html)![1]!;
    const change = { path: '/templates/0/name', before: 'Welcome', text: 'Other' };
    const send = async (headers: Record<string, string>, body: object = change) =>
      (await fetch(new URL('/edits', preview.url), { method: 'POST', headers, body: JSON.stringify(body) })).status;
    expect(await send({})).toBe(403);
    expect(await send({ 'x-preview-token': 'other' })).toBe(403);
    expect(await send({ 'x-preview-token': token, origin: 'https://evil.example' })).toBe(403);
    expect(await send({ 'x-preview-token': token }, { ...change, before: 'Elsewhere' })).toBe(409);
    for (const body of [{ ...change, text: 1 }, null, 'text', []])
      expect(await send({ 'x-preview-token': token }, body as object)).toBe(400);
    const page = '/templates/0/template_pages/0/page';
    for (const version of ['1-1', ''])
      expect(await send({ 'x-preview-token': token }, { page, act: 'copy', version })).toBe(409);
    expect(await send({ 'x-preview-token': 'other' }, { page, act: 'copy', version: versionOf(file) })).toBe(403);
    // What is no text of a page.
    const others = {
      '/templates/0/status': 'live',
      '/templates/0/language': 'en',
      '/templates/9/name': 'Welcome',
      '': '',
    };
    for (const [path, before] of Object.entries(others))
      expect(await send({ 'x-preview-token': token }, { path, before, text: 'Other' })).toBe(409);
    for (const path of ['/%', '/t/%ff', '/nothing']) expect((await fetch(new URL(path, preview.url))).status).toBe(404);
    expect(written()).toBe(campaign);
    expect(await send({ 'x-preview-token': token })).toBe(204);
    expect(written()).toBe(campaign.replace('"Welcome"', '"Other"'));
  });
});

describe('pages', () => {
  const given = `{"templates": [{"template_pages": [
  {"id": "a", "page": {"id": "b", "navigation_title": "First", "content_blocks": [{"id": "c", "data": {"id": "key"}}]}},
  {"order": 7,  "page": {"navigation_title": "Gone", "is_archived": true}},
  {"order": 3, "page": { "navigation_title": "Second", "content_containers": [{"content_blocks": [{"id": "d"}]}]}}
]}]}`;
  const acted = (index: number, act: 'copy' | 'up' | 'down') => {
    let count = 0;
    const page = `/templates/0/template_pages/${index}/page`;
    return changedPages(given, { page, act }, () => `new ${++count}`);
  };
  const first = given.split('\n')[1]!;

  test('a copy follows its page, with ids of its own, and nothing else changes', () => {
    const copy =
      '{"order": 8,"id": "new 2", "page": {"id": "new 1", "navigation_title": "First", "content_blocks": [{"id": "new 3", "data": {"id": "key"}}]}}';
    expect(acted(0, 'copy')).toBe(
      given.replace(first, `${first.replace('{"id": "a"', '{"order": 8,"id": "a"')}\n  ${copy.replace('8', '9')},`),
    );
    expect(acted(2, 'copy')).toContain(
      '{"order": 7, "page": { "id": "new 1", "navigation_title": "Second", "content_containers": [{"content_blocks": [{"id": "new 2"}]}]}}',
    );
  });

  test('a page changes its place with its neighbour in the list, and only the numbers change', () => {
    const moved = given
      .replace('{"id": "a"', '{"order": 3,"id": "a"')
      .replace('"order": 3, "page"', '"order": 8, "page"');
    expect(acted(0, 'up')).toBe(moved);
    expect(acted(2, 'down')).toBe(moved);
  });

  test.each([
    [2, 'up'],
    [0, 'down'],
    [1, 'up'],
    [3, 'copy'],
  ] as const)('that has no such neighbour, or is none, does not change: %i %s', (index, act) => {
    expect(acted(index, act)).toBeUndefined();
  });
});

test('a text that the campaign has twice keeps its translation for the other place', () => {
  const twice = { templates: [{ translations: { es: { A: 'Á' } }, ending: { heading: 'A', body: 'A' } }] };
  const changed = changedText(JSON.stringify(twice), { path: '/templates/0/ending/heading', text: 'A' }, 'B');
  expect(JSON.parse(changed!)).toEqual({
    templates: [
      {
        ...{ translations: { es: { A: 'Á', B: 'Á' } }, translated_from: { es: { B: 'A' } } },
        ending: { heading: 'B', body: 'A' },
      },
    ],
  });
});

test.each([
  ['[1, {"a": [true, "x,]"]}]', ['1', 'a', '1'], '"x,]"'],
  ['{"a" : {"b\\u0022": -1.5e3 } }', ['a', 'b"'], '-1.5e3'],
  ['{"a": 1, "a": 2}', ['a'], '2'],
  ['{"a": [ ]}', ['a', '0'], '[ ]'],
  [' {} ', ['a', 'b'], '{}'],
])('in %j the place of %j is %j', (text, path, value) => {
  const { start, end } = placeIn(text, path);
  expect(text.slice(start, end)).toBe(value);
});
