import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../bin/content/read.ts';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, inPage, templateWith } from '../../support/samples/content-documents.ts';
import { image, inChannels } from '../../support/samples/content-warnings.ts';

const warningsOf = (value: object) => {
  const { errors, document } = readDocument(JSON.parse(JSON.stringify(value)));
  expect(errors).toEqual([]);
  const warnings = contentWarnings(JSON.parse(JSON.stringify(value)), document!);
  // Most documents here have empty pages, or agreements without a proof of identity, which are other warnings.
  return warnings.filter(({ message }) => !/^is empty, so|anybody with the link can/.test(message));
};
/** Most documents here have a template without pages, which has a warning of its own. */
const pathsOf = (value: object) =>
  warningsOf(value)
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('/template_pages'));

const withBlock = (block: object, page: object = {}) => templateWith({ content_blocks: [block], ...page });
const inBlock = `${inPage}/content_blocks/0`;
const agreement = { type: 'agreement', data: { agreementText: 'I agree.' } };
const survey = { type: 'survey', data: { questions: ['Why?'] } };
const link = (text: string, url: string) => ({ type: 'button', data: { text, url } });

test('the sample has no warnings', () => {
  expect(warningsOf(JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8')))).toEqual([]);
});

describe('a warning names', () => {
  type Cases = [what: string, given: object, path: string][];
  const names = (place: string, document: (given: object) => object, cases: Cases) =>
    test.each(cases)('%s', (_what, given, path) => {
      expect(pathsOf(document(given))).toEqual([`${place}/${path}`]);
    });
  const palette = (colors: object) => ({ palette: colors });
  names('/templates/0', (fields) => ({ templates: [fields] }), [
    ['an unknown block type of a template', { content_blocks: [{ type: 'x' }] }, 'content_blocks/0/type'],
    [
      'a link of the footer',
      { footer_content: { links: [{ text: 'A', url: 'a.example' }] } },
      'footer_content/links/0/url',
    ],
    ['a language without words', { language: 'fi' }, 'language'],
    ['a color that cannot be read', { theme: palette({ primary: 'teal' }) }, 'theme/palette/primary'],
    ['a color of the overrides', { styles: { overrides: palette({ text: '#12' }) } }, 'styles/overrides/palette/text'],
    ['a text without a translation', { name: 'Saving', translations: { es: {} } }, 'name'],
    ['a translation of no text', { name: 'A', translations: { es: { A: 'Á', B: 'B' } } }, 'translations/es/B'],
    ['a translation into a language without words', { translations: { fi: {} } }, 'translations/fi'],
    ['a URL of the support', { support_owner_options: { url: 'a.example' } }, 'support_owner_options/url'],
    ['a size of type', { styles: { typography: { base_size: 40 } } }, 'styles/typography/base_size'],
    ['a font', { styles: { typography: { body: 'url(x)' } } }, 'styles/typography/body'],
    ['a radius', { theme_overrides: { button_radius: '50%' } }, 'theme_overrides/button_radius'],
    ['CSS that loads something', { css: 'a { background: url(https://a.example/a.png) }' }, 'css'],
  ]);
  names(inPage, templateWith, [
    ['a call to action of a page', { cta: { text: 'Go', url: 'ftp://a.example' } }, 'cta/url'],
    ['CSS with an at-rule that is left out', { css: '@import "a.css";' }, 'css'],
    ['a style that loads something', { styles: { background: 'url(//a.example)' } }, 'styles'],
    ['a selector that cannot be used', { styles: { '& b': { color: 'red' } } }, 'styles'],
    [
      'a style of a container',
      { content_containers: [{ engagement_channel_id: id(1), styles: { src: 'x' } }] },
      'content_containers/0/styles',
    ],
  ]);
  const signature = { type: 'signature', data: { ...agreement.data, signatureBoxText: 'Your name' } };
  const document = { type: 'document', data: { documentLinkText: 'Read', documentLinkUrl: 'file:///etc' } };
  names(inBlock, (block) => withBlock(block), [
    ['an unknown block type', { type: 'carousel' }, 'type'],
    ['an image block without an image', { type: 'image', data: { altText: 'A' } }, 'data'],
    ['a link that runs a script', link('Go', 'javascript:alert(1)'), 'data/url'],
    ['a link without a host', link('Go', '/relative'), 'data/url'],
    ['a document link that nobody may follow', document, 'data/documentLinkUrl'],
    ['a signature on a page without a condition', signature, 'type'],
    ['CSS with a string that does not end', { css: 'a { content: "x\n }' }, 'css'],
    ['CSS with one bad selector of two', { css: 'a, & b { color: red }' }, 'css'],
    ['CSS with a bad step of an animation', { css: '@keyframes a { soon { color: red } }' }, 'css'],
    ['CSS with a bad condition', { css: '@media (a:b\\) { a { color: red } }' }, 'css'],
  ]);
  const asks = (block: object) => (condition: object) => withBlock(block, condition);
  names(inBlock, asks(agreement), [
    ['an agreement on a page that completes by viewing', { completion_condition: 'view' }, 'type'],
  ]);
  names(inBlock, asks({ type: 'survey', data: {} }), [
    ['a survey without questions', { completion_condition: 'confirm' }, 'data/questions'],
  ]);
  names(inBlock, asks(survey), [
    [
      'a survey whose answers are not kept',
      { completion_condition: 'open', completion_product_type: 'savings' },
      'type',
    ],
  ]);
  const confirm = { content_blocks: [{ type: 'confirm' }] };
  names('/engagement_channels/0', (channel) => ({ engagement_channels: [channel] }), [
    [
      'a confirmation in what a channel shows to all',
      { default_content: confirm },
      'default_content/content_blocks/0/type',
    ],
    ['a style of a channel', { theme_styles: { custom: { behavior: 'x' } } }, 'theme_styles/custom'],
  ]);
});

describe('a condition that nothing can meet', () => {
  const call = (url: string) => ({ type: 'button', data: { text: 'Go', url } });
  const cases: [what: string, page: object][] = [
    ['objective without an objective', { completion_condition: 'objective' }],
    ['open without a product', { completion_condition: 'open' }],
    ['confirm with a button alone', { completion_condition: 'confirm', content_blocks: [call('https://a.example')] }],
    [
      'confirm with a link of the page',
      { completion_condition: 'confirm', cta: { text: 'Go', url: 'https://a.example' } },
    ],
    ['action with a button that has no text', { completion_condition: 'action', content_blocks: [{ type: 'cta' }] }],
    [
      'action with a button to the journey',
      { completion_condition: 'action', content_blocks: [call('{{journey_url}}')] },
    ],
  ];
  const text = { type: 'text', data: { body: 'Set up your card.' } };
  const asked = { completion_condition: 'action', content_blocks: [text] };
  test.each(cases)('is a warning: %s', (_what, page) => {
    expect(pathsOf(templateWith(page))).toEqual([`${inPage}/completion_condition`]);
  });

  const document = {
    type: 'document_link',
    data: { documentLinkText: 'The form', documentLinkUrl: 'https://a.example/form' },
  };
  const met: [what: string, page: object][] = [
    ['open with a product', { completion_condition: 'open', completion_product_id: id(1) }],
    ['open with a type', { completion_condition: 'open', completion_product_type: 'savings' }],
    ['confirm without a block, which gets a button', { completion_condition: 'confirm' }],
    ['confirm with a text of the page', { completion_condition: 'confirm', cta: 'Go' }],
    ['confirm with an agreement', { completion_condition: 'confirm', content_blocks: [agreement] }],
    ['action with a survey', { completion_condition: 'action', content_blocks: [survey] }],
    [
      'action with a button',
      { completion_condition: 'action', content_blocks: [call('https://a.example/{{meta_public.a}}')] },
    ],
    [
      'confirm in a channel alone',
      {
        completion_condition: 'confirm',
        content_blocks: [call('https://a.example')],
        content_containers: [{ engagement_channel_id: id(1), content_blocks: [{ type: 'confirm' }] }],
      },
    ],
    ['action with a link', { ...asked, content_blocks: [text, document] }],
    [
      'action with what an employer needs',
      { ...asked, content_blocks: [{ type: 'direct_deposit', data: { heading: 'A' } }] },
    ],
    ['action with a button of the page', { ...asked, cta: { text: 'Go', url: 'https://a.example' } }],
    ['a page that is archived', { completion_condition: 'view', is_archived: true }],
    ['a page that is not live', { completion_condition: 'view', is_live: false, content_block_status: 'draft' }],
  ];
  test.each(met)('is none: %s', (_what, page) => {
    expect(pathsOf(templateWith(page, inChannels))).toEqual([]);
  });
});

test('nothing is a warning that a page shows, or that may hold any JSON', () => {
  const document = {
    $schema: './content.schema.json',
    templates: [
      {
        language: 'ar-EG',
        facts: { anything: [1] },
        has_survey_content_blocks: false,
        css: '/* a */ h2 { color: #123; } @media (min-width: 10px) { a:hover { top: 1px } }',
        styles: { custom: { padding: 8, h2: { margin: '0' }, sm: { color: 'red' }, top: null } },
        template_pages: [
          {
            template_id: id(9),
            content_variables: { home: 'journey_url' },
            page: {
              team_id: id(8),
              content_blocks: [
                { container_id: id(7), data: { heading: 'A', name: 'a' } },
                { type: 'Agree-Disagree', data: { agreementText: 'A' } },
                { type: 'image', data: { src: image, altText: 'A' } },
                { type: 'image', data: { file_id: id(6), altText: '' } },
                link('Home', '{{ home }}'),
                link('Host', 'https://{{meta_public.host}}/a'),
                link('Call', 'tel:+15550100100'),
              ],
              completion_condition: 'confirm',
            },
          },
        ],
      },
    ],
  };
  expect(warningsOf(document)).toEqual([]);
});
