import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../bin/content/read.ts';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { inPage, templateWith } from '../../support/samples/content-documents.ts';
import {
  agreement,
  block,
  button,
  container,
  inBlock,
  template,
  warningsOf,
  warns,
} from '../../support/samples/content-warnings.ts';

describe('a placeholder that is not filled in is a warning:', () => {
  const inContainer = `${inPage}/content_containers/0/content_blocks/0/data/body`;
  const text = (body: string) => ({ content_blocks: [{ type: 'text', data: { body } }] });
  warns(
    inBlock,
    [
      ['an unknown name', '{{firstname}}', '/data/body', /did you mean `\{\{name_first\}\}`/],
      ['letters in another order', '{{ name_frist }}', '/data/body', /name_first/],
      ['a field of an account', '{{account.balanc}}', '/data/body', /account\.balance/],
    ],
    (body) => templateWith(text(body)),
  );
  const everybody = { engagement_channels: [{ default_content: text('{{name_first}}') }] };
  const proved = container(text('{{name_first}}'), { is_auth_required: true });
  const reach = template({ support_owner_options: { text: '{{name_first}}' } });
  warns('', [
    ['in a URL', button({ text: 'A', url: 'https://a.example?n={{name_first}}' }), `${inBlock}/data/url`, /in a URL/],
    ['in a title', templateWith({ navigation_title: '{{name_first}}' }), `${inPage}/navigation_title`, /not filled in/],
    ['in a way to reach', reach, '/templates/0/support_owner_options/text', /not filled in here/],
    ['a person where a proof is needed', proved, inContainer, /is_auth_required/],
    ['a private value in a channel', container(text('{{birthdate}}')), inContainer, /cannot be proved/],
    [
      'a person in the default content',
      everybody,
      '/engagement_channels/0/default_content/content_blocks/0/data/body',
      /everybody/,
    ],
  ]);

  test.each([
    '{{name_first}}',
    '{{contact.city}}',
    '{{meta_public.a.b}}',
    '{{account.product.name}}',
    '{{home}}',
    '{{team.name}}',
  ])('%s is none', (body) => {
    const [{ template_pages }] = templateWith(text(body)).templates as [{ template_pages: object[] }];
    const variables = body === '{{home}}' ? { home: 'journey_url' } : {};
    expect(
      warningsOf({ templates: [{ template_pages: [{ ...template_pages[0], content_variables: variables }] }] }),
    ).toEqual([]);
  });
});

test('a name without a value says that its fallback is always shown', () => {
  const document = templateWith({ content_blocks: [{ type: 'text', data: { body: 'Hello, {{firstname|friend}}!' } }] });
  expect(warningsOf(document)).toEqual([
    expect.stringMatching(/always shows its fallback: did you mean `\{\{name_first\}\}`/),
  ]);
});

test('several blocks that ask on a page are named, because the first answer completes it', () => {
  const signature = {
    type: 'signature',
    data: { heading: 'Your contract', agreementText: 'I sign.', signatureBoxText: 'Name' },
  };
  const page = (condition: string) =>
    templateWith({ completion_condition: condition, content_blocks: [agreement, signature] });
  expect(warningsOf(page('confirm'))).toEqual([
    `${inPage}/content_blocks has 2 blocks that ask: \`agreement\` "I agree.", \`signature\` "Your contract". The first answer completes the page, and the others can stay open. Put each on a page of its own`,
  ]);
  const link = { type: 'button', data: { text: 'A', url: 'https://a.example' } };
  const acted = (...content_blocks: object[]) => templateWith({ completion_condition: 'action', content_blocks });
  expect(warningsOf(acted(agreement, link))).toHaveLength(1);
  expect(warningsOf(acted(link, link))).toEqual([]);
});

test('a color of texts that cannot be read is named with the one that is shown, and a brand has any color', () => {
  const palette = { primary: '#ffff00', surface: '#ffffff', text: '#eeeeee', dark: { text: '#222222' } };
  const theme = { theme: { palette: { text: '#111111' } }, theme_overrides: { palette } };
  expect(warningsOf(template(theme))).toEqual([
    '/templates/0/theme_overrides/palette/text cannot be read on #ffffff: #6f747a is shown in its place',
    expect.stringMatching(/palette\/dark\/text cannot be read on #\w+: #\w+ is shown in its place$/),
  ]);
  for (const primary of ['#ffff00', '#f26b38', '#ffffff', '#000000', '#808080']) {
    const brand = { primary, secondary: primary, background: primary };
    expect(warningsOf(template({ theme: { palette: { ...brand, dark: { primary } } } }))).toEqual([]);
  }
});

test('a term with a placeholder needs a fallback, or it is not shown', () => {
  const terms = (value: string) => warningsOf(block('card', { heading: 'H', terms: [{ label: 'Rate', value }] }));
  expect(terms('{{meta_public.rate}}')).toEqual([expect.stringMatching(/its term is not shown where it is unset/)]);
  expect(terms('{{meta_public.rate|on request}}')).toEqual([]);
});

test('a campaign with a proof of identity needs a way to reach the institution', () => {
  const value = (fields: object) => ({
    templates: [{ template_pages: [{ page: { completion_condition: 'view' } }], ...fields }],
  });
  const found = (fields: object) =>
    contentWarnings(value(fields) as never, readDocument(value(fields) as never).document!)
      .filter(({ message }) => message.includes('say how people reach you'))
      .map(({ path }) => path);
  expect(found({ is_auth_required: true })).toEqual(['/templates/0/support_owner_options']);
  expect(found({ content_blocks: [{ type: 'text', data: { body: '{{birthdate}}' } }] })).toHaveLength(1);
  expect(found({ is_auth_required: true, support_owner_options: { phone: '+1 555 010 0199' } })).toEqual([]);
  expect(found({})).toEqual([]);
});

test('a translation names the placeholder that it lacks', () => {
  const found = warningsOf(
    templateWith(
      { completion_condition: 'view' },
      { ending: { body: 'Hi {{name_first}}' }, translations: { es: { 'Hi {{name_first}}': 'Hola {{name}}' } } },
    ),
  );
  expect(found.map((each) => each.slice(each.indexOf('}} ') + 3))).toEqual([
    'has a translation without the placeholder `{{name_first}}`',
    'has a translation with another placeholder, `{{name}}`',
  ]);
});
