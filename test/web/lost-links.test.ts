import { describe, expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { block, button, inBlock, template, warningsOf } from '../support/content-warnings.ts';

const link = (url: string) => button({ text: 'A', url });
const url = `${inBlock}/data/url`;
const reach = (support: object) => template({ support_owner_options: support });
const [phone, email] = ['phone', 'email'].map((name) => `/templates/0/support_owner_options/${name}`) as [
  string,
  string,
];
const channel = (palette: object) => ({ engagement_channels: [{ name: 'Home', theme_styles: { palette } }] });
const withCss = (css: string) => templateWith({ content_blocks: [{ type: 'text', data: { body: 'A' } }] }, { css });

describe('a link or a style that does not work is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    ['a scheme twice', link('https://https://a.example'), url, /does not work|cannot be a link/],
    ['a host without a dot', link('https://bank/rates'), url, /does not work|cannot be a link/],
    ['two dots', link('https://a..example'), url, /does not work|cannot be a link/],
    ['only dots', link('https://...'), url, /does not work|cannot be a link/],
    ['a comma', link('https://a,example'), url, /does not work|cannot be a link/],
    ['a space in the host', link('https://a .example'), url, /does not work|cannot be a link/],
    ['no host', link('https://'), url, /does not work|cannot be a link/],
    ['two phone numbers in a link', link('tel:+1 555 010 0142 / +1 555 010 0143'), url, /write one number/],
    ['an email address without a dot', link('mailto:a@bank'), url, /does not work|cannot be a link/],
    ['an email address with a space', link('mailto:a b@bank.example'), url, /does not work|cannot be a link/],
    ['a phone number with letters', link('tel:1-800-FLOWERS'), url, /does not work|cannot be a link/],
    ['a short phone number', link('tel:5'), url, /does not work|cannot be a link/],
    [
      'a text after the URL of the journey',
      link('{{journey_url}}/documents'),
      url,
      /write `\{\{journey_url\}\}` alone/,
    ],
    ['an email with mailto', reach({ email: 'mailto:a@a.example' }), email, /without `mailto:`/],
    ['an email with a name', reach({ email: 'A <a@a.example>' }), email, /without a name/],
    ['an email with a comma', reach({ email: 'a@a,example' }), email, /the address alone/],
    ['two phone numbers', reach({ phone: '555-010-0142 / 555-010-0143' }), phone, /write one number/],
    ['two phone numbers with a comma', reach({ phone: '12345, 12346' }), phone, /write one number/],
    [
      'dark colors of a channel',
      channel({ dark: { text: '#111111' } }),
      '/engagement_channels/0/theme_styles/palette/dark/text',
      /cannot be read on #191f27/,
    ],
    [
      'a color of a channel that cannot be read',
      channel({ text: '#eeeeee' }),
      '/engagement_channels/0/theme_styles/palette/text',
      /cannot be read on #ffffff/,
    ],
    [
      'a missing semicolon',
      withCss('p { color: red padding: 0 }'),
      '/templates/0/css',
      /a part that a page leaves out/,
    ],
    ['a missing colon', withCss('p { color red }'), '/templates/0/css', /a part that a page leaves out/],
    ['a long rule', withCss('p {\n  position red;\n}'), '/templates/0/css', /leaves out: `[^`\n]*position red/],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(new Set(found.map((each) => each.split(' ')[0]))).toEqual(new Set([path]));
    expect(found[0]).toMatch(message);
  });
});

describe('a host that people cannot reach is a warning:', () => {
  test.each([
    ...['https://localhost/a', 'http://LOCALHOST:3000', 'https://app.localhost/', 'https://intranet.local/x'],
    ...[
      'http://127.0.0.1:3000',
      'https://10.1.2.3/',
      'https://172.31.0.1/',
      'https://192.168.1.1/a',
      'https://0x7f.1/',
    ],
    ...['http://[::1]/', 'https://[fd00::1]/', 'https://100.64.0.1/', 'https://169.254.169.254/latest'],
  ])('%s', (url) => {
    expect(warningsOf(link(url))).toEqual([expect.stringMatching(/does not work.*which people cannot reach/)]);
  });

  test.each(['https://bank/a', 'https://intranet', 'mailto:help@localhost'])('%s has no dot', (url) => {
    expect(warningsOf(link(url))).toEqual([expect.stringMatching(/does not work/)]);
  });
});

describe('a document of its own for a language', () => {
  const terms = 'https://a.example/terms.pdf';
  const document = (url: string) =>
    templateWith(
      {
        completion_condition: null,
        content_blocks: [{ type: 'document_link', data: { documentLinkText: 'T', documentLinkUrl: terms } }],
      },
      { translations: { es: { T: 'U', [terms]: url } } },
    );

  test('is none', () => {
    expect(warningsOf(document('https://a.example/terms-es.pdf'))).toEqual([]);
  });

  test.each(['terms-es.pdf', 'https://localhost/terms-es.pdf'])('is one if it cannot be a link: %s', (url) => {
    expect(warningsOf(document(url))).toEqual([expect.stringMatching(/^\/templates\/0\/translations\/es\/.* link/)]);
  });
});

describe('none is a warning:', () => {
  const cases: [what: string, document: object][] = [
    ...[
      'https://8.8.8.8/a',
      'https://[2001:db8::1]:8443/',
      'https://11.0.0.1/',
      'https://local.example/',
      'https://a.example/a,b?c=1;2#d',
      'https://{{meta_public.host}}/a',
      'https://a.example/{{ meta_public.id }}',
      'mailto:a@a.example,b@a.example?subject=A%20B',
      'mailto:{{meta_public.adviser}}@a.example',
      'tel:+1 (555) 010-0199;ext=5',
      'tel:{{meta_public.phone}}',
      'tel:911',
    ].map((each): [string, object] => [each, link(each)]),
    ['{{journey_url}}', templateWith({ completion_condition: 'view', cta: { text: 'A', url: '{{journey_url}}' } })],
    ['a phone number with a slash', reach({ phone: '089 / 123456-7' })],
    ['no dark colors of a channel', channel({ dark: false })],
    [
      'a light button on a dark page',
      template({ theme: { palette: { primary: '#1f4e79', dark: { primary: '#9fd0ff' } } } }),
    ],
    [
      'the key of a question',
      templateWith(
        {
          completion_condition: 'confirm',
          content_blocks: [{ type: 'survey', data: { questions: [{ text: 'Q', key: 'a' }] } }],
        },
        { translations: { es: { Q: 'P' } } },
      ),
    ],
    [
      'a variable with the name of a placeholder',
      {
        templates: [
          {
            translations: { es: { '{{who}}': '{{who}}' } },
            template_pages: [
              {
                content_variables: { who: 'name_first' },
                page: { content_blocks: [{ type: 'text', data: { body: '{{who}}' } }] },
              },
            ],
          },
        ],
      },
    ],
  ];
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });

  test('dark colors that cannot be read are', () => {
    const found = warningsOf(template({ theme: { palette: { dark: { text: '#111111' } } } }));
    expect(found.join()).toMatch(/cannot be read on/);
    expect(warningsOf(block('text', { body: 'A' }, { completion_condition: null }))).toEqual([]);
  });
});
