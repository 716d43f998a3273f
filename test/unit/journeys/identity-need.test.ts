import { describe, expect, test } from 'vitest';
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
