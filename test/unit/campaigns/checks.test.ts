import { describe, expect, test } from 'vitest';
import { completionSetErrors } from '../../../lib/content/checks.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { type TeamFeature, teamFeatures } from '../../../lib/domain/teams/team.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { id, inMessage, inPage, teamId, templateWith } from '../../support/samples/content-documents.ts';
import { apply, errorsOf } from './content-imports.ts';

const twice = (objects: object) => [objects, objects];
const pages = (...template_pages: object[]) => ({ templates: [{ template_pages }] });
const messages = (...template_messages: object[]) => ({ templates: [{ template_messages }] });

/** Content with an object of every kind, each with the id of its number. */
const stored = () =>
  apply(noContent, {
    objectives: [{ id: id(1), key: 'taken' }],
    engagement_channels: [{ id: id(2), default_content: { content_blocks: [{ id: id(12) }] } }],
    templates: [
      {
        id: id(3),
        content_blocks: [{ id: id(13) }],
        template_pages: [
          {
            id: id(4),
            page: {
              id: id(5),
              content_blocks: [{ id: id(6) }],
              content_containers: [{ id: id(14), content_blocks: [{ id: id(15) }] }],
            },
          },
        ],
        template_messages: [{ id: id(16), message: { id: id(17), content_blocks: [{ id: id(18) }] } }],
      },
    ],
  }).content;

