import { describe, expect, test } from 'vitest';
import { readDocument } from '../../lib/domain/content/read.ts';
import { contentWarnings } from '../../lib/web/warnings/document.ts';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { block, container, image, inBlock, template, warningsOf } from '../support/content-warnings.ts';

const text = (data: object) => block('text', data, { completion_condition: null });
const survey = (options: unknown[]) => block('survey', { questions: [{ text: 'Why?', options }] });
const variables = (content_variables: object) => ({
  templates: [{ template_pages: [{ content_variables, page: { content: '{{a}}' } }] }],
});
const title = (navigation_title: string, page: object = {}) => ({ page: { navigation_title, content: 'A', ...page } });
const long = 'We ask your old bank for the rest.';

describe('what a page shows otherwise than it is meant is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    [
      'a block without data',
      templateWith({ content_blocks: [{ type: 'text' }] }),
      `${inBlock}/data`,
      /is not set, so the block is not shown/,
    ],
    [
      'a document without a link',
      block('document', { heading: 'A' }, { completion_condition: null }),
      `${inBlock}/data`,
      /has no link/,
    ],
    [
      'a file name as a description',
      block('image', { src: image, altText: 'house.svg' }, { completion_condition: null }),
      `${inBlock}/data`,
      /`house\.svg`: describe/,
    ],
    [
      'an image that is not one',
      block('image', { src: 'data:image/png;base64,xxxx', altText: 'A' }, { completion_condition: null }),
      `${inBlock}/data`,
      /not complete/,
    ],
    [
      'options that differ by case',
      survey(['Fixed', 'fixed']),
      `${inBlock}/data/questions/0/options/1`,
      /same text as option 1/,
    ],
    [
      'options that differ by nothing that is seen',
      survey(['Fixed', 'Fixed\u200b']),
      `${inBlock}/data/questions/0/options/1`,
      /same text as option 1/,
    ],
    [
      'options in one text',
      survey(['Fixed, variable, mixed']),
      `${inBlock}/data/questions/0/options/0`,
      /is one option/,
    ],
    ['two options in one text', survey(['Yes/No']), `${inBlock}/data/questions/0/options/0`, /is one option/],
    ['an empty variable', variables({ a: ' ' }), '/templates/0/template_pages/0/content_variables/a', /is empty/],
    [
      'the name of a value in another case',
      variables({ a: 'Contact.name_last' }),
      '/templates/0/template_pages/0/content_variables/a',
      /did you mean `contact.name_last`/,
    ],
    [
      'the name of a value with a space',
      variables({ a: ' contact.name_last' }),
      '/templates/0/template_pages/0/content_variables/a',
      /delete the space/,
    ],
    [
      'a title twice',
      { templates: [{ template_pages: [title('Terms'), title('terms ')] }] },
      '/templates/0/template_pages/1/page/navigation_title',
      /also the title of page 1/,
    ],
    [
      'pages of which one has no order',
      { templates: [{ template_pages: [title('A'), { ...title('B'), order: 2 }] }] },
      '/templates/0/template_pages/1/order',
      /at place 1/,
    ],
    ['a name with a space', template({ name: 'Saving ' }), '/templates/0/name', /begins or ends with a space/],
    [
      'a title without a text',
      template({ journey_title_options: { type: 'CUSTOM', custom: ' ' } }),
      '/templates/0/journey_title_options/custom',
      /is empty/,
    ],
    [
      'a journey of some minutes',
      template({ journey_duration_hours: 0.1 }),
      '/templates/0/journey_duration_hours',
      /after 6 minutes/,
    ],
    [
      'an ending that leads to itself',
      templateWith({ completion_condition: 'view' }, { ending: { cta: { text: 'A', url: '{{journey_url}}' } } }),
      '/templates/0/ending/cta/url',
      /the ending itself/,
    ],
    ['the name of a channel', { engagement_channels: [{ name: '' }] }, '/engagement_channels/0/name', /empty text/],
    [
      'a translation that repeats the text',
      { templates: [{ ...text({ body: long }).templates[0], translations: { es: { [long]: long } } }] },
      `/templates/0/translations/es/${long}`,
      /the same as the text/,
    ],
    [
      'a language of other letters',
      text({ body: long }).templates.map((each) => ({ templates: [{ ...each, language: 'ar' }] }))[0]!,
      '/templates/0/language',
      /no text has a letter/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.slice(0, path.length + 1))).toEqual([`${path} `]);
    expect(found[0]).toMatch(message);
  });
});

