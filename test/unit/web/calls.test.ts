import { describe, expect, test } from 'vitest';
import { noValues } from '../../../lib/domain/journeys/placeholders.ts';
import type { Block, PageContext } from '../../../lib/web/blocks/context.ts';
import { blockOf, htmlOfBlocks, openPage } from '../../support/samples/rendered-blocks.ts';

const journeyUrl = 'https://b.example/j/s';
const rendered = (blocks: Block[], page?: PageContext, hasPrimary = false): string =>
  htmlOfBlocks(blocks, { values: { ...noValues, journeyUrl }, hasPrimary, ...(page ? { page } : {}) }, 'grid');
const htmlOf = (type: string, data: object, page?: PageContext) => rendered([blockOf(type, data)], page);

const action = { ...openPage, condition: 'action' };

describe('a call to action', () => {
  test('completes the page that asks for an action, and can be said to be done without following it', () => {
    const html = htmlOf('button', { text: 'Go', url: 'https://a.example/' }, action);
    expect(html).toContain('data-completes="p-1"');
    expect(html).toContain('<form class="completion" method="post" action="/j/s/actions" target="_self">');
  });

  test.each([
    ['on another page', openPage],
    ['once it is done', { ...action, isCompleted: true }],
    ['where there is no page', undefined],
  ])('is a mere link %s', (_, context) => {
    const html = htmlOf('cta', { text: 'Go', url: 'https://a.example/' }, context);
    expect(html).toContain('<a class="button" href="https://a.example/" rel="noopener noreferrer">Go</a>');
    expect(html).not.toContain('<form');
  });

  test('is primary if it is the first of several, and the last says that one of them is enough', () => {
    const calls = ['App', 'Branch', 'Mail'].map((text) => blockOf('cta', { text, url: 'https://a.example/' }));
    const html = rendered(calls, action);
    expect([...html.matchAll(/<a class="(\w+)"/g)].map(([, look]) => look)).toEqual(['button', 'quiet', 'quiet']);
    expect(html.match(/data-completes="p-1"/g)).toHaveLength(3);
    expect(html.match(/<form/g)).toHaveLength(1);
    expect(html).toMatch(/Mail<\/a><p class="note">One of these is enough to complete this step\.<\/p><form/);
  });

  const link = blockOf('cta', { text: 'Rates', url: 'https://a.example/' });
  const looks = (html: string) => [...html.matchAll(/<(?:a|button) class="(\w+)"/g)].map(([, look]) => look);
  test.each<[string, Block[], PageContext | undefined, string[]]>([
    ['another page', [link], openPage, ['quiet']],
    ['a page without actions', [link], undefined, ['quiet']],
    ['a page that it completes', [link], action, ['button', 'quiet']],
  ])('is not primary on %s that has a primary button, unless it completes the page', (_, blocks, context, expected) => {
    expect(looks(rendered(blocks, context, true))).toEqual(expected);
  });

  test('is not primary beside a block that asks, or before a link that completes the page', () => {
    const agreement = blockOf('agreement', { agreementText: 'I agree' });
    expect(looks(rendered([link, agreement], openPage))).toEqual(['quiet', 'button']);
    const home = blockOf('cta', { text: 'Home', url: journeyUrl });
    const html = rendered([home, link], action, true);
    expect(looks(html)).toEqual(['quiet', 'button', 'quiet']);
    expect(html).not.toContain('One of these is enough');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '/relative',
    'https://user:pw@a.example/',
    'https:///path',
    '',
  ])('does not lead to %j', (url) => {
    expect(htmlOf('button', { text: 'Go', url })).not.toContain('<a');
  });
});
