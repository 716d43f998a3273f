import { describe, expect, test } from 'vitest';
import { templateWith } from '../../support/samples/content-documents.ts';
import { button, inBlock, template, warningsOf, warns, warnsNot } from '../../support/samples/content-warnings.ts';

const link = (url: string) => button({ text: 'A', url });
const reach = (support: object) => template({ support_owner_options: support });
const channel = (palette: object) => ({ engagement_channels: [{ name: 'Home', theme_styles: { palette } }] });

describe('a link that does not work is a warning:', () => {
  const urls = [
    ...['https://https://a.example', 'https://bank/rates', 'https://a..example', 'https://...', 'https://a,example'],
    ...['https://a .example', 'https://', 'mailto:a@bank', 'mailto:a b@bank.example', 'mailto:', 'mailto:?subject=Hi'],
    ...['mailto:help@localhost', 'tel:1-800-FLOWERS', 'tel:5', 'tel:', 'tel:our-branch'],
  ];
  test.each(urls)('%s', (url) => {
    const found = warningsOf(link(url));
    expect(new Set(found.map((each) => each.split(' ')[0]))).toEqual(new Set([`${inBlock}/data/url`]));
    expect(found[0]).toMatch(/does not work|cannot be a link/);
  });

  test.each([
    ...['https://localhost/a', 'http://LOCALHOST:3000', 'https://app.localhost/', 'https://intranet.local/x'],
    ...['http://127.0.0.1:3000', 'https://10.1.2.3/', 'https://172.31.0.1/', 'https://192.168.1.1/a'],
    ...['https://0x7f.1/', 'http://[::1]/', 'https://[fd00::1]/', 'https://100.64.0.1/', 'https://169.254.169.254/x'],
  ])('%s, whose host people cannot reach', (url) => {
    expect(warningsOf(link(url))).toEqual([expect.stringMatching(/does not work.*which people cannot reach/)]);
  });

  warns(
    inBlock,
    [
      ['two phone numbers', 'tel:+1 555 010 0142 / +1 555 010 0143', '/data/url', /write one number/],
      ['a text after the URL of the journey', '{{journey_url}}/a', '/data/url', /write `\{\{journey_url\}\}` alone/],
    ],
    link,
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
    ].map((url): [string, object] => [url, link(url)]),
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
