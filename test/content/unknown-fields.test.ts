import { describe, expect, test } from 'vitest';
import { unknownFieldWarnings } from '../../bin/content/unknown-fields.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import { inPage, templateWith } from '../support/content-documents.ts';

const warningsOf = (document: unknown) =>
  unknownFieldWarnings(document as JsonValue).map(({ path, message }) => `${path} ${message}`);

const inBlock = `${inPage}/content_blocks/0`;
const withBlock = (block: object) => templateWith({ content_blocks: [block] });

describe('an unknown field', () => {
  test.each<[document: unknown, warning: string]>([
    [{ people: [] }, '/people is not a known field and is ignored'],
    [{ campaigns: [] }, '/campaigns is not a known field and is ignored: did you mean `templates`?'],
    [{ channels: [] }, '/channels is not a known field and is ignored: did you mean `engagement_channels`?'],
    [
      { templates: [{ pages: [] }] },
      '/templates/0/pages is not a known field and is ignored: did you mean `template_pages`?',
    ],
    [{ templates: [{ title: 'A' }] }, '/templates/0/title is not a known field and is ignored: did you mean `name`?'],
    [{ journeys: [] }, '/journeys is not a known field and is ignored: did you mean `templates`?'],
    [
      { templates: [{ locale: 'A' }] },
      '/templates/0/locale is not a known field and is ignored: did you mean `language`?',
    ],
    [
      { templates: [{ steps: [] }] },
      '/templates/0/steps is not a known field and is ignored: did you mean `template_pages`?',
    ],
    [
      { templates: [{ page: [] }] },
      '/templates/0/page is not a known field and is ignored: did you mean `template_pages`?',
    ],
    [
      { templates: [{ message: [] }] },
      '/templates/0/message is not a known field and is ignored: did you mean `template_messages`?',
    ],
    [
      { templates: [{ TitleOptions: {} }] },
      '/templates/0/TitleOptions is not a known field and is ignored: did you mean `journey_title_options`?',
    ],
    ...['heading', 'text'].map((name): [object, string] => [
      templateWith({ [name]: 'A' }),
      `${inPage}/${name} is not a known field here and is ignored: write it into \`data\` of a block in \`content_blocks\``,
    ]),
    [templateWith({ subheading: 'A' }), `${inPage}/subheading is not a known field and is ignored`],
    [
      templateWith({ content_containers: [{ colour: 'A' }] }),
      `${inPage}/content_containers/0/colour is not a known field and is ignored`,
    ],
    [withBlock({ position: 1 }), `${inBlock}/position is not a known field and is ignored: did you mean \`order\`?`],
    [{ templates: [{ lang: 'A' }] }, '/templates/0/lang is not a known field and is ignored: did you mean `language`?'],
    [
      { templates: [{ logo: 'A' }] },
      '/templates/0/logo is not a known field and is ignored: did you mean `logo_file_id`?',
    ],
    [
      { templates: [{ account: 'A' }] },
      '/templates/0/account is not a known field and is ignored: did you mean `targeting_account_priority`?',
    ],
    // Two fields have this word.
    [{ templates: [{ email: 'A' }] }, '/templates/0/email is not a known field and is ignored'],
    [{ templates: [{ '!': 'A' }] }, '/templates/0/! is not a known field and is ignored'],
    [
      templateWith({ title: 'A' }),
      `${inPage}/title is not a known field and is ignored: did you mean \`navigation_title\`?`,
    ],
    [
      templateWith({ name: 'A' }),
      `${inPage}/name is not a known field and is ignored: did you mean \`navigation_title\`?`,
    ],
    [
      templateWith({ blocks: [] }),
      `${inPage}/blocks is not a known field and is ignored: did you mean \`content_blocks\`?`,
    ],
    [
      templateWith({ condition: 'A' }),
      `${inPage}/condition is not a known field and is ignored: did you mean \`completion_condition\`?`,
    ],
    [templateWith({ hideWhenDone: true }), `${inPage}/hideWhenDone is not a known field and is ignored`],
    [
      templateWith({ body: 'A' }),
      `${inPage}/body is not a known field here and is ignored: write it into \`data\` of a block in \`content_blocks\``,
    ],
    [
      withBlock({ title: 'A' }),
      `${inBlock}/title is not a known field and is ignored: did you mean \`heading\` in \`data\`?`,
    ],
    [
      withBlock({ class: 'A' }),
      `${inBlock}/class is not a known field and is ignored: did you mean \`customClass\` in \`data\`?`,
    ],
    [withBlock({ columns: 6 }), `${inBlock}/columns is not a known field and is ignored: did you mean \`grid\`?`],
    [{ template: [] }, '/template is not a known field and is ignored: did you mean `templates`?'],
    [
      { engagement_channel: [] },
      '/engagement_channel is not a known field and is ignored: did you mean `engagement_channels`?',
    ],
    [
      { engagement_channel: 'web' },
      '/engagement_channel is not a known field and is ignored: did you mean `engagement_channels`?',
    ],
    [{ objective: {} }, '/objective is not a known field and is ignored: did you mean `objectives`?'],
    [{ team_id: 'a' }, '/team_id is not a known field and is ignored'],
    [
      { templates: [{}, { stauts: 'live' }] },
      '/templates/1/stauts is not a known field and is ignored: did you mean `status`?',
    ],
    [{ templates: [{ 'a/b': 1 }] }, '/templates/0/a~1b is not a known field and is ignored'],
    [templateWith({ constructor: 1 }), `${inPage}/constructor is not a known field and is ignored`],
    [
      { templates: [{ ending: { title: 'A' } }] },
      '/templates/0/ending/title is not a known field and is ignored: did you mean `heading`?',
    ],
    [
      { engagement_channels: [{ default_content: { order: 1 } }] },
      '/engagement_channels/0/default_content/order is not a known field and is ignored',
    ],
    [withBlock({ grid: { xxl: 6 } }), `${inBlock}/grid/xxl is not a known field and is ignored: did you mean \`xl\`?`],
    [
      withBlock({ agreementText: 'A' }),
      `${inBlock}/agreementText is not a known field here and is ignored: write it into \`data\``,
    ],
    [
      withBlock({ questions: [] }),
      `${inBlock}/questions is not a known field here and is ignored: write it into \`data\``,
    ],
    [withBlock({ md: 6 }), `${inBlock}/md is not a known field here and is ignored: write it into \`grid\``],
    [
      { templates: [{ palette: {} }] },
      '/templates/0/palette is not a known field here and is ignored: write it into `styles`',
    ],
    [
      { templates: [{ template_pages: [{ content_name: 'A' }] }] },
      '/templates/0/template_pages/0/content_name is not a known field here and is ignored: write it into `page`',
    ],
    [
      { templates: [{ styles: { h2: { color: '#123' } } }] },
      '/templates/0/styles/h2 is not a known field here and is ignored: write it into `custom`',
    ],
    [
      { templates: [{ styles: { palete: {} } }] },
      '/templates/0/styles/palete is not a known field and is ignored: did you mean `palette`?',
    ],
    [{ templates: [{ src: 'A' }] }, '/templates/0/src is not a known field and is ignored'],
    [
      templateWith({ content_containers: [{ engagement_channel: 'web' }] }),
      `${inPage}/content_containers/0/engagement_channel is not the id of a channel and is ignored: write \`engagement_channel_id\``,
    ],
  ])('%j', (document, warning) => {
    expect(warningsOf(document)).toEqual([warning]);
  });

  test('is found beside others, and within them', () => {
    const warnings = warningsOf({ templates: [{ one: 1, css: '', two: 2, template_pages: [{ three: 3 }] }] });
    expect(warnings.map((each) => each.split(' ')[0])).toEqual([
      '/templates/0/one',
      '/templates/0/two',
      '/templates/0/template_pages/0/three',
    ]);
  });
});