describe('errors of what does not go together', () => {
  const [unknown, taken] = [{ objective_id: id(7) }, { id: id(7), key: 'taken' }];
  const notObjective = 'must be the id of an existing objective';
  test.each<[what: string, document: object, errors: string[]]>([
    [
      'a name twice, from which the id is made',
      { templates: twice({ name: 'A' }), engagement_channels: twice({ name: 'B' }) },
      ['/engagement_channels/1/name is also the name of /engagement_channels/0', '/templates/1/name is also the name'],
    ],
    [
      'an id twice in a list',
      { objectives: ['a', 'b'].map((key) => ({ id: id(7), key })) },
      ['/objectives/1/id is also the id of /objectives/0'],
    ],
    [
      'an id three times in a list',
      { templates: [...twice({ id: id(7), name: 'A' }), { id: id(7), name: 'A' }] },
      ['/templates/1/id is also the id of /templates/0', '/templates/2/id is also the id of /templates/0'],
    ],
    [
      'an id of another kind within the document',
      { objectives: [{ id: id(7), key: 'a' }], templates: [{ id: id(7) }] },
      ['/templates/0/id is the id of the objective at /objectives/0'],
    ],
    [
      'two objectives with one key',
      { objectives: [7, 8].map((n) => ({ id: id(n), key: 'a' })) },
      ['/objectives/1/key is the key of another objective'],
    ],
    ['the key of a stored objective', { objectives: [taken] }, ['/objectives/0/key is the key of another objective']],
    ['the former key of a stored objective', { objectives: [{ id: id(1), key: 'other' }, taken] }, []],
    [
      'an objective twice without an id',
      { objectives: twice({ key: 'a', name: 'A' }) },
      ['/objectives/1/key is the key of another objective', '/objectives/1/id is also the id of /objectives/0'],
    ],
    ['an unknown objective of a page', templateWith(unknown), [`${inPage}/objective_id ${notObjective}`]],
    [
      'an unknown objective of a message',
      messages({ message: unknown }),
      [`${inMessage}/objective_id ${notObjective}`],
    ],
    [
      'an unknown channel',
      templateWith({ content_containers: [{}, { engagement_channel_id: id(7) }] }),
      [`${inPage}/content_containers/1/engagement_channel_id must be the id of an existing engagement channel`],
    ],
    [
      'a stored objective and a stored channel',
      templateWith({ objective_id: id(1), content_containers: [{ engagement_channel_id: id(2) }] }),
      [],
    ],
    [
      'two pages of one order',
      pages({ order: 1, page: {} }, { order: 1, page: {} }, { page: {} }, { page: {} }),
      ['/templates/0/template_pages/1/order is the order of another page of this template'],
    ],
    [
      'a page twice in a template',
      pages({ page: { id: id(7) } }, { page_id: id(7) }),
      ['/templates/0/template_pages/1/page_id is already a page of this template'],
    ],
    [
      "a message for another template's page",
      messages({ template_page_id: id(4), message: {} }),
      ['/templates/0/template_messages/0/template_page_id must be the id of an existing page of the template'],
    ],
    [
      'two times of a message',
      messages({ send_offset_hours: 0, scheduled_at: '2026-01-01', message: {} }),
      ['/templates/0/template_messages/0/send_offset_hours must not be set together with `scheduled_at`'],
    ],
    [
      'more than 50 messages',
      messages(...Array.from({ length: 51 }, () => ({ message: {} }))),
      ['/templates/0/template_messages must not be more than 50 messages'],
    ],
    [
      "another team's objective",
      { objectives: [{ key: 'a', team_id: id(7) }] },
      ['/objectives/0/team_id must be the team of the import'],
    ],
  ])('%s', (_what, document, errors) => {
    expect(errorsOf(stored(), document)).toEqual(errors.map((each) => expect.stringContaining(each)));
  });

  test.each<[what: string, channels: object[], errors: number[]]>([
    ['as many fields as there are indexes, with those of stored channels', [{ lookup_fields: ['city', 'state'] }], []],
    ['one too many', [{ lookup_fields: ['email', 'city', 'state', 'county'] }], [0]],
    [
      'one too many in the second of three channels',
      [{ lookup_fields: ['city', 'state'] }, { lookup_fields: ['county'] }, { lookup_fields: ['city'] }],
      [1],
    ],
    [
      'the fields of a stored channel that the document replaces',
      [{ id: id(2), lookup_fields: ['city'] }, { lookup_fields: ['state', 'county', 'country'] }],
      [],
    ],
  ])('lookup fields: %s', (_what, channels, errors) => {
    const before = apply(noContent, { engagement_channels: [{ id: id(2), lookup_fields: ['email', 'name_first'] }] });
    const engagement_channels = channels.map((each, n) => ({ name: `${n}`, ...each }));
    expect(errorsOf(before.content, { engagement_channels })).toEqual(
      errors.map(
        (index) =>
          `/engagement_channels/${index}/lookup_fields must not bring the channels of the team to more than 4 different fields in total`,
      ),
    );
  });

  test('the sender of messages is one of those of the team, if it has any', () => {
    const from = (email_sender_address: string, senders: string[]) =>
      errorsOf(stored(), { templates: [{ email_sender_address }] }, { senders });
    const senders = ['hello@bank.example', '@mail.bank.example'];
    for (const address of ['hello@bank.example', 'Hello@Bank.example', 'a@mail.bank.example'])
      expect(from(address, senders)).toEqual([]);
    for (const address of ['other@bank.example', 'a@x.mail.bank.example', '', 'hello'])
      expect(from(address, senders)).toEqual([
        '/templates/0/email_sender_address must be one of the senders of the team: hello@bank.example, @mail.bank.example. `team update --sender` adds one',
      ]);
    expect(from('other@bank.example', [])).toEqual([]);
  });

  test('a name that is written twice is explained, if both ids are made from it', () => {
    const [made, given] = [{ name: 'A' }, { id: id(7), name: 'A' }];
    const errors = (...templates: object[]) => errorsOf(noContent, { templates }, { idOf: () => id(7) });
    expect(errors(made, made)).toEqual([
      '/templates/1/name is also the name of /templates/0, and the id is made from the name: write another name, or an `id` into both',
    ]);
    for (const templates of [
      [made, given],
      [given, made],
      [{}, {}],
    ]) {
      expect(errors(...templates)).toEqual(['/templates/1/id is also the id of /templates/0']);
    }
  });

  test('global content is objectives of no team, which every team may refer to', () => {
    const document = { objectives: [{ key: 'a', team_id: teamId }], engagement_channels: [{}], templates: [{}] };
    expect(errorsOf(noContent, document, { team: null })).toEqual([
      '/objectives/0/team_id must be null: the objective is global',
      '/engagement_channels must belong to a team (--team): only objectives can be global',
      '/templates must belong to a team (--team): only objectives can be global',
    ]);
    const { content } = apply(noContent, { objectives: [{ key: 'a' }] }, { team: null });
    expect(content.objectives[0]!.team_id).toBeNull();
    expect(errorsOf(noContent, { objectives: [{ key: 'a', team_id: teamId }] })).toEqual([]);
    const globalObjectives = [{ id: id(7), key: 'global' }];
    expect(errorsOf(stored(), templateWith({ objective_id: id(7) }), { globalObjectives })).toEqual([]);
    expect(errorsOf(stored(), { objectives: [{ id: id(7), key: 'a' }] }, { globalObjectives })).toEqual([
      '/objectives/0/id is the id of a global objective',
    ]);
  });

  test('are told beside fields that are wrong by themselves', () => {
    const page = { objective_id: id(7), completion_standardized_types: ['x'] };
    const document = { templates: [{ status: 'x', template_pages: [{ page }] }] };
    const read = readDocument(document as JsonValue);
    expect(read.errors.map(({ path }) => path)).toEqual([
      '/templates/0/status',
      `${inPage}/completion_standardized_types/0`,
    ]);
    expect(errorsOf(stored(), document)).toEqual([`${inPage}/objective_id ${notObjective}`]);
  });

  test.each<[timing: object, field: string | undefined]>([
    [{ send_offset_hours: 0, send_at: '00:00' }, undefined],
    [{ send_offset_hours: 8760, send_at: '23:59' }, undefined],
    [{ send_offset_hours: 0.25 }, undefined],
    [{ send_offset_hours: -0.1 }, 'send_offset_hours'],
    [{ send_offset_hours: 8760.1 }, 'send_offset_hours'],
    [{ send_offset_hours: '1' }, 'send_offset_hours'],
    [{ send_at: '24:00' }, 'send_at'],
    [{ send_at: '9:00' }, 'send_at'],
    [{ send_at: '09:00:00' }, 'send_at'],
    [{ send_at: 9 }, 'send_at'],
  ])('are told of the time %j of a message', (timing, field) => {
    const { errors } = readDocument(messages({ ...timing, message: {} }) as unknown as JsonValue);
    expect(errors.map(({ path }) => path)).toEqual(
      field === undefined ? [] : [`/templates/0/template_messages/0/${field}`],
    );
  });
});

