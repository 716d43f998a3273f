import { parse } from 'postcss';
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../bin/preview/content.ts';
import { previewed, type State, viewOf } from '../../../bin/preview/views.ts';
import { partsCss } from '../../../lib/web/css/parts.ts';
import { pageScript } from '../../../lib/web/page-script.ts';
import { projectRoot } from '../../support/architecture/sources.ts';

const files = ['examples/campaigns.json', 'examples/mortgage.json'];

/** A page of a journey in the states of the preview. */
type Shown = { name: string; htmlIn: (state: State) => string };

const shown: Shown[] = files.flatMap((file) => {
  const content = contentOf(`${projectRoot}${file}`).content!;
  return content.templates.flatMap((template, at) =>
    template.template_pages.map(({ page }, index) => ({
      name: `page ${index + 1} of ${template.name}`,
      htmlIn: (state: State) =>
        viewOf(content, previewed, { template: at, state, language: undefined, page: page.id })!.html,
    })),
  );
});

const styleOf = (html: string): string => /<style>(.*?)<\/style>/s.exec(html)![1]!;
const scriptOf = (html: string): string => /<script>(.*?)<\/script>/s.exec(html)![1]!;
const bodyOf = (html: string): string => /<body>(.*?)<script>/s.exec(html)![1]!;

/** The selectors of a page with their declarations, without those of the campaign, its theme and the image of its view. */
function rulesOf(html: string): { selector: string; text: string }[] {
  const rules: { selector: string; text: string }[] = [];
  parse(styleOf(html)).walkRules((rule) => {
    const text = rule.nodes.map(String).join(';');
    for (const selector of rule.selectors) rules.push({ selector, text });
  });
  return rules.filter(({ selector }) => !/#campaign|:root|noscript|\.(?:xs|sm|md|lg|xl)-/.test(selector));
}

const keyOf = ({ selector, text }: { selector: string; text: string }) => `${selector}{${text}}`;

/** True if the page has every class, every element and every attribute that the selector names. */
function canMatch(selector: string, html: string): boolean {
  const plain = selector.replace(/:has\((.*)\)/, ' $1').replaceAll(/:[\w-]+\([^)]*\)|::?[\w-]+|\[[^\]]*\]/g, '');
  const classes = [...plain.matchAll(/\.([\w-]+)/g)].map(([, name]) => name!);
  const tags = [...plain.matchAll(/(?<![\w.-])([a-z][a-z0-9]*)/g)].map(([, name]) => name!);
  const hasClass = (name: string) => new RegExp(`class="(?:[^"]* )?${name}[ "]`).test(html);
  const attributes = [...selector.matchAll(/\[([\w-]+)(?:=(\w+))?\]/g)].map(([, name, value]) =>
    value === undefined ? ` ${name}` : ` ${name}="${value}"`,
  );
  return (
    attributes.every((each) => html.includes(each)) &&
    classes.every(hasClass) &&
    tags.every((name) => new RegExp(`<${name}[ >]`).test(html))
  );
}

const states = ['new', 'answered', 'before the proof', 'not sent'] as const;
const everyRule = new Map(
  shown.flatMap(({ htmlIn }) => states.flatMap((state) => rulesOf(htmlIn(state)))).map((rule) => [keyOf(rule), rule]),
);

/** The rules of any page that match an element of this HTML and are not in these styles. */
function missingIn(html: string, styles: string): string[] {
  const own = new Set(rulesOf(styles).map(keyOf));
  return [...everyRule.values()].filter((rule) => !own.has(keyOf(rule)) && canMatch(rule.selector, html)).map(keyOf);
}

describe('a page has the styles', () => {
  test.each(states)('of all its elements when it is %s', (state) => {
    expect(everyRule.size).toBeGreaterThan(150);
    const found = shown.map(({ name, htmlIn }) => [name, missingIn(bodyOf(htmlIn(state)), htmlIn(state))]);
    expect(found.filter(([, missing]) => missing!.length > 0)).toEqual([]);
  });

  test('of the elements that it has after its script has sent a form or a view', () => {
    const changing = shown.filter(({ htmlIn }) => scriptOf(htmlIn('new')).includes('const renew='));
    expect(changing.length).toBeGreaterThan(5);
    const found = changing.map(({ name, htmlIn }) => [name, missingIn(bodyOf(htmlIn('answered')), htmlIn('new'))]);
    expect(found.filter(([, missing]) => missing!.length > 0)).toEqual([]);
  });

  test('of none of the parts that it does not have', () => {
    expect(partsCss('<div class="block"><h2>A</h2></div>')).toBe('');
  });
});

