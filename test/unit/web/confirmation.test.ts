import { describe, expect, test } from 'vitest';
import type { Block, PageContext } from '../../../lib/web/blocks/context.ts';
import { blockOf, htmlOfBlocks, openPage } from '../../support/samples/rendered-blocks.ts';

const accepted = { id: 'r-1', page_id: 'p-1', block_id: 'block', answer: 'accepted', at: '2026-01-01' } as const;
const completed: PageContext = { ...openPage, isCompleted: true, answers: new Map([['block', accepted]]) };
const htmlOf = (blocks: Block[], page = openPage) => htmlOfBlocks(blocks, { page });

describe('a confirmation', () => {
  test('shows what is agreed to above its button, and asks for a signature', () => {
    const html = htmlOf([
      blockOf('confirm', { text: 'Go', agreementText: 'The terms.', signatureBoxText: 'Your name' }),
    ]);
    expect(html).toMatch(/<div class="statement">.*The terms\..*Your name.*<button class="button">Go<\/button>/s);
    expect(htmlOf([blockOf('confirm', { agreementText: 'I agree' })])).toContain(
      '<button class="button">I agree</button>',
    );
  });

  test('that nobody has answered still asks, if another block has completed the page', () => {
    const two = [blockOf('agreement', { agreementText: 'A' }), blockOf('confirm', { text: 'Go' }, { id: 'other' })];
    const html = htmlOf(two, completed);
    expect(html).toContain('<button class="button">Go</button>');
    expect(html).not.toContain('This step is completed');
  });
});

describe.each(['agreement', 'confirm'])('the text of %s that is short enough for the button', (type) => {
  const shown = (answer: 'accepted' | 'declined') =>
    htmlOf([blockOf(type, { agreementText: 'I agree to the terms' })], {
      ...openPage,
      isCompleted: answer === 'accepted',
      answers: new Map([['block', { ...accepted, answer }]]),
    });

  test('is shown with the answer, when the button is gone', () => {
    expect(shown('accepted')).toMatch(/<div class="statement"><p>I agree to the terms<\/p><\/div>.*January 1, 2026/s);
    expect(shown('accepted')).not.toContain('<button');
  });

  test('is shown above a refusal, and not again on the button', () => {
    expect(shown('declined')).toMatch(/<div class="statement"><p>I agree to the terms<\/p><\/div>.*January 1, 2026/s);
    expect(shown('declined').split('I agree to the terms')).toHaveLength(2);
  });
});