describe('an id that is used twice', () => {
  test.each([
    ['engagement channel', 2],
    ['content block', 12],
    ['template', 3],
    ['content block', 13],
    ['template page', 4],
    ['page', 5],
    ['content block', 6],
    ['content container', 14],
    ['content block', 15],
    ['template message', 16],
    ['message', 17],
    ['content block', 18],
  ])('is an error if a stored %s has it: %i', (kind, n) => {
    expect(errorsOf(stored(), { objectives: [{ id: id(n), key: 'a' }] })).toEqual([
      `/objectives/0/id is the id of a stored ${kind}`,
    ]);
  });

  test('is an error if a stored objective has it', () => {
    expect(errorsOf(stored(), { templates: [{ id: id(1) }] })).toEqual([
      '/templates/0/id is the id of a stored objective',
    ]);
  });

  const other = { id: id(7), key: 'other' };
  const blocks = { content_blocks: [{}, other] };
  test.each<[path: string, document: object]>([
    ['/engagement_channels/0', { engagement_channels: [other] }],
    ['/engagement_channels/0/default_content/content_blocks/1', { engagement_channels: [{ default_content: blocks }] }],
    ['/templates/0', { templates: [other] }],
    ['/templates/0/content_blocks/1', { templates: [blocks] }],
    ['/templates/0/template_pages/1', pages({ page: {} }, { ...other, page: {} })],
    [inPage, templateWith(other)],
    [`${inPage}/content_blocks/1`, templateWith(blocks)],
    [`${inPage}/content_containers/1`, templateWith({ content_containers: [{}, other] })],
    [`${inPage}/content_containers/1/content_blocks/1`, templateWith({ content_containers: [{}, blocks] })],
    ['/templates/0/template_messages/1', messages({ message: {} }, { ...other, message: {} })],
    [inMessage, messages({ message: other })],
    [`${inMessage}/content_blocks/1`, messages({ message: blocks })],
  ])('is an error within the document, at the second object: %s', (path, document) => {
    expect(errorsOf(noContent, { objectives: [other], ...document })).toEqual([
      `${path}/id is the id of the objective at /objectives/0`,
    ]);
  });

  test('is no error if the objects are one page or message that templates share', () => {
    const shared = {
      template_pages: [{ page: { id: id(8), content_blocks: [{ id: id(9) }] } }],
      template_messages: [{ message: { id: id(10), content_blocks: [{ id: id(11) }] } }],
    };
    const templates = ['A', 'B'].map((name) => ({ name, ...shared }));
    expect(errorsOf(noContent, { templates })).toEqual([]);
  });

  test.each<[what: string, fields: object, path: string]>([
    ['page', { template_pages: [{ page: { id: id(5), content_blocks: [{ id: id(1) }] } }] }, inPage],
    ['message', { template_messages: [{ message: { id: id(17), content_blocks: [{ id: id(1) }] } }] }, inMessage],
  ])('is at the %s of the document if a stored template shares it', (_what, fields, path) => {
    expect(errorsOf(stored(), { templates: [{ name: 'Other', ...fields }] })).toEqual([
      `${path}/content_blocks/0/id is the id of a stored objective`,
    ]);
  });
});

