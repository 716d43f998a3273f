import { describe, expect, test } from 'vitest';
import { inPage } from '../support/content-documents.ts';
import { warningsOf } from '../support/content-warnings.ts';

const text = (body: string) => ({ type: 'text', data: { body } });
const shown = (template: object, page: object = {}, variables: object | null = null) => ({
  templates: [
    {
      ...template,
      template_pages: [
        {
          content_variables: variables,
          page: { completion_condition: 'view', content_blocks: [text('A')], ...page },
        },
      ],
    },
  ],
});
const footer = (written: string) => ({ footer_content: { text: `For ${written}` } });
const title = (custom: string) => ({ journey_title_options: { type: 'CUSTOM', custom } });

describe('a private value that makes more private than is meant:', () => {
  test.each<[what: string, document: object, path: string, message: RegExp]>([
    [
      'in the footer',
      shown(footer('{{account.account_number}}')),
      '/templates/0/footer_content',
      /^has the private value `\{\{account\.account_number\}\}`, and every page shows this text, so every page asks/,
    ],
    ['in the title', shown(title('{{birthdate}}')), '/templates/0/journey_title_options/custom', /every page/],
    [
      'through a variable',
      shown(footer('{{tier}}'), {}, { tier: 'meta_private.tier' }),
      '/templates/0/footer_content',
      /every page/,
    ],
    [
      'only in the message of a page',
      shown({}, { completion_message: 'Done, {{meta_private.tier}}' }),
      `${inPage}/completion_message`,
      /no other text of the page/,
    ],
  ])('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([path]);
    expect(found[0]!.slice(path.length + 1)).toMatch(message);
  });

  test.each<[what: string, document: object]>([
    ['a public value', shown({ ...footer('{{name_first}}'), ...title('{{account.nickname}}') })],
    ['with a proof for everything', shown({ ...footer('{{birthdate}}'), is_auth_required: true })],
    [
      'a page that is private',
      shown({}, { content_blocks: [text('{{birthdate}}')], completion_message: '{{birthdate}}' }),
    ],
  ])('%s is none', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});