test.each<[what: string, document: unknown]>([
  ['known fields', templateWith({ content_blocks: [{ data: { heading: 'A' }, grid: { xs: 1 } }] })],
  ['data of a block', withBlock({ data: { anything: { at: 'all' } } })],
  ['any JSON', { templates: [{ facts: { a: 1 }, theme: { a: [{ b: 1 }] }, styles: { custom: { a: {} } } }] }],
  ['translations', { templates: [{ translations: { es: { A: 'B' } } }] }],
  ['a list of texts', templateWith({ completion_standardized_types: ['cd'] })],
  [
    'fields that responses have',
    templateWith(
      {
        team: null,
        team_id: 'a',
        content_blocks: [
          {
            ...{ container_id: 'a', container_type: 'page', content_container_id: null },
            ...{ message_id: null, page_id: 'a', template_id: 'a' },
          },
        ],
        content_containers: [{ engagement_channel: { id: 'a' } }, { engagement_channel: null }],
      },
      { has_survey_content_blocks: true, template_messages: [{ message: { objective: null } }] },
    ),
  ],
  ['values of another kind', { templates: { a: 1 }, objectives: [1, null, 'a', [{ a: 1 }]] }],
  ['no object', 'text'],
  ['null', null],
])('no field is unknown in %s', (_what, document) => {
  expect(warningsOf(document)).toEqual([]);
});