describe('a page or message', () => {
  const kinds = [
    ['page', pages],
    ['message', messages],
  ] as const;
  test.each(kinds)('is required: %s', (kind, documentOf) => {
    const path = `/templates/0/template_${kind}s/0`;
    expect(errorsOf(stored(), documentOf({}))).toEqual([
      `${path}/${kind} is required, unless ${kind}_id is the id of an existing ${kind}`,
    ]);
    expect(errorsOf(stored(), documentOf({ [`${kind}_id`]: id(7) }))).toEqual([
      `${path}/${kind}_id must be the id of an existing ${kind}`,
    ]);
    expect(errorsOf(stored(), documentOf({ [`${kind}_id`]: id(7), [kind]: { id: id(8) } }))).toEqual([
      `${path}/${kind}_id must be the id of the ${kind}`,
    ]);
  });

  test.each(kinds)('that templates share has one content: %s', (kind, documentOf) => {
    const templates = ['a', 'b'].map((css) => ({
      ...documentOf({ [kind]: { id: id(7), css } }).templates[0],
      name: css,
    }));
    const path = (template: number) => `/templates/${template}/template_${kind}s/0/${kind}`;
    expect(errorsOf(stored(), { templates })).toEqual([
      `${path(1)} must be identical to ${path(0)}, which has the same id`,
    ]);
  });

  test.each(kinds)('may be named by its id, in the document or stored: %s', (kind, documentOf) => {
    const named = documentOf({ [kind]: { id: id(7) } }, { [`${kind}_id`]: kind === 'page' ? id(5) : id(17) });
    const again = { ...documentOf({ [`${kind}_id`]: id(7) }).templates[0], name: 'Again' };
    expect(errorsOf(stored(), { templates: [...named.templates, again] })).toEqual([]);
  });
});

describe('the rule on completion product sets', () => {
  type Sets = Parameters<typeof completionSetErrors>[0];
  const none: Sets = { completion_product_ids: [], completion_standardized_types: [] };
  const products = (...ids: number[]): Sets => ({ ...none, completion_product_ids: ids.map(id) });
  const types = (...values: Sets['completion_standardized_types']): Sets => ({
    ...none,
    completion_standardized_types: values,
  });
  const both: Sets = { ...products(1), completion_standardized_types: ['cd'] };
  const [one, two] = teamFeatures;

  test.each<[what: string, given: Sets, stored: Sets | undefined, features: TeamFeature[], paths: string[]]>([
    ['empty sets are always right', none, products(1), [], []],
    ['products are taken with both features', products(1), none, [one, two], []],
    ['standardized types are taken with both features', types('cd'), none, [two, one], []],
    ['never both', both, none, [one, two], ['/p/completion_standardized_types']],
    ['never both, though it is stored so', both, both, [one, two], ['/p/completion_standardized_types']],
    ['refused without features', products(1), none, [], ['/p/completion_product_ids']],
    ['refused with the first feature alone', products(1), undefined, [one], ['/p/completion_product_ids']],
    ['refused with the second feature alone', types('cd'), none, [two], ['/p/completion_standardized_types']],
    ['the stored set may be said again', products(1, 2), products(2, 1), [], []],
    ['a smaller set changes it too', products(1), products(1, 2), [], ['/p/completion_product_ids']],
    ['so does one other product', products(1, 2), products(1, 3), [], ['/p/completion_product_ids']],
    ['so do other types', types('loc'), types('cd'), [one], ['/p/completion_standardized_types']],
  ])('%s', (_what, given, stored, features, paths) => {
    expect(completionSetErrors(given, stored, features, '/p').map(({ path }) => path)).toEqual(paths);
  });

  test('says what is wrong', () => {
    const message = 'must be empty when completion_product_ids is not empty';
    expect(completionSetErrors(both, both, [], '/p')).toEqual([{ path: '/p/completion_standardized_types', message }]);
  });

  test('is held at an import against the stored page', () => {
    const document = (n: number) => ({
      templates: [{ id: id(1), template_pages: [{ page: { id: id(2), completion_product_ids: [id(n)] } }] }],
    });
    const { content } = apply(noContent, document(5), { features: [one, two] });
    expect(errorsOf(content, document(5))).toEqual([]);
    expect(errorsOf(content, document(6))).toEqual([
      `${inPage}/completion_product_ids must not change: the team does not have the features ${one}, ${two}`,
    ]);
  });
});
