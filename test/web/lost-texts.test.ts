import { describe, expect, test } from 'vitest';
import { inPage, templateWith } from '../support/content-documents.ts';
import { block, button, inBlock, template, warningsOf } from '../support/content-warnings.ts';

const text = (body: string) => block('text', { body }, { completion_condition: null });
const body = `${inBlock}/data/body`;
const survey = (questions: unknown[], translations: object | null = null, condition = 'confirm') =>
  templateWith(
    { completion_condition: condition, content_blocks: [{ type: 'survey', data: { questions } }] },
    { translations },
  );

describe('a text that people see as it is written is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    ['a tag', text('<b>Bold</b> text'), body, /HTML, `<b>`/],
    ['a line break of HTML', text('One<br/>two'), body, /`<br\/>`.*empty line/],
    ['a link of HTML', text('<a href="https://a.example">A</a>'), body, /HTML/],
    ['an entity', text('Terms &amp; fees'), body, /entity, `&amp;`.*the character/],
    ['an entity by number', text('It&#39;s'), body, /`&#39;`/],
    ['bold Markdown', text('**Bold** text'), body, /Markdown, `\*\*Bold\*\*`/],
    ['a link of Markdown', text('See [rates](https://a.example)'), body, /Markdown/],
    ['a list of Markdown', text('We need:\n- one\n- two'), body, /Markdown, `- one`/],
    ['a heading of Markdown', text('# Rates'), body, /Markdown, `# Rates`/],
    ['a backslash and an n', text('One\\nTwo'), body, /backslash and the letter n/],
    ['a name', template({ name: 'A <b>B</b>' }), '/templates/0/name', /HTML/],
    ['a title', templateWith({ navigation_title: '**A**' }), `${inPage}/navigation_title`, /Markdown/],
    ['a footer', template({ footer_content: 'A<br>B' }), '/templates/0/footer_content', /HTML/],
    ['a question', survey(['**Why**?']), `${inBlock}/data/questions/0`, /Markdown/],
    [
      'an ending',
      templateWith({ completion_condition: 'view' }, { ending: { body: '<p>Done</p>' } }),
      '/templates/0/ending/body',
      /HTML/,
    ],
    ['an agreement', block('agreement', { agreementText: 'I **agree**' }), `${inBlock}/data/agreementText`, /Markdown/],
    [
      'a translation',
      template({ name: 'A', translations: { es: { A: '<i>Á</i>' } } }),
      '/templates/0/translations/es/A',
      /HTML/,
    ],
    ['one brace', text('Hello {name_first}'), body, /`\{name_first\}`.*`\{\{name_first\}\}`/],
    ['a common name in one brace', text('Hello {name}'), body, /`\{name\}`.*`\{\{name_first\}\}`/],
    ['brackets', text('Hello [name_first]'), body, /`\[name_first\]`/],
    ['words in brackets', text('Hello [First Name]'), body, /`\{\{name_first\}\}`/],
    ['percent signs', text('Hello %name_first%'), body, /`%name_first%`/],
    ['a dollar sign', text('Hello $' + '{name_first}'), body, /`\$\{name_first\}`/],
    ['angle brackets', text('Hello <<name_first>>'), body, /`<<name_first>>`/],
    ['braces that do not end', text('Hello {{name_first'), body, /`\{\{name_first`/],
    ['braces that end too early', text('Hello {{name_first}'), body, /`\{\{name_first\}`/],
    ['three braces', text('Hello {{{name_first}}}'), body, /`\{\{\{name_first\}\}\}`/],
    ['a similar name', text('Hello {firstname}'), body, /`\{\{name_first\}\}`/],
    [
      'another notation in a translation',
      template({ footer_content: 'A', translations: { es: { A: 'Á {name_first}' } } }),
      '/templates/0/translations/es/A',
      /`\{name_first\}`/,
    ],
    [
      'two questions with one translation',
      survey(['Why?', 'What for?'], { es: { 'Why?': '¿Por qué?', 'What for?': '¿Por qué?' } }),
      '/templates/0/translations/es/What',
      /translation of "Why\?", another question/,
    ],
    [
      'two options with one translation',
      survey([{ text: 'Q', options: ['Big', 'Large'] }], { es: { Q: 'P', Big: 'Grande', Large: 'Grande' } }),
      '/templates/0/translations/es/Large',
      /translation of "Big", another option/,
    ],
    [
      'two options with one text',
      survey([{ text: 'Q', options: ['A', { text: 'A ' }] }]),
      `${inBlock}/data/questions/0/options/1`,
      /same text as option 1/,
    ],
    ['two questions that differ by a space', survey(['A', 'A ']), `${inBlock}/data/questions/1`, /question 1/],
    [
      'required questions of a page that is viewed',
      survey([{ text: 'Q', required: true }], null, 'view'),
      `${inBlock}/type`,
      /required questions.*to confirm/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });
});

describe('none is a warning:', () => {
  test.each([
    'a < b and c > d',
    'R&D; AT&T & more',
    '5 * 3 * 2 = 30',
    '2 ** 3',
    'Costs* are low.\n*Terms apply.',
    '-5 % and - later - more',
    'Number #1 is [here] and {there}',
    'From 10 % to 20 % of it',
    '{{ name_first }}, {{meta_public.car.make}}',
    'Write to <help@bank.example>',
    'snake_case__name and __',
    '[optional] [1] (https://a.example)',
    'C:\\temp',
    '100% safe, 50% less',
  ])('%s', (given) => {
    expect(warningsOf(text(given))).toEqual([]);
  });

  test('a button with a URL', () => {
    expect(warningsOf(button({ text: 'A', url: 'https://a.example/?a=%20b%20' }))).toEqual([]);
  });
});
