import { describe, expect, test } from 'vitest';
import { isTextOf, keptResponses } from '../../../lib/domain/journeys/answer.ts';
import { noValues, type Values } from '../../../lib/domain/journeys/placeholders.ts';
import { paragraphs, proseOf } from '../../../lib/web/prose.ts';
import { email } from '../../support/samples/email.ts';
import { blockOf, htmlOfBlocks, openPage } from '../../support/samples/rendered-blocks.ts';
import { contactOf } from '../../support/samples/samples.ts';

const htmlOf = (text: string): string => paragraphs(text).join('');
const url = 'https://bank.example/rates';
const linkTo = (address: string, text: string) =>
  `<a class="link" href="${address}" rel="noopener noreferrer">${text}</a>`;
const planted = '**x** [a](https://evil.example) - b';
const valuesOf = (name_first: string): Values => ({ ...noValues, contact: contactOf({ name_first }) });

describe('a paragraph', () => {
  test.each(['+15550100100', '+1 555 010-0100', '+44 (20) 7946 0000'])('keeps the order of the number %s', (number) => {
    expect(htmlOf(`رقمكم هو ${number}.`)).toBe(`<p>رقمكم هو <bdi dir="ltr">${number}</bdi>.</p>`);
  });

  test.each([
    ['القسط $31,400 شهريًا', 'القسط <bdi dir="ltr">$31,400</bdi> شهريًا'],
    ['من -€ 5.00.', 'من <bdi dir="ltr">-€ 5.00</bdi>.'],
    ['السعر 5% أو ١٢٪', 'السعر 5% أو ١٢٪'],
    ['You pay $31,400', 'You pay $31,400'],
    ['السعر \u2068-2.5 %\u2069.', 'السعر <bdi>-2.5 %</bdi>.'],
    ['Hello \u2068أحمد $5\u2069!', 'Hello <bdi>أحمد <bdi dir="ltr">$5</bdi></bdi>!'],
    ['\u2068one', '\u2068one'],
  ])('has the values and amounts of %j in their own order', (text, expected) => {
    expect(htmlOf(text)).toBe(`<p>${expected}</p>`);
  });

  test('keeps its line breaks, and other numbers as they are', () => {
    expect(htmlOf('a + 1\n2026-01-01\n\nb <+>')).toBe('<p>a + 1<br>2026-01-01</p><p>b &lt;+&gt;</p>');
  });
});