const form = '<form class="completion">';
const declining = `<section class="consent">${form}<input value="declined">`;

test.each<[what: string, html: string, selector: string]>([
  ['a line', '<hr>', 'hr{'],
  ['a list of blocks with lines', '<div class="stack rows">', '.stack>'],
  ['a text to type', '<input type="text">', 'input[type=text]'],
  ['a long text to type', '<p><textarea rows="3">', 'textarea{max-width'],
  ['a form, with what it leads to', form, '.outcome'],
  ['a view that completes the page, with what it leads to', '<main data-unseen="completes">', '.told'],
  ['an agreement that can be declined, with the answer', declining, '.declined{'],
  ['an agreement that can be declined, with its change', declining, 'summary{list-style'],
  ['a declined agreement', '<div class="outcome declined">', '.declined{'],
  ['a survey that can be sent, with the answers', `<section class="survey">\n${form}`, '.given{'],
  ['a survey that can be sent, with their change', `<section class="survey">\n${form}`, 'summary{list-style'],
  ['personal details, also after the proof expires', '<aside class="personal shown">', '.personal.shown{'],
  ['a required field, with the message that it is empty', `${form}<input type="text" required>`, '.unanswered{'],
  [
    'a survey with required questions, with the list of them',
    `<section class="survey">${form}<textarea required>`,
    '.faults{',
  ],
  [
    'a question for several options, with the message that they are too many',
    `<section class="survey">${form}<input type="checkbox">`,
    '.question .unanswered{',
  ],
  ['an empty field from right to left', '<textarea placeholder=" ">', ':placeholder-shown{'],
  ['a message about a form', '<div class="faults">', '.faults{'],
  ['the identity check, with a message about its form', '<div class="check">', '.faults{'],
  ['several steps', '<nav class="steps">', '.steps ol{'],
])('the styles include those of %s', (_, html, selector) => {
  expect(partsCss(html)).toContain(selector);
  expect(partsCss('<p>')).not.toContain(selector);
});

test.each([
  ['an agreement that only can be accepted', `<section class="consent">${form}`, '.declined'],
  ['a survey that cannot be sent', '<section class="survey">', '.given'],
  ['a survey that can be sent empty', `<section class="survey">${form}<textarea>`, '.unanswered'],
  ['a signature', `<section class="consent">${form}<input type="text" required>`, '.faults'],
  ['a survey without choices', `<section class="survey">${form}<textarea>`, '.choice'],
])('the styles of %s do not include those of states that it never has', (_, html, selector) => {
  expect(partsCss(html)).not.toContain(selector);
});

describe('the script of a page', () => {
  const parts = {
    ...{ putting: 'const put=', renewal: 'const renew=', typing: 'const restore=', forms: '"submit"' },
    ...{ calls: '[data-completes] a' },
  };
  const block = (html: string) => `<div class="block md-4" id="b1">${html}</div>`;
  const [field, radio] = ['<textarea name="a">', '<input type="radio">'];
  const completing = '<main data-unseen="completes">';
  const partsOf = (html: string) =>
    Object.entries(parts).flatMap(([name, text]) => (pageScript(html, 'true', 'see();').includes(text) ? [name] : []));

  test.each<[what: string, html: string, parts: string[]]>([
    ['that only reports the view', '<main data-unseen="yes">', []],
    ['that the view completes', '<main data-unseen="completes">', ['putting', 'renewal']],
    ['with a form', form, ['putting', 'forms']],
    ['with a link that completes it', `<div data-completes="1">${form}`, ['putting', 'renewal', 'forms', 'calls']],
    ['with a form to type in', block(field + form), ['putting', 'forms']],
    ['with two answers to one agreement', block(field + form + form), ['putting', 'forms']],
    ['with forms of two blocks', block(field + form) + block(form), ['putting', 'typing', 'forms']],
    ['with choices and a form', block(radio) + block(form) + block(form), ['putting', 'typing', 'forms']],
    [
      'that the view completes while it is filled in',
      `${completing}${block(field + form)}`,
      ['putting', 'renewal', 'typing', 'forms'],
    ],
    [
      'with a link that completes it',
      `<p data-completes="1">${block(field + form)}`,
      ['putting', 'renewal', 'typing', 'forms', 'calls'],
    ],
  ])('%s has the parts for it', (_, html, expected) => {
    expect(partsOf(html)).toEqual(expected);
    expect(() => new Function(pageScript(html, 'true', 'see();'))).not.toThrow();
  });
});
