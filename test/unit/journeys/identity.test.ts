import { describe, expect, test } from 'vitest';
import { attempted, lockOf, maxAttempts, noAttempts } from '../../../lib/domain/journeys/identity-attempts.ts';
import { identityNeed, identityNeedInChannel } from '../../../lib/domain/journeys/identity-need.ts';

const secret = 'Your limit is {{ meta_private.limit }}.';
const block = (data: unknown) => ({ data }) as never;
const template = { is_auth_required: false, content_blocks: [], footer_content: null, journey_title_options: null };
const page = { content: null, content_blocks: [], completion_message: null, cta: null };
const need = (of: { template?: object; page?: object; variables?: object }, isFirst = true) => {
  const shown = { page: { ...page, ...of.page }, content_variables: (of.variables ?? null) as never };
  return identityNeed({ ...template, ...of.template }, shown, isFirst);
};

describe('a proof of identity', () => {
  test('is needed for all of a campaign that requires it, whatever the page says', () => {
    expect(need({ template: { is_auth_required: true } })).toBe('journey');
    expect(need({ template: { is_auth_required: true }, page: { content: secret } })).toBe('journey');
  });

  test.each([
    ['its content', { page: { content: secret } }],
    ['its completion message', { page: { completion_message: secret } }],
    ['its call to action', { page: { cta: { text: secret } } }],
    ['a block', { page: { content_blocks: [block({ body: secret })] } }],
    ['a question of a block', { page: { content_blocks: [block({ questions: [{ options: ['a', secret] }] })] } }],
    ['the contact’s own name for it', { page: { content: '{{contact.meta_private.limit}}' } }],
    ['a variable', { page: { content: '{{limit}}' }, variables: { limit: 'contact.meta_private.limit' } }],
    ['the first page’s introduction', { template: { content_blocks: [block({ body: secret })] } }],
    ['the footer', { template: { footer_content: { text: secret } } }],
    ['the title', { template: { journey_title_options: { type: 'CUSTOM', custom: secret } } }],
  ])('is needed for a page that names private data in %s', (_, of) => {
    expect(need(of)).toBe('page');
  });

  test.each([
    ['names what is public', { page: { content: '{{name_first}} {{meta_public.limit}}' } }],
    ['names nothing', { page: { content: 'meta_private.limit' } }],
    ['has a variable that it does not use', { page: { content: 'x' }, variables: { limit: 'meta_private.limit' } }],
    ['has a number where a text could be', { page: { content: 7, cta: null } }],
  ])('is not needed for a page that %s', (_, of) => {
    expect(need(of)).toBeUndefined();
  });

  test('is not needed for an introduction that another page shows', () => {
    expect(need({ template: { content_blocks: [block({ body: secret })] } }, false)).toBeUndefined();
  });
});

describe('a proof of identity for content in a channel', () => {
  const needInChannel = (text: unknown, of: Parameters<typeof need>[0] = {}) =>
    identityNeedInChannel(
      { ...template, ...of.template },
      { page: { ...page, ...of.page }, content_variables: (of.variables ?? null) as never },
      { content_blocks: [block({ body: text })] },
    );

  test.each([
    ['private data itself', needInChannel(secret), 'page'],
    ['a variable that does', needInChannel('{{limit}}', { variables: { limit: 'meta_private.limit' } }), 'page'],
    ['what is public, on a page that names private data', needInChannel('x', { page: { content: secret } }), 'page'],
    [
      'what is public, of a campaign that requires it',
      needInChannel('x', { template: { is_auth_required: true } }),
      'journey',
    ],
    ['what is public', needInChannel('{{name_first}}'), undefined],
    [
      'what is public, though the introduction names private data',
      needInChannel('x', { template: { content_blocks: [block({ body: secret })] } }),
      undefined,
    ],
  ])('that names %s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);

test('attempts are free until the fifth, then pause a quarter of an hour, a day, and for good', () => {
  const waits = [];
  let attempts = noAttempts;
  let now = start;
  for (let lock = lockOf(attempts, now); lock?.wait !== null; lock = lockOf(attempts, now)) {
    now += lock?.wait ?? 0;
    attempts = attempted(attempts, now);
    waits.push((lockOf(attempts, now)?.wait ?? 0) / minute);
  }
  expect(waits).toEqual([0, 0, 0, 0, 15, 0, 0, 24 * 60, 0, 0]);
  expect(lockOf(attempts, now + 1000 * 24 * 60 * minute)).toEqual({ wait: null });
  expect(attempts.count).toBe(maxAttempts);
});

test('a pause ends at its time, and not a moment earlier', () => {
  const paused = { count: 5, pausedUntil: start + 15 * minute };
  expect(lockOf(paused, start)).toEqual({ wait: 15 * minute });
  expect(lockOf(paused, start + 15 * minute - 1)).toEqual({ wait: 1 });
  expect(lockOf(paused, start + 15 * minute)).toBeUndefined();
  expect(lockOf(noAttempts, -1)).toBeUndefined();
  expect(attempted(noAttempts, start)).toEqual({ count: 1, pausedUntil: null });
});