describe('the text of an author', () => {
  const shown = (text: string, name = 'Ann') => paragraphs(proseOf(text, valuesOf(name)) ?? []).join('');

  test.each([
    ['Only **today** and **to morrow**.', '<p>Only <strong>today</strong> and <strong>to morrow</strong>.</p>'],
    [`See [our rates](${url}).`, `<p>See ${linkTo(url, 'our rates')}.</p>`],
    [`**[Rates](${url}) now**`, `<p><strong>${linkTo(url, 'Rates')}</strong><strong> now</strong></p>`],
    [`[**Rates**](${url})`, `<p><strong>${linkTo(url, 'Rates')}</strong></p>`],
    [`[A](${url}_(b))`, `<p>${linkTo(`${url}_(b)`, 'A')}</p>`],
    [
      'Bring:\n- an **ID**\n- a letter\nThen\n\nwait',
      '<p>Bring:</p><ul class="listed"><li>an <strong>ID</strong></li><li>a letter</li></ul><p>Then</p><p>wait</p>',
    ],
    ['Dear **{{name_first}}**', '<p>Dear <strong>Ann</strong></p>'],
    ['{{nothing|**a**}} - {{nothing|[b](https://b.example)}}', '<p>**a** - [b](https://b.example)</p>'],
    [`[{{name_first}}](${url}?team={{team.name|a b}})`, `<p>${linkTo(`${url}?team=a%20b`, 'Ann')}</p>`],
    ['- {{nothing}}\n- b\n\n{{nothing}}', '<ul class="listed"><li>b</li></ul>'],
    ['{{nothing}}', ''],
    [
      '[a](mailto:a@b.example)',
      '<p><a class="link" href="mailto:a@b.example" target="_self" rel="noopener noreferrer">a</a></p>',
    ],
  ])('%j is %j', (text, html) => {
    expect(shown(text)).toBe(html);
  });

  test.each([
    '**',
    '** a **',
    '**a',
    'a** b **c',
    '5 * 3 ** 2',
    '-a',
    ' [a] (b)',
    '[a]',
    '[](b)',
    '[ ](b)',
    '[a]( b)',
    '[a](',
    '[a](b',
  ])('is shown as it is if it is not well-formed: %j', (text) => {
    expect(shown(text)).toBe(`<p>${text.trim()}</p>`);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a:b@c.example',
    '//c.example',
    'nowhere',
    'https://{{nothing}}',
  ])('is no link to %s', (address) => {
    expect(shown(`[**see**](${address})`)).toBe('<p><strong>see</strong></p>');
  });

  test.each([
    '{{name_first}}',
    '- {{name_first}}',
    '**{{name_first}}',
    '[{{name_first}}',
    '[b]({{name_first}}',
    'x\n{{name_first}}',
  ])('never reads a value as more than its characters: %j', (text) => {
    for (const name of [
      planted,
      '- b',
      ' - b\n- c',
      '](https://evil.example)',
      '**',
      `"><img src=x onerror=alert(1)>${planted}`,
    ]) {
      const html = shown(text, name);
      expect(html).not.toMatch(/<(?!\/?(?:p|ul|li|br)\b)/);
      expect(html.match(/<li>/g) ?? []).toHaveLength(text.startsWith('- ') ? 1 : 0);
    }
  });

  test.each(['**', '[', '[a](', '**a ', '[a](b', '[   ', '{{', '- '])('takes linear time: %j', (part) => {
    const before = performance.now();
    shown(part.repeat(100_000 / part.length));
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

describe('in blocks', () => {
  const marked = `**Now** [here](${url})\n\n- one`;
  const html = `<p><strong>Now</strong> ${linkTo(url, 'here')}</p><ul class="listed"><li>one</li></ul>`;
  const type = (kind: string, data: object, context = {}) => htmlOfBlocks([blockOf(kind, data)], context);

  test.each([
    ['heading', 'body'],
    ['text', 'body'],
    ['text', 'content'],
    ['card', 'body'],
    ['document_link', 'body'],
    ['agreement', 'body'],
    ['agreement', 'agreementText'],
    ['unknown', 'body'],
  ])('a %s shows marks in its %s', (kind, name) => {
    expect(type(kind, { [name]: marked })).toContain(html);
  });

  test.each([
    ['heading', 'heading'],
    ['button', 'text'],
    ['image', 'caption'],
    ['agreement', 'signatureBoxText'],
    ['survey', 'heading'],
  ])('a %s shows its %s as it is written', (kind, name) => {
    const data = { url, file_id: '00000000-0000-4000-8000-000000000001', [name]: '**Now**' };
    expect(type(kind, data, { page: openPage })).toContain('**Now**');
  });

  test('what is agreed to is no button if it has a link, and is kept with its URL', () => {
    const block = blockOf('agreement', { agreementText: '**Yes** to [it]({{team.name}})', body: '- one' });
    const open = htmlOfBlocks([block], { page: openPage });
    expect(open).toMatch(/class="statement"><p><strong>Yes<\/strong> to it<.*<button class="button">I agree</);
    const context = { blocks: [block], values: { ...noValues, teamName: 'x y' }, newId: () => 'id' };
    const [{ text = null } = {}] = keptResponses(
      [{ block_id: 'block', answer: 'accepted' }] as never,
      context as never,
    );
    expect(text).toBe('- one\n\nYes to it (x%20y)');
    expect(isTextOf(block, text!)).toBe(true);
    expect(
      isTextOf(blockOf('agreement', { agreementText: '[Yes](https://a.example)' }), 'Yes (https://b.example)'),
    ).toBe(false);
  });

  test('a message shows them in its HTML and its text, and values as they are', () => {
    const body = `**Now** [here](${url})\n\n- one\n- [two](javascript:alert(1))\n\n{{name_first}}`;
    const { html: mail, text } = email({
      blocks: [{ type: 'text', data: { body } }],
      contact: { name_first: planted },
    });
    expect(text).toContain(`Now here (${url})\n\n- one\n- two\n\n${planted}\n`);
    expect(mail).toContain('<strong>Now</strong>');
    expect(mail).toMatch(new RegExp(`<a class="link" href="${url}"[^>]*>here</a>`));
    expect(mail).toMatch(/<ul [^>]*><li>one<\/li><li>two<\/li><\/ul>/);
    expect(mail).toContain(`>${planted}</p>`);
    expect(mail).not.toMatch(/href="https:\/\/evil|javascript:/);
  });
});