describe('none is a warning:', () => {
  const cases: [what: string, document: object][] = [
    [
      'the URL as the text of its link',
      block(
        'document',
        { documentLinkText: 'https://bank.example', documentLinkUrl: 'https://bank.example' },
        { completion_condition: null },
      ),
    ],
    ['a variable with a URL', variables({ a: 'https://bank.example' })],
    [
      'a variable that is empty on one page',
      {
        templates: [
          {
            template_pages: [
              { content_variables: { a: '' }, page: { navigation_title: 'A', content: '{{a}}B' } },
              { content_variables: { a: 'A' }, page: { navigation_title: 'B', content: '{{a}}' } },
            ],
          },
        ],
      },
    ],
    ['one option', survey(['Yes, I have read it'])],
    [
      'a title of a page that is a draft',
      { templates: [{ template_pages: [title('A'), title('A', { is_archived: true })] }] },
    ],
    [
      'a translation into another form of the language',
      { templates: [{ ...text({ body: long }).templates[0], translations: { 'en-GB': { [long]: long } } }] },
    ],
    ['a form without a link', block('direct_deposit', { heading: 'A', body: 'B' }, { completion_condition: null })],
  ];
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});

describe('content that is empty is a warning:', () => {
  const pathsOf = (value: object) => {
    const { document } = readDocument(JSON.parse(JSON.stringify(value)));
    return contentWarnings(JSON.parse(JSON.stringify(value)), document!).map(({ path }) => path);
  };
  test.each<[what: string, document: object, paths: string[]]>([
    ['a page', templateWith({ completion_condition: 'view' }), [`${inPage}/content_blocks`]],
    ['a container', container({}), [`${inPage}/content_containers/0/content_blocks`]],
    [
      'the content of a channel for all',
      { engagement_channels: [{ default_content: {} }] },
      ['/engagement_channels/0/default_content/content_blocks'],
    ],
  ])('%s', (_what, document, paths) => {
    expect(pathsOf(document)).toEqual(paths);
  });
  test.each([
    ['a page with a button to confirm', templateWith({ completion_condition: 'confirm' })],
    [
      'the page of the introduction',
      templateWith({ completion_condition: 'view' }, { content_blocks: [{ type: 'text', data: { body: 'A' } }] }),
    ],
    ['a page with a text', templateWith({ content: 'A' })],
    [
      'a page that is hidden',
      { templates: [{ template_pages: [{ page: { content: 'A' } }, { page: { is_live: false } }] }] },
    ],
    ['a page for channels', container({ content_blocks: [{ type: 'text', data: { body: 'A' } }] })],
    ['a stored page', { templates: [{ template_pages: [{ page_id: id(5) }] }] }],
  ])('%s is not', (_what, document) => {
    expect(pathsOf(document)).toEqual([]);
  });
});

test.each([
  ['email', 1],
  ['birthdate', 1],
  ['meta_public', 1],
  ['inserted_at', 1],
  ['email_done', 0],
  ['direct_deposit', 0],
])('the objective %s has %d warnings', (key, count) => {
  const found = warningsOf({ objectives: [{ key }] }).filter((each) => each.startsWith('/objectives/0/key is a field'));
  expect(found).toHaveLength(count);
});

test.each(['survey', 'agreement', 'confirm'])('a %s in the introduction cannot be answered', (type) => {
  const data = { heading: 'Please answer', agreementText: 'I agree.', text: 'Send', questions: ['Why?'] };
  expect(warningsOf(template({ content_blocks: [{ type, data }] }))).toContain(
    '/templates/0/content_blocks/0/type cannot be answered in the introduction: move it to a page',
  );
});

test('the name of the institution needs no translation, other texts of its contact do', () => {
  const support_owner_options = { name: 'Cedar Valley Bank', text: 'Call us' };
  const found = warningsOf(template({ support_owner_options, translations: { es: {} } }));
  expect(found.filter((each) => each.includes('has no translation'))).toEqual([
    expect.stringMatching(/^\/templates\/0\/support_owner_options\/text /),
  ]);
});
