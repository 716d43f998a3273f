import { caniemail } from 'caniemail';
import { describe, expect, test } from 'vitest';
import { type BlockKind, blockKinds } from '../../../lib/domain/campaigns/block-types.ts';
import type { LinkedAccount } from '../../../lib/domain/journeys/linked-account.ts';
import { colorOf, contrast } from '../../../lib/web/css/color.ts';
import { email, type GivenEmail, id, rendering, unsubscribeUrl } from '../../support/samples/email.ts';

/** Messages as email (contract, section 15, "Content"). */

const pageUrl = `https://bank.example/j/slug?page=${id(41)}`;
const file = id(77);

/** For each kind of block: its data, what its text says in this order, and what else its HTML has. */
const kinds: Record<BlockKind | 'unknown', [data: object, text: string, html?: string[]]> = {
  heading: [{ heading: 'Hello', body: 'One\n\nTwo' }, 'Hello\n\nOne\n\nTwo', ['<h1 ', '>Two</p>']],
  text: [
    { heading: 'Terms', body: 'As of today', terms: [{ label: 'Rate', value: '3.2 %' }] },
    'Terms\n\nAs of today\n\nRate: 3.2 %',
    ['Rate', '3.2 %'],
  ],
  card: [{ heading: 'Card', body: 'In it' }, 'Card\n\nIn it'],
  image: [
    { file_id: file, altText: 'A house', caption: 'Our branch' },
    '[A house]\n\nOur branch',
    [`<img src="https://bank.example/files/${file}" alt="A house"`],
  ],
  divider: [{}, '----------', ['<hr ']],
  call: [{ text: 'Begin', url: '{{page_url}}' }, `Begin\n${pageUrl}`, [`href="${pageUrl}"`]],
  document: [
    { heading: 'To read', documentLinkText: 'Prices', documentLinkUrl: 'https://bank.example/prices.pdf' },
    'To read\n\nPrices\nhttps://bank.example/prices.pdf',
    ['href="https://bank.example/prices.pdf"'],
  ],
  agreement: [
    { heading: 'Agree', agreementText: 'I agree', signatureBoxText: 'Name' },
    `Agree\n\nI agree\n\nContinue on your page\n${pageUrl}`,
    [`href="${pageUrl}"`],
  ],
  confirmation: [{ body: 'Is it so?', text: 'It is' }, `Is it so?\n\nIt is\n${pageUrl}`, [`href="${pageUrl}"`]],
  survey: [
    { heading: 'Tell us', questions: ['How was it?', { text: 'And why?' }] },
    `Tell us\n\nHow was it?\n\nAnd why?\n\nContinue on your page\n${pageUrl}`,
    [`href="${pageUrl}"`],
  ],
  unknown: [{ heading: 'Strange', body: 'But shown' }, 'Strange\n\nBut shown'],
};
const typeOf = (kind: string) => (kind in blockKinds ? blockKinds[kind as BlockKind].types[0] : 'strange');
const everyBlock = Object.entries(kinds).map(([kind, [data]]) => ({ type: typeOf(kind), data }));

