import { describe, expect, test } from 'vitest';
import { id, templateWith } from '../support/content-documents.ts';
import {
  block,
  button,
  container,
  inBlock,
  inChannels,
  template,
  warningsOf,
  warns,
} from '../support/content-warnings.ts';

const text = (body: string) => ({ type: 'text', data: { body } });
const page = (content_variables: object | null, ...blocks: object[]) => ({
  content_variables,
  page: { content_blocks: blocks },
});
const titled = (each: { page?: object }, index: number) =>
  each.page ? { ...each, page: { navigation_title: `Step ${index + 1}`, ...each.page } } : each;
const pages = (...template_pages: object[]) => ({ templates: [{ template_pages: template_pages.map(titled) }] });
const shown = (fields: object) => templateWith({ content_blocks: [text('A')] }, fields);
const inContainer = { content_blocks: [text('A')] };

describe('a setting that has no effect is a warning:', () => {
  warns('/templates/0', [
    ['a duration of nothing', shown({ journey_duration_hours: 0 }), 'journey_duration_hours', /when it begins/],
    [
      'hours that are probably days',
      shown({ journey_duration_hours: 30 }),
      'journey_duration_hours',
      /after 30 hours: write hours, such as 720 for 30 days/,
    ],
    [
      'a duration below nothing',
      shown({ journey_duration_hours: -1 }),
      'journey_duration_hours',
      /ends every journey when it begins/,
    ],
    [
      'a phone that is no number',
      template({ support_owner_options: { phone: 'call us' } }),
      'support_owner_options/phone',
      /not a phone number/,
    ],
    [
      'a phone with letters',
      template({ support_owner_options: { phone: '1-800-BANK' } }),
      'support_owner_options/phone',
      /digits without letters/,
    ],
    [
      'an email that is none',
      template({ support_owner_options: { email: 'help' } }),
      'support_owner_options/email',
      /not an email address/,
    ],
    [
      'a variable of another page',
      pages(page({ rate: '5 %' }, text('{{rate}}')), page(null, text('{{rate}}'))),
      'template_pages/1/page/content_blocks/0/data/body',
      /has no value/,
    ],
    [
      'a draft that is the only page',
      templateWith({ content_block_status: 'draft' }),
      'template_pages',
      /no page that is shown/,
    ],
    [
      'pages that are all hidden',
      pages({ page: { is_live: false } }, { page: { is_archived: true } }),
      'template_pages',
      /no page that is shown/,
    ],
    [
      'content for channels of a campaign that is not live',
      container(inContainer, { status: null }),
      'status',
      /is not "live", so no channel shows the `content_containers`/,
    ],
    [
      'content for channels that are off',
      container(inContainer, { is_cce_enabled: false }),
      'is_cce_enabled',
      /is not true, so no channel/,
    ],
    [
      'the name of a language',
      template({ translations: { spanish: {} } }),
      'translations/spanish',
      /not the code of a language/,
    ],
    ['the name of a language in itself', template({ language: 'deutsch' }), 'language', /such as en, es/],
    [
      'what is no language',
      template({ translations: { xyzzy: {} } }),
      'translations/xyzzy',
      /not the code of a language/,
    ],
  ]);
  warns(inBlock, [
    ['a phone link without a number', button({ text: 'A', url: 'tel:' }), 'data/url', /does not work|cannot be a link/],
    [
      'a phone link with words',
      button({ text: 'A', url: 'tel:our-branch' }),
      'data/url',
      /does not work|cannot be a link/,
    ],
    [
      'a mail link without an address',
      button({ text: 'A', url: 'mailto:' }),
      'data/url',
      /does not work|cannot be a link/,
    ],
    [
      'a mail link with a subject alone',
      button({ text: 'A', url: 'mailto:?subject=Hi' }),
      'data/url',
      /does not work|cannot be a link/,
    ],
    [
      'a name like that of a variable',
      pages(page({ rate: '5 %' }, text('{{rate}} {{rates}}'))),
      'data/body',
      /did you mean `\{\{rate\}\}`/,
    ],
  ]);
});

describe('none is a warning:', () => {
  const stored = { page_id: id(5) };
  const cases: [what: string, document: object][] = [
    ['an ending after a stored page', { templates: [{ ending: { heading: 'Done' }, template_pages: [stored] }] }],
    ['a duration of two days', shown({ journey_duration_hours: 48 })],
    ['a campaign in the archive', { templates: [{ archived_at: '2020-01-01', template_pages: [] }] }],
    ['a draft', templateWith({ content_block_status: 'draft' }, { status: 'draft' })],
    ['a muted campaign with content for channels', container(inContainer, { is_muted: true, is_cce_enabled: false })],
    ['content for channels', container(inContainer)],
    ['one draft of two pages', pages({ page: { content_block_status: 'draft' } }, { page: {} })],
    ['a draft beside a stored page', pages({ page: { content_block_status: 'draft' } }, stored)],
    [
      'links to programs',
      templateWith({
        content_blocks: [
          'tel:+1 (555) 010',
          'mailto:a@b.example?subject=x',
          'tel:{{meta_public.phone}}',
          'mailto:{{meta_public.email}}',
        ].map((url) => ({ type: 'button', data: { text: 'A', url } })),
        completion_condition: 'action',
      }),
    ],
    ['ways to reach', template({ support_owner_options: { phone: '+1 (555) 010-0199', email: 'help@bank.example' } })],
    [
      'variables of texts, numbers and, on one of two pages, nothing',
      pages(
        page({ a: 'A', b: 1, c: null, d: true, e: '' }, text('{{a}}{{b}}{{c}}{{d}}{{e}}')),
        page({ c: 'C', e: 'E' }),
      ),
    ],
    ['a variable that another page uses', pages(page({ a: 'A' }), page({ a: 'A' }, text('{{a}}')))],
    ['a variable of the footer', { templates: [{ template_pages: [page({ a: 'A' })], footer_content: '{{a}}' }] }],
    [
      'a variable of a stored page',
      { templates: [{ template_pages: [{ ...stored, content_variables: { a: 'A' } }] }] },
    ],
    ['a language and a region', template({ translations: { es: {}, 'es-MX': {} } })],
    ['a long text that is no label', block('agreement', { agreementText: 'a'.repeat(50) })],
  ];
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });

  test('content for a channel is shown by a live campaign', () => {
    expect(warningsOf(container(inContainer, inChannels))).toEqual([]);
  });
});
