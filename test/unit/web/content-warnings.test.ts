import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { capWarnings, senderWarnings } from '../../../bin/warnings/messages.ts';
import { readDocument } from '../../../lib/content/read.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, inPage, templateWith } from '../../support/samples/content-documents.ts';
import {
  agreement,
  block,
  button,
  container,
  image,
  inBlock,
  inChannels,
  template,
  warningsOf,
  warns,
  warnsNot,
} from '../../support/samples/content-warnings.ts';

const warningsIn = (value: object) => {
  const { errors, document } = readDocument(JSON.parse(JSON.stringify(value)));
  expect(errors).toEqual([]);
  const warnings = contentWarnings(JSON.parse(JSON.stringify(value)), document!);
  // Most documents here have empty pages, or agreements without a proof of identity, which are other warnings.
  return warnings.filter(({ message }) => !/^is empty, so|anybody with the link can/.test(message));
};
/** Most documents here have a template without pages, which has a warning of its own. */
const pathsOf = (value: object) =>
  warningsIn(value)
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('/template_pages'));

const withBlock = (block: object, page: object = {}) => templateWith({ content_blocks: [block], ...page });
const survey = { type: 'survey', data: { questions: ['Why?'] } };
const link = (text: string, url: string) => ({ type: 'button', data: { text, url } });