describe('each type of block', () => {
  test.each(Object.entries(kinds))('%s is shown as HTML and as text', (kind, [data, text, parts = []]) => {
    const { html, text: plain } = email({ blocks: [{ type: typeOf(kind), data }] });
    expect(plain.split('\n\n-- \n\n')[0]).toBe(text);
    for (const line of text.split('\n').filter((each) => !/^(?:----|\[|$)/.test(each) && !each.includes(': ')))
      expect(html).toContain(line.startsWith('http') ? `href="${line}"` : line);
    for (const part of parts) expect(html).toContain(part);
    expect(html).not.toMatch(/<(?:form|input|textarea|select|button|script|link|iframe)\b/);
  });

  test('blocks are in their order, and the first heading is the title', () => {
    const blocks = [
      { type: 'heading', order: 2, data: { heading: 'Second' } },
      { type: 'heading', order: 1, data: { heading: 'First' } },
    ];
    const { html, text } = email({ blocks });
    expect(text).toMatch(/^First\n\nSecond/);
    expect(html).toMatch(/<h1 [^>]*>First<\/h1>[\s\S]*<h2 [^>]*>Second<\/h2>/);
  });

  test('what cannot be in a message is its text: an image that is data, a link to nowhere', () => {
    const { html, text } = email({
      blocks: [
        { type: 'image', data: { src: 'data:image/png;base64,AAAA', altText: 'A chart' } },
        { type: 'button', data: { text: 'Run', url: 'javascript:alert(1)' } },
      ],
    });
    expect(text).toContain('A chart');
    expect(html).toContain('A chart');
    expect(html).not.toMatch(/data:|javascript:|Run</);
  });
});

describe('the foot says whose the message is, why the person gets it, and the way out', () => {
  const postal = ['Bank of Rivers', '1 Main Street', 'Riverton'];

  test('of a marketing message', () => {
    const { html, text, headers } = email();
    for (const part of [...postal, 'You get this email because you agreed', unsubscribeUrl, 'Unsubscribe']) {
      expect(text.split('\n-- \n')[1]).toContain(part);
      expect(html).toContain(part);
    }
    expect(headers).toEqual({
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  test('of a transactional one, from which nobody can unsubscribe', () => {
    const { html, text, headers } = email({ message: { is_transactional: true } });
    for (const part of [...postal, 'because it is about something that you have']) expect(text).toContain(part);
    expect(html + text).not.toContain(unsubscribeUrl);
    expect(headers).toEqual({});
  });
});

describe('the words are in the language of the message', () => {
  const translations = { de: { Welcome: 'Willkommen', 'Begin now': 'Jetzt beginnen', Soon: 'Bald' } };
  const given: GivenEmail = {
    template: { language: 'en', translations },
    payload: { preview_text: 'Soon' },
    blocks: [{ type: 'button', data: { text: 'Begin now', url: '{{journey_url}}' } }],
  };

  test('that of the contact, if the campaign has it', () => {
    const { subject, html, text } = email({ ...given, contact: { meta_public: { language: 'de' } } });
    expect(subject).toBe('Willkommen');
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(text).toContain('Jetzt beginnen');
    expect(html).toContain('>Bald</div>');
    expect(text).toContain('Sie erhalten diese E-Mail');
  });

  test('else that of the campaign', () => {
    const { subject, html } = email({ ...given, contact: { meta_public: { language: 'fr' } } });
    expect(subject).toBe('Welcome');
    expect(html).toContain('<html lang="en" dir="ltr">');
  });

  test.each(['en', 'es', 'fr', 'de', 'cs', 'ar'])('in %s nothing is left in English', (language) => {
    const { html, text } = email({ template: { language }, blocks: [{ type: 'survey', data: { questions: ['?'] } }] });
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
    if (language !== 'en') expect(text).not.toMatch(/Continue on your page|You get this|Unsubscribe/);
    expect(text).not.toMatch(/\{\w+\}|undefined/);
  });

  test('a value with the other direction is isolated in a way that mail programs know', () => {
    const body = 'مرحبا {{name_first}}';
    const { html, text } = email({
      ...{ template: { language: 'ar' }, contact: { name_first: 'Alex' } },
      blocks: [{ type: 'text', data: { body } }],
    });
    expect(html).toContain('<span dir="auto">Alex</span>');
    expect(text).toContain('مرحبا Alex');
    expect(html + text).not.toMatch(/<bdi|[\u2066-\u2069]/);
  });
});

describe('placeholders', () => {
  const inText = (body: string, more: GivenEmail = {}) =>
    email({ blocks: [{ type: 'text', data: { body } }], ...more }).text.split('\n\n-- ')[0];

  test.each<[text: string, shown: string, more?: GivenEmail]>([
    ['{{journey_url}}', 'https://bank.example/j/slug'],
    ['{{page_url}}', pageUrl],
    ['{{page_url}}', `https://bank.example/j/slug?page=${id(42)}`, { completed: [id(41)] }],
    ['{{page_url}}', `https://bank.example/j/slug?page=${id(42)}`, { templateMessage: { template_page_id: id(32) } }],
    ['{{open_steps}} to go', '2 to go'],
    ['{{open_steps}} to go', '1 to go', { completed: [id(41)] }],
    ['{{name_first|friend}}', 'friend'],
    ['{{name_first|friend}}', 'Maria', { contact: { name_first: 'Maria' } }],
    ['{{name_first}}', '{{name_last}}', { contact: { name_first: '{{name_last}}', name_last: 'No' } }],
    ['{{team.name}}: {{template.name}}', 'Bank of Rivers: Campaign'],
    ['{{when}}', 'today', { templateMessage: { content_variables: { when: 'today' } } }],
  ])('%s is %s', (body, shown, more) => {
    expect(inText(body, more)).toBe(shown);
  });

  test('a URL in a text is a link, without what follows it', () => {
    const { html } = email({ blocks: [{ type: 'text', data: { body: 'Go to {{page_url}}, please.' } }] });
    expect(html).toContain(`<a class="link" href="${pageUrl}"`);
    expect(html).toContain('</a>, please.');
  });

  test('subject and preview text are one line each, filled in and escaped', () => {
    const { subject, html } = email({
      payload: { subject: 'Hello {{name_first}}', preview_text: 'For <you>' },
      contact: { name_first: 'A\r\nBcc: all@example.com' },
    });
    expect(subject).toBe('Hello A Bcc: all@example.com');
    expect(html).toContain('For &lt;you&gt;');
    expect(email({ payload: { subject: ' ' } }).subject).toBe('Campaign');
  });
});

test('nothing private is in a message, wherever its placeholder stands', () => {
  const names = [
    ...['birthdate', 'phone_home', 'phone_mobile', 'phone_work', 'post_code', 'meta_private.plan'],
    ...['contact.meta_private.plan', 'contact.birthdate', 'account.account_number', 'account.current_balance'],
    ...['account.meta_private.plan', 'mine'],
  ];
  const secret = (name: string) => `PLANTED-${name}`;
  const all = names.map((name) => `{{${name}}}{{${name}|fallback}}`).join(' ');
  const url = `https://bank.example/?q=${names.map((name) => `{{${name}}}`).join('-')}`;
  const contact = Object.fromEntries(names.slice(0, 5).map((name) => [name, secret(name)]));
  const account = {
    ...{ account_number: secret('number'), role: secret('role'), since: '', product: { name: 'Gold' } },
    account: {
      meta_private: { plan: secret('plan') },
      meta_public: {},
      fields: { current_balance: secret('balance') },
    },
  } as unknown as LinkedAccount;
  const { values, ...mail } = email({
    ...{ contact: { ...contact, meta_private: { plan: secret('private') } }, account },
    templateMessage: { content_variables: { mine: 'meta_private.plan' } },
    payload: { subject: `S ${all}`, preview_text: all, reply_to: '{{birthdate}}@bank.example' },
    blocks: [
      ...everyBlock,
      { type: 'text', data: { heading: all, body: all, terms: [{ label: all, value: all }] } },
      { type: 'image', data: { file_id: file, altText: all, caption: all } },
      { type: 'button', data: { text: all, url } },
      { type: 'document', data: { body: all, documentLinkText: all, documentLinkUrl: url } },
      { type: 'agreement', data: { body: all, agreementText: all } },
      { type: 'survey', data: { heading: all, questions: [all], text: all } },
      { type: 'strange', data: { heading: all, body: all, agreementText: all } },
    ],
  });
  // Neither what is sent nor what is kept of it.
  expect(JSON.stringify({ mail, values })).not.toMatch(/PLANTED|fallback/);
  expect(mail.text).toContain('••• hidden until you confirm that it is you');
  expect(mail.replyTo).toBeUndefined();
});

test('the sender is that of the campaign, else of the team, and never of somebody else', () => {
  const own = { email_sender_address: 'cards@bank.example', email_sender_name: 'Cards' };
  expect(email({ template: own }).from).toEqual({ name: 'Cards', address: 'cards@bank.example' });
  expect(email().from).toEqual({ name: 'Bank of Rivers', address: 'hello@bank.example' });
  expect(rendering({ team: { senders: ['@bank.example'] } })).toEqual({ fault: 'channel_off' });
  expect(email({ payload: { reply_to: 'help@bank.example' } }).replyTo).toBe('help@bank.example');
});

describe('size', () => {
  const withBody = (length: number): GivenEmail => ({
    blocks: [{ type: 'text', data: { body: 'word '.repeat(length / 5) } }],
  });

  test('below 102 KB a message is sent', () => {
    expect(Buffer.byteLength(email(withBody(90_000)).html)).toBeLessThan(102_000);
  });

  test('above it is a fault, counted in bytes', () => {
    expect(rendering(withBody(103_000))).toEqual({ fault: 'too_large' });
    const body = 'é'.repeat(60_000);
    expect(rendering({ blocks: [{ type: 'text', data: { body } }] })).toEqual({ fault: 'too_large' });
  });
});

describe('the look', () => {
  const palette = { primary: '#ffcc00', background: '#102030', text: '#cccccc' };

  test.each([
    ['light', /class="surface" style="background-color:(#[0-9a-f]{6});color:(#[0-9a-f]{6})/],
    ['dark', /\.surface\{background-color:(#[0-9a-f]{6})!important;color:(#[0-9a-f]{6})!important/],
  ])('in %s colors, text can be read in the theme of the campaign', (_scheme, colors) => {
    const { html } = email({ template: { theme: { palette } }, blocks: everyBlock });
    const [, background, text] = colors.exec(html)!;
    expect(contrast(colorOf(text)!, colorOf(background)!)).toBeGreaterThan(4.5);
    expect(html).toContain('background-color:#ffcc00');
  });

  test('a campaign that says so stays light', () => {
    const { html } = email({ template: { theme: { palette: { ...palette, dark: false } } } });
    expect(html).not.toContain('prefers-color-scheme');
    expect(html).toContain('<meta name="color-scheme" content="light only">');
  });

  test('nothing needs a style sheet, a font or a script from elsewhere, and CSS of the campaign is left out', () => {
    const css = '.x{background:url(https://evil.example/x)}';
    const { html } = email({
      template: { css, custom_css: css, logo_file_id: file },
      message: { css },
      blocks: everyBlock,
    });
    expect(html).not.toMatch(/evil|@font-face|@import|var\(--|url\(/);
    expect(html).toContain(`<img src="https://bank.example/files/${file}" alt="Bank of Rivers"`);
  });

  /** What some programs leave out, and what the reader then has. */
  const withoutHarm = {
    '@media': 'the light colors',
    '<style> element': 'the light colors',
    '<body> element': 'the color of the tables',
    'border-radius': 'square corners',
    'display:none': 'the preview text above the message',
    overflow: 'the preview text above the message',
    'table-layout': 'a wider table, if a word is longer than a line',
    'word-break': 'a wider table, if a word is longer than a line',
    'role attribute': 'the roles of the elements',
    'lang attribute': 'the language of the message as a whole',
    'width attribute': 'the width from the style',
    'text-decoration': 'a line under links, or none',
    'height property': 'the height from the attribute',
  };

  test('mail programs know the HTML and the CSS of all blocks', () => {
    const marked = { type: 'text', data: { body: '**Now** [here](https://bank.example)\n\n- one' } };
    const { html } = email({ template: { logo_file_id: file }, blocks: [...everyBlock, marked] });
    const { issues } = caniemail({
      clients: ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*', 'aol.*', 'samsung-email.*', 'protonmail.*'],
      html,
    });
    const unknown = new Set([...issues.errors.values()].flat().map(({ title }) => title));
    expect([...unknown].filter((title) => !(title in withoutHarm))).toEqual([]);
  });
});
