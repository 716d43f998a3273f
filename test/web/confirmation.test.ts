import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/domain/json.ts';
import { noValues } from '../../lib/domain/placeholders.ts';
import { renderBlocks } from '../../lib/web/blocks/blocks.ts';
import type { Block, PageContext } from '../../lib/web/blocks/context.ts';
import { wordsIn } from '../../lib/web/words/words.ts';

const block = (type: string, data: JsonObject, id = 'block'): Block =>
  ({ id, type, order: 1, data, grid: null, css: null, styles: null }) as Block;
const page: PageContext = {
  ...{ id: 'p-1', condition: 'confirm', isCompleted: false, actions: '/j/s/actions', answers: new Map() },
};
const accepted = { id: 'r-1', page_id: 'p-1', block_id: 'block', answer: 'accepted', at: '2026-01-01' } as const;
const completed: PageContext = { ...page, isCompleted: true, answers: new Map([['block', accepted]]) };
const htmlOf = (blocks: Block[], context: PageContext) =>
  renderBlocks(
    blocks,
    { words: wordsIn(null), values: noValues, page: context },
    { root: '#r', prefix: 'b', layout: null },
  ).html.toString();

describe('a confirmation', () => {
  test('shows what is agreed to above its button, and asks for a signature', () => {
    const html = htmlOf(
      [block('confirm', { text: 'Go', agreementText: 'The terms.', signatureBoxText: 'Your name' })],
      page,
    );
    expect(html).toMatch(/<div class="statement">.*The terms\..*Your name.*<button class="button">Go<\/button>/s);
    expect(htmlOf([block('confirm', { agreementText: 'I agree' })], page)).toContain(
      '<button class="button">I agree</button>',
    );
  });

  test('that nobody has answered still asks, if another block has completed the page', () => {
    const two = [block('agreement', { agreementText: 'A' }), block('confirm', { text: 'Go' }, 'other')];
    const html = htmlOf(two, completed);
    expect(html).toContain('<button class="button">Go</button>');
    expect(html).not.toContain('This step is completed');
  });
});

describe.each(['agreement', 'confirm'])('the text of %s that is short enough for the button', (type) => {
  const shown = (answer: 'accepted' | 'declined') =>
    htmlOf([block(type, { agreementText: 'I agree to the terms' })], {
      ...page,
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
