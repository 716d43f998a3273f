import { describe, expect, test } from 'vitest';
import type { ShownAnswer } from '../../../lib/domain/journeys/answer.ts';
import type { Block, BlockContext, PageContext } from '../../../lib/web/blocks/context.ts';
import { isImageData, safeUrl } from '../../../lib/web/links.ts';
import { reach } from '../../../lib/web/reach.ts';
import { wordsIn } from '../../../lib/web/words/words.ts';
import { blockOf as block, htmlOfBlocks, openPage as page, rendered } from '../../support/samples/rendered-blocks.ts';

const htmlOf = (type: string | null, data: object, page?: PageContext, more: Partial<BlockContext> = {}) =>
  htmlOfBlocks([block(type, data)], { ...(page ? { page } : {}), ...more }, 'grid');
/** The page once this block of it was answered so. */
const answered = (
  answer: 'accepted' | 'declined' | null,
  isCompleted = true,
  given: Partial<ShownAnswer> = {},
): PageContext => ({
  ...page,
  isCompleted,
  answers: new Map([['block', { id: 'r-1', page_id: 'p-1', block_id: 'block', answer, at: '2026-01-01', ...given }]]),
});
const action = { ...page, condition: 'action' };
const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{name_first}}`;

describe('a block', () => {
  const names = ['heading', 'body', 'text', 'name', 'agreementText', 'disagreeText', 'signatureBoxText', 'altText'];
  const more = ['acceptedConfirmationText', 'declinedConfirmationText', 'documentLinkText', 'customClass', 'caption'];
  const addresses = ['url', 'documentLinkUrl', 'src', 'href'];
  const types = [
    'heading',
    'text',
    'card',
    'image',
    'button',
    'document_link',
    'agreement',
    'confirm',
    'survey',
    'odd',
  ];
  test.each(types)('of type %s lets no text of its data be markup', (type) => {
    const data = Object.fromEntries([...names, ...more, ...addresses].map((name) => [name, evil]));
    const questions = [evil, { text: evil, options: [evil] }, { text: evil }];
    for (const context of [undefined, page, action, { ...page, isCompleted: true }]) {
      const html = htmlOf(type, { ...data, questions }, context);
      expect(html).not.toMatch(/<script|<img src=x|javascript:/);
      expect(html).not.toMatch(/ on\w+="/);
    }
  });

  test.each(['survey_matrix', 'hero', '__proto__', 'constructor', null])(
    'of the unknown type %s shows its texts',
    (type) => {
      expect(htmlOf(type, { heading: 'H', body: 'B', name: 'N', width: 3 })).toMatch(/<h2>H<\/h2>.*<p>B<\/p>/);
    },
  );

  test('with nothing to show is left out, and so are its styles', () => {
    const { html, css } = rendered(
      [block('button', { url: 'https://a.example' }, { css: 'a{color:red}' })],
      {},
      'grid',
    );
    expect([html.toString(), css]).toEqual(['<div class="grid"></div>', '']);
  });

  test('has the width that its grid says, from each size on', () => {
    const grid = { xs: 12, sm: 12, md: 6, lg: '4', xl: 99 } as Block['grid'];
    const { html, css } = rendered([block('text', { body: 'x' }, { grid })], {}, 'grid');
    expect(html.toString()).toContain('class="block md-6 lg-4"');
    expect(css).toBe(
      '@media (min-width:768px){.md-6{grid-column:span 6}}@media (min-width:992px){.lg-4{grid-column:span 4}}' +
        '@media (min-width:768px){@container (max-width:24rem){.block.md-6,.block.lg-4{grid-column:1/-1}}}',
    );
  });

  test('stands alone in its row where the layout is none', () => {
    const grid = { xs: 6 } as Block['grid'];
    const { html, css } = rendered([block('text', { body: 'x' }, { grid })], {}, 'none');
    expect(html.toString()).toMatch(/^<div class="stack"><div class="block" id="b1">/);
    expect(css).toBe('');
  });

  test('has styles and CSS that reach no further than itself', () => {
    const { css } = rendered([
      block('text', { body: 'x' }, { styles: { color: 'red' }, css: '.a{margin:0}footer{top:0}' }),
    ]);
    expect(css).toBe('#r #b1{color:red}#r #b1 .a{margin:0}#r #b1 footer{top:0}');
  });

  test('has the classes that its data names, and only classes', () => {
    expect(htmlOf('text', { body: 'x', customClass: 'a b"c d' })).toContain('<div class="a d">');
  });

  test('comes in the order that it says', () => {
    const blocks = [block('text', { body: 'second' }, { order: 2 }), block('text', { body: 'first' }, { order: 1 })];
    expect(rendered(blocks).html.toString()).toMatch(/first.*second/);
  });
});

describe('an agreement', () => {
  const data = {
    agreementText: 'I agree to everything that is written in the long document below.',
    disagreeText: 'No',
    declinedConfirmationText: 'All right.',
    acceptedConfirmationText: 'Thank you.',
    signatureBoxText: 'Your name',
    documentLinkText: 'The document',
    documentLinkUrl: 'https://a.example/d.pdf',
  };

  const fields = (answer: string) =>
    `<input type="hidden" name="block_id" value="block"><input type="hidden" name="answer" value="${answer}">`;

  test('asks for a signature, and says what is recorded', () => {
    const html = htmlOf('agreement', data, page);
    expect(html).toMatch(
      /<label for="b1-name">Your name<\/label><input type="text" id="b1-name" dir="auto" name="typed_name" required autocomplete="name"/,
    );
    expect(html).toContain('We record the name, what you agreed to, and when.');
    expect(html).toContain(fields('accepted'));
  });

  test('can be declined, by a form without the signature', () => {
    const html = htmlOf('agreement', data, page);
    const declining = html.slice(html.lastIndexOf('<form'));
    expect(declining).toContain(fields('declined'));
    expect(declining).toContain('<button class="quiet">No</button>');
    expect(declining).not.toContain('typed_name');
    expect(htmlOf('agreement', { ...data, disagreeText: '' }, page).match(/<form/g)).toHaveLength(1);
  });

  test('that was declined says so, and can still be agreed to', () => {
    const html = htmlOf('agreement', data, answered('declined', false));
    expect(html).toMatch(/class="outcome declined" role="status".*Declined on January 1, 2026.*All right\..*<form/);
    expect(html).toContain('<details><summary class="quiet">Change your answer</summary>');
    expect(html).toContain(fields('accepted'));
    expect(html).not.toMatch(/Thank you\.|value="declined"/);
  });

  test('that was declined tells how to reach the institution, if it says so', () => {
    const options = { phone: '+1 555 0100', email: 'help@a.example' };
    const words = wordsIn('en');
    const support = reach({ support_owner_options: options }, 'Cedar', words, 'p');
    const declined = htmlOf('agreement', data, answered('declined', false), { support });
    expect(declined).toMatch(/All right\..*How to reach Cedar.*href="tel:\+15550100".*help@a\.example.*<details/);
    expect(htmlOf('agreement', data, answered('accepted'), { support })).not.toContain('Cedar');
    expect(htmlOf('agreement', data, page, { support })).not.toContain('Cedar');
  });

  test('says nothing of having been accepted where only the page was completed', () => {
    const html = htmlOf('agreement', data, { ...page, isCompleted: true });
    expect(html).not.toContain('Thank you.');
    expect(html).toContain(fields('accepted'));
  });

  test('has a short text on the button', () => {
    expect(htmlOf('agreement', { agreementText: 'I accept' }, page)).toContain(
      '<button class="button">I accept</button>',
    );
  });

  test.each([true, false])(
    'says what it led to once it was accepted, whether that completed the page or not',
    (done) => {
      const html = htmlOf('agreement', data, answered('accepted', done));
      expect(html).toMatch(/role="status".*Thank you\./);
      expect(html).not.toContain('<form');
    },
  );

  test.each(['objective', 'open', null])('has no button on a page that completes by %s', (condition) => {
    expect(htmlOf('agreement', data, { ...page, condition })).not.toContain('<form');
  });
});

describe('an agreement on a page that completes by being viewed', () => {
  test('is asked all the same, also after the page is completed', () => {
    const viewed = { ...page, condition: 'view', isCompleted: true };
    expect(htmlOf('agreement', { agreementText: 'I accept' }, viewed)).toContain('value="accepted"');
    expect(htmlOf('confirm', { text: 'Yes' }, viewed)).toContain('<button class="button">Yes</button>');
  });
});

describe('an answer that was given', () => {
  test('shows the typed name and the time', () => {
    const html = htmlOf('agreement', { agreementText: 'Yes' }, answered('accepted', true, { typed_name: 'Jana <N>' }));
    expect(html).toContain('<small>Signed as Jana &lt;N&gt; on January 1, 2026.</small>');
    expect(htmlOf('agreement', { agreementText: 'Yes' }, answered('accepted'))).toContain('Answered on January 1');
  });

  test('to a survey comes back, and can be replaced by a new answer', () => {
    const questions = [{ text: 'How?', options: ['Well', 'Badly'] }, { text: 'Why?' }];
    const values = [
      { key: 'question_1', question: 'How?', value: 'Badly' },
      { key: 'question_2', question: 'Why?', value: 'The <queue>' },
    ];
    const html = htmlOf('survey', { questions }, answered(null, true, { values }));
    expect(html).toContain('<div><dt>How?</dt><dd>Badly</dd></div>');
    expect(html).toMatch(/<details><summary class="quiet">Change your answers<\/summary><form/);
    expect(html).toContain('value="Badly" checked>');
    expect(html).toContain('maxlength="4000">The &lt;queue&gt;</textarea>');
  });
});

describe('a confirmation', () => {
  const data = { text: 'Confirm', acceptedConfirmationText: 'Thank you.' };
  test('says that it was given only where it was', () => {
    expect(htmlOf('confirm', data, page)).toContain('<button class="button">Confirm</button>');
    const html = htmlOf('confirm', data, { ...page, isCompleted: true });
    expect(html).toMatch(/role="status".*This step is completed\./);
    expect(html).not.toMatch(/Thank you|<form/);
    expect(htmlOf('confirm', data, answered('accepted'))).toContain('Thank you.');
  });
});

describe('a survey', () => {
  test('sends each answer by its question, and says thank you once it was answered', () => {
    const questions = [{ text: 'How easy?', scale: [1, 2] }, 'Why?'];
    const html = htmlOf('survey', { questions }, page);
    expect(html).toMatch(/^.*<form.*name="value:How easy\?" value="2".*<textarea[^>]* name="value:Why\?".*<\/form>/);
    expect(html).not.toMatch(/neither sent|name="answer"/);
    expect(htmlOf('survey', { questions }, { ...page, isCompleted: true })).toContain('<form');
    const done = htmlOf('survey', { questions, acceptedConfirmationText: 'We listen.' }, answered(null));
    expect(done).toMatch(/role="status".*We listen\./);
    expect(done).toMatch(/<details><summary class="quiet">Change your answers<\/summary><form/);
  });

  test('on a page that cannot be completed from here sends no answer, and says so', () => {
    const questions = [{ text: 'How easy?', scale: [1, 5] }, { text: 'Who?', options: ['I', { text: 'You' }] }, 'Why?'];
    const html = htmlOf('survey', { questions }, { ...page, condition: 'open' });
    expect(html.match(/type="radio"/g)).toHaveLength(7);
    expect(html).toMatch(/<textarea/);
    expect(html).toContain('not sent and not stored');
    expect(html).not.toContain('<form');
  });

  test('marks only a required question with a star', () => {
    const questions = [{ text: 'How?', required: true }, { text: 'Who?', options: ['I'] }, 'Why?'];
    const html = htmlOf('survey', { questions }, page);
    expect(html.match(/How\?<span aria-hidden="true">\u00a0\*<\/span>/g)).toHaveLength(1);
    expect(html.match(/\*</g)).toHaveLength(1);
  });

  test.each([[[0, 1e9]], [['a', 'b']], [[5, 1]], [[]]])('takes the scale %j for none', (scale) => {
    expect(htmlOf('survey', { questions: [{ text: 'How?', scale }] })).toContain('<textarea');
  });
});

describe('addresses', () => {
  test.each([
    ['https://a.example/x', 'https://a.example/x'],
    [' HTTP://a.example ', 'http://a.example/'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['tel:+15550100', 'tel:+15550100'],
    ['tel:', undefined],
    ['tel:our%20branch', undefined],
    ['tel:%2B420 123', 'tel:%2B420 123'],
    ['mailto:', undefined],
    ['mailto:?subject=x', undefined],
    ['mailto:a%40b.example?subject=x', 'mailto:a%40b.example?subject=x'],
    ['java\nscript:alert(1)', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['//a.example', undefined],
  ])('%j', (address, expected) => {
    expect(safeUrl(address)).toBe(expected);
  });

  test.each([
    ['data:image/png;base64,AAAA', true],
    ['data:image/svg+xml;base64,AAAA', true],
    ['data:image/svg+xml,%3Csvg%3E', true],
    ['data:text/html;base64,AAAA', false],
    ['data:image/png"onerror=x', false],
    ['https://a.example/x.png', false],
  ])('of images: %j', (address, expected) => {
    expect(isImageData(address)).toBe(expected);
  });
});