test('the sample has no warnings', () => {
  expect(warningsIn(JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8')))).toEqual([]);
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
  expect(warningsIn(document)).toEqual([]);
});

describe('nothing is lost without a warning:', () => {
  const survey = (question: object) => block('survey', { questions: [question] });

  warns(
    `${inBlock}/data/questions/0`,
    [
      ['a scale of three numbers', { text: 'Q', scale: [1, 3, 5] }, '/scale', /lowest and the highest/],
      ['a scale that is a number', { text: 'A', scale: 5 }, '/scale', /such as \[1, 5\]/],
      ['a scale downwards', { text: 'A', scale: [5, 1] }, '/scale', /is not a scale/],
      ['a long scale', { text: 'A', scale: [0, 100] }, '/scale', /at most 11/],
      ['an option without a text', { text: 'Q', options: ['a', ''] }, '/options/1', /has no text/],
      ['options beside a scale', { text: 'A', scale: [1, 2], options: ['B'] }, '/options', /`scale` is/],
      ['options that are a text', { text: 'A', options: 'a, b' }, '/options', /list/],
      ['two options with one text', { text: 'Q', options: ['A', { text: 'A ' }] }, '/options/1', /text as option 1/],
      ['required as a text', { text: 'A', required: 'yes' }, '/required', /true or false/],
      ['a key that is no text', { text: 'A', key: 5 }, '/key', /write a text in quotes/],
      ['a question without a text', { options: ['A'] }, '', /has no text/],
    ],
    survey,
  );
  const url = { documentLinkUrl: 'https://a.example' };
  warns(`${inBlock}/data`, [
    ['a question twice', block('survey', { questions: ['A', 'A '] }), '/questions/1', /question 1/],
    ['a misspelt field', block('text', { headng: 'A' }), '/headng', /did you mean `heading`/],
    ['an object', block('text', { grid: { md: 6 } }), '/grid', /only the fields `heading`, `body` and `terms`/],
    [
      'a link in a text',
      block('text', { body: 'A [b](www.a.example)' }),
      '/body',
      /`www\.a\.example`, which cannot be/,
    ],
    [
      'a private value in it',
      block('text', { body: '[a](https://a.example/{{birthdate}})' }),
      '/body',
      /empty in a URL/,
    ],
    ['an unknown one', block('text', { body: '[a](https://a.example/{{nmae}})' }), '/body', /which has no value/],
    ['a number for a text', block('text', { body: 5 }), '/body', /a text in quotes/],
    ['a file of a card', block('card', { body: 'A', file_id: id(2) }), '/file_id', /is not shown/],
    ['a button without a URL', button({ text: 'A' }), '', /opens nothing/],
    ['a button that is not shown', button({ text: 'A' }, 'view'), '', /is not shown/],
    ['a URL without a text', block('document', url), '/documentLinkUrl', /without `documentLinkText` or `name`/],
    ['an agreement to nothing', block('agreement', { heading: 'A' }), '', /no `agreementText`/],
    [
      'a signature without a label',
      block('signature', { agreementText: 'A', signatureBoxText: ' ' }),
      '',
      /no `signatureBoxText`/,
    ],
    ['an image without a description', block('image', { file_id: id(2) }), '', /no `altText`/],
    ['an image of another site', block('image', { src: 'https://a.example/a.png' }), '/src', /file put/],
    ['a class with a dot', block('text', { body: 'A', customClass: '.hero' }), '/customClass', /left out/],
    ['a class that cannot be one', block('text', { body: 'A', customClass: 'a b!' }), '/customClass', /cannot be a/],
  ]);
  const product = (type: string) => ({ completion_condition: 'open', completion_product_type: type });
  warns(
    inPage,
    [
      [
        'a field outside of data',
        { content_blocks: [{ type: 'text', body: 'A' }] },
        '/content_blocks/0/body',
        /`data`/,
      ],
      ['a product type of no product', product('Saving'), '/completion_product_type', /did you mean `savings`/],
      ['a standardized type', product('mortgage'), '/completion_product_type', /write `checking`, .* or `investment`/],
      ['a text that is an object', { content: { text: 'A' } }, '/content', /a text in quotes/],
      [
        'a call beside a block that asks',
        { completion_condition: 'confirm', content_blocks: [agreement], cta: 'A' },
        '/cta',
        /is not shown/,
      ],
      ['a call without a URL', { completion_condition: 'view', cta: 'A' }, '/cta', /no `url`/],
    ],
    templateWith,
  );
  const inContainer = '/content_containers/0';
  const confirm = { completion_condition: 'confirm' };
  warns(inPage, [
    ['a text of a page with blocks', block('text', { body: 'A' }, { content: 'B' }), '/content', /the page has blocks/],
    [
      'a container without a channel',
      container({ engagement_channel_id: null }),
      `${inContainer}/engagement_channel_id`,
      /no channel/,
    ],
    [
      'a container with the name of a channel',
      container({ engagement_channel: 'Home' }),
      `${inContainer}/engagement_channel`,
      /engagement_channel_id/,
    ],
    [
      'an agreement in a channel',
      container({ content_blocks: [agreement] }, { is_auth_required: true }, confirm),
      `${inContainer}/content_blocks/0/type`,
      /proof of identity/,
    ],
  ]);
  const [ending, footer, support] = ['/ending', '/footer_content', '/support_owner_options'];
  const links = [{ label: 'A', url: 'https://a.example' }];
  warns('/templates/0', [
    ['an ending that no page leads to', templateWith({}, { ending: { heading: 'A' } }), ending, /no page has a `compl/],
    [
      'a call of the ending',
      templateWith({ completion_condition: 'view' }, { ending: { cta: { text: 'A' } } }),
      `${ending}/cta/text`,
      /without `url`/,
    ],
    ['a template without pages', { templates: [{ name: 'A' }] }, '/template_pages', /nothing to show/],
    [
      'a field outside of the page',
      { templates: [{ template_pages: [{ cta: 'A', page: {} }] }] },
      '/template_pages/0/cta',
      /into `page`/,
    ],
  ]);
  warns(
    '/templates/0',
    [
      [
        'a link of a text',
        { support_owner_options: { text: '[a](https://bank/b)' } },
        '/support_owner_options/text',
        /not work/,
      ],
      ['a link of the footer', { footer_content: '[a](javascript:a)' }, '/footer_content', /cannot be a link/],
      ['an empty translation', { name: 'A', translations: { es: { A: ' ' } } }, '/translations/es/A', /is empty/],
      ['the name of a file', { logo_file_id: 'logo.svg' }, '/logo_file_id', /not the id of a file/],
      ['a footer', { footer_content: { body: 'A' } }, `${footer}/body`, /`text` and `links`/],
      ['a link of a footer', { footer_content: { links } }, `${footer}/links/0/label`, /`text` and `url`/],
      ['a way to reach', { support_owner_options: { mail: 'a' } }, `${support}/mail`, /`email`/],
      ['a text as a way to reach', { support_owner_options: 'call' }, support, /an object with/],
      ['another name of the palette', { theme: { colors: {} } }, '/theme/colors', /`palette`/],
      ['a theme that is a text', { theme: 'evergreen' }, '/theme', /has no effect/],
      ['a dark color', { theme: { palette: { dark: { bg: '#000' } } } }, '/theme/palette/dark/bg', /`background`/],
      [
        'a size that is a number',
        { theme: { typography: { base_size: 18 } } },
        '/theme/typography/base_size',
        /"18px"/,
      ],
      [
        'a keyword as a font',
        { theme: { typography: { body: 'A, Initial' } } },
        '/theme/typography/body',
        /no keyword/,
      ],
      [
        'a title of another type',
        { journey_title_options: { custom: 'A' } },
        '/journey_title_options/custom',
        /CUSTOM/,
      ],
      ['a word that is no language', { language: 'English' }, '/language', /not the code of a language/],
    ],
    template,
  );
});

const plans = (...questions: unknown[]) => ({ type: 'survey', data: { heading: 'Plans', questions } });
const required = { text: 'Why?', required: true };

describe('none is a warning:', () => {
  const signature = { agreementText: 'A', signatureBoxText: 'Your name' };
  warnsNot([
    ['a signature with a label', block('signature', signature)],
    ['an agreement without a name', block('agreement', { agreementText: 'A' })],
    ['two buttons', block('agreement', { agreementText: 'I agree', disagreeText: 'I do not agree' })],
  ]);
});

describe('a survey on a page without a condition:', () => {
  const page = (content: object, condition: string | null = null) => ({
    page: { navigation_title: condition ?? 'none', completion_condition: condition, content_blocks: [content] },
  });
  const agreed = page(agreement, 'confirm');
  const message =
    'has answers that are not stored, because the page has no `completion_condition`: write `"completion_condition": "confirm"`';

  test.each<[what: string, pages: object[], place: number | undefined]>([
    ['the first page', [page(plans('Why?')), agreed], 0],
    ['the last page, with a required question', [agreed, page(plans(required))], 1],
    ['the last page', [agreed, page(plans('Why?'))], undefined],
    ['a page with a condition', [page(plans('Why?'), 'view'), agreed], undefined],
  ])('%s', (_what, template_pages, place) => {
    expect(warningsOf({ templates: [{ template_pages }] })).toEqual(
      place === undefined ? [] : [`/templates/0/template_pages/${place}/page/content_blocks/0/type ${message}`],
    );
  });
});

test('required questions of a page that is viewed are not', () => {
  const page = { completion_condition: 'view', content_blocks: [plans(required)] };
  expect(warningsOf(templateWith(page))).toEqual([
    expect.stringMatching(`${inBlock}/type .*viewing completes the page.*to confirm`),
  ]);
});

test.each([
  { completion_condition: 'open', completion_product_type: 'savings' },
  { completion_condition: 'objective', objective_id: id(1) },
  { completion_condition: null },
])('a confirmation that cannot be answered with %j', (condition) => {
  const document = templateWith({ content_blocks: [{ type: 'confirm', data: { text: 'Done' } }], ...condition });
  expect(warningsOf(document)).toEqual([
    `${inBlock}/type cannot be answered here: set the \`completion_condition\` of the page to confirm, or move the block to such a page`,
  ]);
});

const linkTo = (url: string) => button({ text: 'A', url });
const reach = (support: object) => template({ support_owner_options: support });
const channel = (palette: object) => ({ engagement_channels: [{ name: 'Home', theme_styles: { palette } }] });

describe('a link that does not work is a warning:', () => {
  const urls = [
    ...['https://https://a.example', 'https://bank/rates', 'https://a..example', 'https://...', 'https://a,example'],
    ...['https://a .example', 'https://', 'mailto:a@bank', 'mailto:a b@bank.example', 'mailto:', 'mailto:?subject=Hi'],
    ...['mailto:help@localhost', 'tel:1-800-FLOWERS', 'tel:5', 'tel:', 'tel:our-branch'],
  ];
  test.each(urls)('%s', (url) => {
    const found = warningsOf(linkTo(url));
    expect(new Set(found.map((each) => each.split(' ')[0]))).toEqual(new Set([`${inBlock}/data/url`]));
    expect(found[0]).toMatch(/does not work|cannot be a link/);
  });

  test.each([
    ...['https://localhost/a', 'http://LOCALHOST:3000', 'https://app.localhost/', 'https://intranet.local/x'],
    ...['http://127.0.0.1:3000', 'https://10.1.2.3/', 'https://172.31.0.1/', 'https://192.168.1.1/a'],
    ...['https://0x7f.1/', 'http://[::1]/', 'https://[fd00::1]/', 'https://100.64.0.1/', 'https://169.254.169.254/x'],
  ])('%s, whose host people cannot reach', (url) => {
    expect(warningsOf(linkTo(url))).toEqual([expect.stringMatching(/does not work.*which people cannot reach/)]);
  });

  warns(
    inBlock,
    [
      ['two phone numbers', 'tel:+1 555 010 0142 / +1 555 010 0143', '/data/url', /write one number/],
      ['a text after the URL of the journey', '{{journey_url}}/a', '/data/url', /write `\{\{journey_url\}\}` alone/],
    ],
    linkTo,
  );
});

describe('a way to reach the institution that does not work is a warning:', () => {
  warns(
    '/templates/0/support_owner_options',
    [
      ['an email that is none', { email: 'help' }, '/email', /not an email address/],
      ['an email with mailto', { email: 'mailto:a@a.example' }, '/email', /without `mailto:`/],
      ['an email with a name', { email: 'A <a@a.example>' }, '/email', /without a name/],
      ['an email with a comma', { email: 'a@a,example' }, '/email', /the address alone/],
      ['a phone that is no number', { phone: 'call us' }, '/phone', /not a phone number/],
      ['a phone with letters', { phone: '1-800-BANK' }, '/phone', /digits without letters/],
      ['two phone numbers', { phone: '555-010-0142 / 555-010-0143' }, '/phone', /write one number/],
      ['two phone numbers with a comma', { phone: '12345, 12346' }, '/phone', /write one number/],
    ],
    reach,
  );
});

describe('a color of a channel that cannot be read is a warning:', () => {
  warns(
    '/engagement_channels/0/theme_styles/palette',
    [
      ['by day', { text: '#eeeeee' }, '/text', /cannot be read on #ffffff/],
      ['in the dark', { dark: { text: '#111111' } }, '/dark/text', /cannot be read on #191f27/],
    ],
    channel,
  );
});

describe('a document of its own for a language', () => {
  const terms = 'https://a.example/terms.pdf';
  const document = { type: 'document_link', data: { documentLinkText: 'T', documentLinkUrl: terms } };
  test.each([
    ['https://a.example/terms-es.pdf', []],
    ['https://localhost/terms-es.pdf', [expect.stringMatching(/^\/templates\/0\/translations\/es\/.* link/)]],
  ])('is a link: %s', (url, warnings) => {
    const page = { completion_condition: null, content_blocks: [document] };
    const translations = { es: { T: 'U', [terms]: url } };
    expect(warningsOf(templateWith(page, { translations }))).toEqual(warnings);
  });
});

describe('none is a warning:', () => {
  const question = { type: 'survey', data: { questions: [{ text: 'Q', key: 'a' }] } };
  warnsNot([
    ...[
      ...['https://8.8.8.8/a', 'https://[2001:db8::1]:8443/', 'https://11.0.0.1/', 'https://local.example/'],
      ...['https://a.example/a,b?c=1;2#d', 'https://{{meta_public.host}}/a', 'https://a.example/{{ meta_public.id }}'],
      ...['mailto:a@a.example,b@a.example?subject=A%20B', 'mailto:{{meta_public.adviser}}@a.example'],
      ...['mailto:{{meta_public.email}}', 'tel:+1 (555) 010-0199;ext=5', 'tel:{{meta_public.phone}}', 'tel:911'],
    ].map((url): [string, object] => [url, linkTo(url)]),
    ['{{journey_url}}', templateWith({ completion_condition: 'view', cta: { text: 'A', url: '{{journey_url}}' } })],
    ['ways to reach', reach({ phone: '+1 (555) 010-0199', email: 'help@bank.example' })],
    ['a phone number with a slash', reach({ phone: '089 / 123456-7' })],
    ['no dark colors of a channel', channel({ dark: false })],
    ['a light button', template({ theme: { palette: { primary: '#1f4e79', dark: { primary: '#9fd0ff' } } } })],
    [
      'the key of a question',
      templateWith(
        { completion_condition: 'confirm', content_blocks: [question] },
        { translations: { es: { Q: 'P' } } },
      ),
    ],
  ]);
});

describe('a placeholder that is not filled in is a warning:', () => {
  const inContainer = `${inPage}/content_containers/0/content_blocks/0/data/body`;
  const text = (body: string) => ({ content_blocks: [{ type: 'text', data: { body } }] });
  warns(
    inBlock,
    [
      ['an unknown name', '{{firstname}}', '/data/body', /did you mean `\{\{name_first\}\}`/],
      ['letters in another order', '{{ name_frist }}', '/data/body', /name_first/],
      ['a field of an account', '{{account.balanc}}', '/data/body', /account\.balance/],
    ],
    (body) => templateWith(text(body)),
  );
  const everybody = { engagement_channels: [{ default_content: text('{{name_first}}') }] };
  const proved = container(text('{{name_first}}'), { is_auth_required: true });
  const reach = template({ support_owner_options: { text: '{{name_first}}' } });
  warns('', [
    ['in a URL', button({ text: 'A', url: 'https://a.example?n={{name_first}}' }), `${inBlock}/data/url`, /in a URL/],
    ['in a title', templateWith({ navigation_title: '{{name_first}}' }), `${inPage}/navigation_title`, /not filled in/],
    ['in a way to reach', reach, '/templates/0/support_owner_options/text', /not filled in here/],
    ['a person where a proof is needed', proved, inContainer, /is_auth_required/],
    ['a private value in a channel', container(text('{{birthdate}}')), inContainer, /cannot be proved/],
    [
      'a person in the default content',
      everybody,
      '/engagement_channels/0/default_content/content_blocks/0/data/body',
      /everybody/,
    ],
  ]);

  test.each([
    '{{name_first}}',
    '{{contact.city}}',
    '{{meta_public.a.b}}',
    '{{account.product.name}}',
    '{{home}}',
    '{{team.name}}',
  ])('%s is none', (body) => {
    const [{ template_pages }] = templateWith(text(body)).templates as [{ template_pages: object[] }];
    const variables = body === '{{home}}' ? { home: 'journey_url' } : {};
    expect(
      warningsOf({ templates: [{ template_pages: [{ ...template_pages[0], content_variables: variables }] }] }),
    ).toEqual([]);
  });
});

test('a name without a value says that its fallback is always shown', () => {
  const document = templateWith({ content_blocks: [{ type: 'text', data: { body: 'Hello, {{firstname|friend}}!' } }] });
  expect(warningsOf(document)).toEqual([
    expect.stringMatching(/always shows its fallback: did you mean `\{\{name_first\}\}`/),
  ]);
});

test('several blocks that ask on a page are named, because the first answer completes it', () => {
  const signature = {
    type: 'signature',
    data: { heading: 'Your contract', agreementText: 'I sign.', signatureBoxText: 'Name' },
  };
  const page = (condition: string) =>
    templateWith({ completion_condition: condition, content_blocks: [agreement, signature] });
  expect(warningsOf(page('confirm'))).toEqual([
    `${inPage}/content_blocks has 2 blocks that ask: \`agreement\` "I agree.", \`signature\` "Your contract". The first answer completes the page, and the others can stay open. Put each on a page of its own`,
  ]);
  const link = { type: 'button', data: { text: 'A', url: 'https://a.example' } };
  const acted = (...content_blocks: object[]) => templateWith({ completion_condition: 'action', content_blocks });
  expect(warningsOf(acted(agreement, link))).toHaveLength(1);
  expect(warningsOf(acted(link, link))).toEqual([]);
});

test('a color of texts that cannot be read is named with the one that is shown, and a brand has any color', () => {
  const palette = { primary: '#ffff00', surface: '#ffffff', text: '#eeeeee', dark: { text: '#222222' } };
  const theme = { theme: { palette: { text: '#111111' } }, theme_overrides: { palette } };
  expect(warningsOf(template(theme))).toEqual([
    '/templates/0/theme_overrides/palette/text cannot be read on #ffffff: #6f747a is shown in its place',
    expect.stringMatching(/palette\/dark\/text cannot be read on #\w+: #\w+ is shown in its place$/),
  ]);
  for (const primary of ['#ffff00', '#f26b38', '#ffffff', '#000000', '#808080']) {
    const brand = { primary, secondary: primary, background: primary };
    expect(warningsOf(template({ theme: { palette: { ...brand, dark: { primary } } } }))).toEqual([]);
  }
});

test('a term with a placeholder needs a fallback, or it is not shown', () => {
  const terms = (value: string) => warningsOf(block('card', { heading: 'H', terms: [{ label: 'Rate', value }] }));
  expect(terms('{{meta_public.rate}}')).toEqual([expect.stringMatching(/its term is not shown where it is unset/)]);
  expect(terms('{{meta_public.rate|on request}}')).toEqual([]);
});

test('a campaign with a proof of identity needs a way to reach the institution', () => {
  const value = (fields: object) => ({
    templates: [{ template_pages: [{ page: { completion_condition: 'view' } }], ...fields }],
  });
  const found = (fields: object) =>
    contentWarnings(value(fields) as never, readDocument(value(fields) as never).document!)
      .filter(({ message }) => message.includes('say how people reach you'))
      .map(({ path }) => path);
  expect(found({ is_auth_required: true })).toEqual(['/templates/0/support_owner_options']);
  expect(found({ content_blocks: [{ type: 'text', data: { body: '{{birthdate}}' } }] })).toHaveLength(1);
  expect(found({ is_auth_required: true, support_owner_options: { phone: '+1 555 010 0199' } })).toEqual([]);
  expect(found({})).toEqual([]);
});

test('a translation names the placeholder that it lacks', () => {
  const found = warningsOf(
    templateWith(
      { completion_condition: 'view' },
      { ending: { body: 'Hi {{name_first}}' }, translations: { es: { 'Hi {{name_first}}': 'Hola {{name}}' } } },
    ),
  );
  expect(found.map((each) => each.slice(each.indexOf('}} ') + 3))).toEqual([
    'has a translation without the placeholder `{{name_first}}`',
    'has a translation with another placeholder, `{{name}}`',
  ]);
});

test.each([
  ['Todo est\ufffd', {}, /^has a translation with the character \ufffd/],
  [
    'Todo está',
    { translated_from: { es: { 'All set': 'Ready' } } },
    /^has a translation of the earlier text "Ready": .* `content export`.* column `es translated from`/,
  ],
])('a translation %j is a warning at its place', (translation, more, message) => {
  const template = { ending: { body: 'All set' }, translations: { es: { 'All set': translation } }, ...more };
  const [found, ...others] = warningsOf(templateWith({ completion_condition: 'view' }, template));
  const place = '/templates/0/translations/es/All set ';
  expect([others, found?.slice(0, place.length)]).toEqual([[], place]);
  expect(found?.slice(place.length)).toMatch(message);
});

const text = (body: string) => ({ type: 'text', data: { body } });
const page = (content_variables: object | null, ...blocks: object[]) => ({
  content_variables,
  page: { content_blocks: blocks },
});
const titled = (each: { page?: object }, index: number) =>
  each.page ? { ...each, page: { navigation_title: `Step ${index + 1}`, ...each.page } } : each;
const pages = (...template_pages: object[]) => ({ templates: [{ template_pages: template_pages.map(titled) }] });
const lasting = (journey_duration_hours: number) =>
  templateWith({ content_blocks: [text('A')] }, { journey_duration_hours });
const inContainer = { content_blocks: [text('A')] };

describe('a setting that has no effect is a warning:', () => {
  warns(
    '/templates/0',
    [
      ['a duration of nothing', 0, '/journey_duration_hours', /when it begins/],
      ['hours that are probably days', 30, '/journey_duration_hours', /write hours, such as 720 for 30 days/],
      ['a duration below nothing', -1, '/journey_duration_hours', /ends every journey when it begins/],
    ],
    lasting,
  );
  const draft = { page: { is_live: false } };
  const archived = { page: { is_archived: true } };
  warns('/templates/0', [
    ['a draft alone', templateWith({ content_block_status: 'draft' }), '/template_pages', /no page that is shown/],
    ['pages that are all hidden', pages(draft, archived), '/template_pages', /no page that is shown/],
    [
      'a variable of another page',
      pages(page({ rate: '5 %' }, text('{{rate}}')), page(null, text('{{rate}}'))),
      '/template_pages/1/page/content_blocks/0/data/body',
      /has no value/,
    ],
    [
      'content for channels of a campaign that is not live',
      container(inContainer, { status: null }),
      '/status',
      /is not "live", so no channel shows the `content_containers`/,
    ],
    [
      'content for channels that are off',
      container(inContainer, { is_cce_enabled: false }),
      '/is_cce_enabled',
      /is not true, so no channel/,
    ],
  ]);
  warns(
    '/templates/0',
    [
      ['the name of a language', { translations: { spanish: {} } }, '/translations/spanish', /not the code of a l/],
      ['the name of a language in itself', { language: 'deutsch' }, '/language', /such as en, es/],
      ['what is no language', { translations: { xyzzy: {} } }, '/translations/xyzzy', /not the code of a language/],
    ],
    template,
  );
  const like = pages(page({ rate: '5 %' }, text('{{rate}} {{rates}}')));
  warns(inBlock, [['a name like that of a variable', like, '/data/body', /did you mean `\{\{rate\}\}`/]]);
});

describe('none is a warning:', () => {
  const stored = { page_id: id(5) };
  const values = { a: 'A', b: 1, c: null, d: true, e: '' };
  warnsNot([
    ['an ending after a stored page', { templates: [{ ending: { heading: 'Done' }, template_pages: [stored] }] }],
    ['a duration of two days', lasting(48)],
    ['a campaign in the archive', { templates: [{ archived_at: '2020-01-01', template_pages: [] }] }],
    ['a draft', templateWith({ content_block_status: 'draft' }, { status: 'draft' })],
    ['a muted campaign with content for channels', container(inContainer, { is_muted: true, is_cce_enabled: false })],
    ['content for a channel of a live campaign', container(inContainer, inChannels)],
    ['one draft of two pages', pages({ page: { content_block_status: 'draft' } }, { page: {} })],
    ['a draft beside a stored page', pages({ page: { content_block_status: 'draft' } }, stored)],
    [
      'variables of texts, numbers and, on one of two pages, nothing',
      pages(page(values, text('{{a}}{{b}}{{c}}{{d}}{{e}}')), page({ c: 'C', e: 'E' })),
    ],
    ['a variable that another page uses', pages(page({ a: 'A' }), page({ a: 'A' }, text('{{a}}')))],
    ['a variable with the name of a placeholder', pages(page({ who: 'name_first' }, text('{{who}}')))],
    ['a variable of the footer', { templates: [{ template_pages: [page({ a: 'A' })], footer_content: '{{a}}' }] }],
    ['a variable of a stored page', pages({ ...stored, content_variables: { a: 'A' } })],
    ['a language and a region', template({ translations: { es: {}, 'es-MX': {} } })],
    ['a long text that is no label', block('agreement', { agreementText: 'a'.repeat(50) })],
  ]);
});

const withCss = (css: string, customClass?: string) => ({
  templates: [
    { css, template_pages: [{ page: { content_blocks: [{ type: 'text', data: { body: 'A', customClass } }] } }] },
  ],
});

describe('CSS that a page leaves out is a warning:', () => {
  warns(
    '/templates/0',
    [
      ['a comment without an end', 'p { margin: 0 } /* later p { top: 0 }', '/css', /leaves out.*later/],
      ['a missing semicolon', 'p { color: red padding: 0 }', '/css', /a part that a page leaves out/],
      ['a missing colon', 'p { color red }', '/css', /a part that a page leaves out/],
      ['a long rule', 'p {\n  position red;\n}', '/css', /leaves out: `[^`\n]*position red/],
    ],
    withCss,
  );
});

describe('none is a warning:', () => {
  const dark = '@media (prefers-color-scheme: dark) { p { color: #fff } }';
  const stored = { page_id: id(5) };
  warnsNot([
    ['classes', withCss('.hero.is-big, .--x { margin: 0 }', ' hero  is-big --x ')],
    ['selectors', withCss('.hero > p, .card .button:hover, #b1 h2, :root, [lang], :not(.x) p { margin: 0 }', 'hero')],
    ['steps of an animation', withCss('@keyframes a { from { top: 0 } 50% { top: 1px } } p { animation: a 1s }')],
    ['sizes', templateWith({ styles: { sm: { margin: 0 }, 'h2, .grid': { margin: 0 } } })],
    ['a class of a stored page', { templates: [{ css: '.hero { margin: 0 }', template_pages: [stored] }] }],
    ['dark rules', { templates: [{ ...withCss(dark).templates[0], theme: { palette: { dark: {} } } }] }],
    ['comments about colors', withCss('/* the brand color, prefers-color-scheme: dark */ p { margin: 0 } /**/')],
    ['fonts', template({ theme: { typography: { heading: 'Lora, Georgia', body: 'system-ui' } } })],
  ]);
});

/** Contract, section 15: faults of messages are named by `content check`. */
describe('a message', () => {
  const at = '/templates/0/template_messages/0';
  const toPage = { type: 'button', data: { text: 'Go', url: '{{page_url}}' } };
  const messageWith = (message: object, timing: object = { send_offset_hours: 1 }, template: object = {}) => ({
    templates: [
      {
        template_pages: [{ page: {} }],
        ...template,
        template_messages: [
          { ...timing, message: { type: 'email', payload: { subject: 'Hi' }, content_blocks: [toPage], ...message } },
        ],
      },
    ],
  });
  const text = (body: string) => ({ content_blocks: [toPage, { type: 'text', data: { body } }] });
  describe('is warned of', () => {
    warns(at, [
      ['without a time', messageWith({}, { send_at: '09:00' }), '', /never due/],
      [
        'after the end of journeys',
        messageWith({}, { send_offset_hours: 720 }, { journey_duration_hours: 720 }),
        '/send_offset_hours',
        /never sent, because journeys end after 720 hours/,
      ],
      ['of type sms', messageWith({ type: 'sms', payload: null }), '/message/type', /not sent yet/],
      ['without a subject', messageWith({ payload: { preview_text: 'Hi' } }), '/message/payload', /no `subject`/],
      ['with an empty subject', messageWith({ payload: { subject: ' ' } }), '/message/payload', /no `subject`/],
      ['without a link', messageWith({ content_blocks: [] }), '/message/content_blocks', /no link/],
      [
        'with a name that can be unset',
        messageWith(text('Hi {{name_first}}')),
        '/message/content_blocks/1/data/body',
        /\{\{name_first\}\}`, which is empty where it is unset/,
      ],
      [
        'with a private value',
        messageWith(text('{{birthdate|unknown}}')),
        '/message/content_blocks/1/data/body',
        /nothing private/,
      ],
      [
        'with an unknown placeholder in its subject',
        messageWith({ payload: { subject: '{{nothing|Hi}}' } }),
        '/message/payload/subject',
        /no value/,
      ],
    ]);
  });
  describe('is not warned of', () => {
    warnsNot([
      [
        'that is complete',
        messageWith(text('Hi {{name_first|there}}, {{open_steps}} steps of {{team.name}}: {{journey_url}}')),
      ],
      [
        'whose only link is a text',
        messageWith({ content_blocks: [{ type: 'text', data: { body: 'https://x.example' } }] }),
      ],
      ['that asks, which leads to the page', messageWith({ content_blocks: [agreement] })],
      ['that is archived', messageWith({ type: 'sms', is_archived: true }, {})],
    ]);
  });

  const sent = { senders: ['welcome@a.example'], postal_address: '1 Main Street' };
  const read = (document: object) => readDocument(document as JsonValue).document!;
  test.each<
    [what: string, document: object, team: Partial<typeof sent> | { postal_address: null }, messages: RegExp[]]
  >([
    ['sends', messageWith({}), {}, []],
    ['without a sender', messageWith({}), { senders: [] }, [/no sender/]],
    ['with domains as senders', messageWith({}), { senders: ['@bank.example'] }, [/email_sender_address/]],
    ['with an address beside a domain', messageWith({}), { senders: ['@bank.example', 'a@bank.example'] }, []],
    ['without a postal address', messageWith({}), { postal_address: null }, [/no postal address/]],
    [
      'without a postal address, if it is transactional',
      messageWith({ is_transactional: true }),
      { postal_address: null },
      [],
    ],
    ['without a sender, if it is never due', messageWith({}, {}), { senders: [] }, []],
  ])('of a team %s', (_, document, team, messages) => {
    const found = senderWarnings(read(document), { ...sent, ...team });
    expect(found.map(({ path }) => path)).toEqual(messages.map(() => '/templates/0/template_messages'));
    for (const [index, message] of messages.entries()) expect(found[index]?.message).toMatch(message);
  });

  test.each<[offsets: number[], isTransactional: boolean, most: number, count: number | undefined]>([
    [[0, 24, 48], false, 3, undefined],
    [[0, 24, 48, 167], false, 3, 4],
    [[0, 24, 48, 168], false, 3, undefined],
    [[0, 24, 48, 72], true, 3, undefined],
    [[0, 24], false, 1, 2],
  ])('with offsets of %j hours can exceed the cap of a week by itself', (offsets, is_transactional, most, count) => {
    const template_messages = offsets.map((send_offset_hours) => ({
      send_offset_hours,
      message: { is_transactional },
    }));
    const found = capWarnings(read({ templates: [{ template_messages }] }), { max_messages_a_week: most });
    expect(found.map(({ message }) => Number(/\d+/.exec(message)?.[0]))).toEqual(count === undefined ? [] : [count]);
  });
});
