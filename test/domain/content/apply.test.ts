import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyContent } from '../../../lib/domain/content/apply.ts';
import { completionSetErrors } from '../../../lib/domain/content/completion-sets.ts';
import { noContent, type StoredDocument } from '../../../lib/domain/content/document.ts';
import { readDocument } from '../../../lib/domain/content/read.ts';
import type { JsonValue } from '../../../lib/domain/json.ts';
import { type TeamFeature, teamFeatures } from '../../../lib/domain/team.ts';
import { projectRoot } from '../../architecture/sources.ts';

const teamId = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const first = '2026-01-01T00:00:00.000000Z';
const later = '2026-02-02T00:00:00.000000Z';

type Options = { features?: TeamFeature[]; now?: string; team?: string | null; globalObjectives?: { id: string }[] };
function attempt(stored: StoredDocument, document: object, options: Options = {}) {
  const { features = [], now = first, team = teamId, globalObjectives = [] } = options;
  const { document: given } = readDocument(document as JsonValue);
  return applyContent(stored, given!, { teamId: team, features, globalObjectives, idOf: (name) => `id:${name}`, now });
}
function apply(stored: StoredDocument, document: object, options?: Options) {
  const applied = attempt(stored, document, options);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return applied;
}
function errors(stored: StoredDocument, document: object, options?: Options) {
  const applied = attempt(stored, document, options);
  return 'errors' in applied ? applied.errors.map(({ path }) => path) : [];
}

const sample = JSON.parse(readFileSync(`${projectRoot}/examples/campaigns.json`, 'utf8'));

describe('an import', () => {
  test('of the same document twice changes nothing, with ids and without', () => {
    const withoutIds = JSON.parse(
      JSON.stringify({ ...sample, templates: sample.templates.filter((_: unknown, n: number) => n !== 1) }),
      (key, value) => (/^id$|_id$/.test(key) ? undefined : value),
    );
    for (const document of [sample, withoutIds]) {
      const once = apply(noContent, document);
      const twice = apply(once.content, document, { now: later });
      expect(twice.content).toEqual(once.content);
      expect(JSON.stringify(twice.content)).toBe(JSON.stringify(once.content));
      expect(twice.counts.templates).toEqual({ created: 0, updated: 0, unchanged: document.templates.length });
    }
  });

  test("gives the blocks of a channel's default content ids, which name nothing else", () => {
    const channel = (blocks: object[]) => ({ name: 'Web', default_content: { content_blocks: blocks } });
    const { content } = apply(noContent, { engagement_channels: [channel([{}])] });
    const [stored] = content.engagement_channels;
    expect(stored!.default_content!.content_blocks[0]!.id).toBe(`id:${stored!.id}/default_content/content_blocks/0`);
    const twice = { engagement_channels: [channel([{ id: id(1) }, { id: id(1) }])] };
    expect(errors(noContent, twice)).toEqual(['/engagement_channels/0/default_content/content_blocks/1/id']);
  });

  test('replaces an object whole and lets the others stay', () => {
    const { content } = apply(noContent, {
      templates: [
        { id: id(1), name: 'One', css: 'a', template_pages: [{ id: id(11), page: { id: id(12) } }] },
        { id: id(2), name: 'Two' },
      ],
    });
    const { content: after, counts } = apply(content, { templates: [{ id: id(1), name: 'Uno' }, { id: id(3) }] });
    expect(counts.templates).toEqual({ created: 1, updated: 1, unchanged: 0 });
    expect(after.templates.map((each) => each.id)).toEqual([id(1), id(2), id(3)]);
    expect(after.templates[0]).toMatchObject({ name: 'Uno', css: null, template_pages: [], inserted_at: first });
    expect(after.templates[1]).toEqual(content.templates[1]);
  });

  test('gives a page that changed the time of the import, and only such', () => {
    const document = (css: string) => ({
      templates: [{ id: id(1), template_pages: [{ page: { id: id(2), css } }, { page: { id: id(3) } }] }],
    });
    const { content } = apply(noContent, document('a'));
    const { content: after } = apply(content, document('b'), { now: later });
    expect(after.templates[0]!.template_pages.map(({ page }) => page.updated_at)).toEqual([later, first]);
  });

  test('finds an objective without an id by its key', () => {
    const { content } = apply(noContent, { objectives: [{ id: id(1), key: 'k' }] });
    const { content: after } = apply(content, { objectives: [{ key: 'k', name: 'K' }] });
    expect(after.objectives).toMatchObject([{ id: id(1), name: 'K', team_id: teamId }]);
  });

  test('changes a shared page in every template that shows it', () => {
    const { content } = apply(noContent, {
      templates: [
        { id: id(1), template_pages: [{ page: { id: id(9), css: 'a' } }] },
        { id: id(2), template_pages: [{ page_id: id(9) }] },
      ],
    });
    expect(content.templates[1]!.template_pages[0]!.page.css).toBe('a');
    const change = { templates: [{ id: id(1), template_pages: [{ page: { id: id(9), css: 'b' } }] }] };
    expect(apply(content, change).content.templates[1]!.template_pages[0]!.page.css).toBe('b');
  });
});

describe('errors of what does not go together', () => {
  const stored = apply(noContent, {
    objectives: [{ id: id(1), key: 'taken' }],
    engagement_channels: [{ id: id(2) }],
    templates: [{ id: id(3), template_pages: [{ id: id(4), page: { id: id(5), content_blocks: [{ id: id(6) }] } }] }],
  }).content;
  const page = (fields: object) => ({ templates: [{ template_pages: [{ page: fields }] }] });
  const inPage = '/templates/0/template_pages/0/page';

  test.each<[what: string, document: object, paths: string[]]>([
    [
      'a name twice, from which the id is made',
      { templates: [{ name: 'A' }, { name: 'A' }], engagement_channels: [{ name: 'B' }, { name: 'B' }] },
      ['/engagement_channels/1/name', '/templates/1/name'],
    ],
    [
      'an id twice in a list',
      {
        objectives: [
          { id: id(7), key: 'a' },
          { id: id(7), key: 'b' },
        ],
      },
      ['/objectives/1/id'],
    ],
    [
      'an id of another kind within the document',
      { objectives: [{ id: id(7), key: 'a' }], templates: [{ id: id(7) }] },
      ['/templates/0/id'],
    ],
    ['a template with the id of a stored objective', { templates: [{ id: id(1) }] }, ['/templates/0/id']],
    ['an objective with the id of a stored block', { objectives: [{ id: id(6), key: 'a' }] }, ['/objectives/0/id']],
    ['a page with the id of a stored channel', page({ id: id(2) }), [`${inPage}/id`]],
    [
      'a block with the id of its page',
      page({ id: id(7), content_blocks: [{ id: id(7) }] }),
      [`${inPage}/content_blocks/0/id`],
    ],
    [
      'two objectives with one key',
      {
        objectives: [
          { id: id(7), key: 'a' },
          { id: id(8), key: 'a' },
        ],
      },
      ['/objectives/1/key'],
    ],
    ['the key of a stored objective', { objectives: [{ id: id(7), key: 'taken' }] }, ['/objectives/0/key']],
    ['an unknown objective of a page', page({ objective_id: id(7) }), [`${inPage}/objective_id`]],
    [
      'an unknown objective of a message',
      { templates: [{ template_messages: [{ message: { objective_id: id(7) } }] }] },
      ['/templates/0/template_messages/0/message/objective_id'],
    ],
    [
      'an unknown channel',
      page({ content_containers: [{ engagement_channel_id: id(7) }] }),
      [`${inPage}/content_containers/0/engagement_channel_id`],
    ],
    [
      'two pages of one order',
      {
        templates: [
          {
            template_pages: [
              { order: 1, page: {} },
              { order: 1, page: {} },
            ],
          },
        ],
      },
      ['/templates/0/template_pages/1/order'],
    ],
    [
      'a page twice in a template',
      { templates: [{ template_pages: [{ page: { id: id(7) } }, { page_id: id(7) }] }] },
      ['/templates/0/template_pages/1/page_id'],
    ],
    ['no page at all', { templates: [{ template_pages: [{}] }] }, [inPage]],
    [
      'an unknown page_id',
      { templates: [{ template_pages: [{ page_id: id(7) }] }] },
      ['/templates/0/template_pages/0/page_id'],
    ],
    [
      'a page_id that is not the page',
      { templates: [{ template_pages: [{ page_id: id(7), page: { id: id(8) } }] }] },
      ['/templates/0/template_pages/0/page_id'],
    ],
    [
      'one page with two contents',
      {
        templates: [
          { name: 'a', template_pages: [{ page: { id: id(7), css: 'a' } }] },
          { name: 'b', template_pages: [{ page: { id: id(7), css: 'b' } }] },
        ],
      },
      ['/templates/1/template_pages/0/page'],
    ],
    [
      "a message for another template's page",
      { templates: [{ template_messages: [{ template_page_id: id(4), message: {} }] }] },
      ['/templates/0/template_messages/0/template_page_id'],
    ],
    ["another team's objective", { objectives: [{ key: 'a', team_id: id(7) }] }, ['/objectives/0/team_id']],
  ])('%s', (_what, document, paths) => {
    expect(errors(stored, document)).toEqual(paths);
  });

  test('global content is objectives of no team, which every team may refer to', () => {
    const document = { objectives: [{ key: 'a', team_id: teamId }], engagement_channels: [{}], templates: [{}] };
    expect(errors(noContent, document, { team: null })).toEqual([
      '/objectives/0/team_id',
      '/engagement_channels',
      '/templates',
    ]);
    expect(apply(noContent, { objectives: [{ key: 'a' }] }, { team: null }).content.objectives[0]!.team_id).toBeNull();
    const globalObjectives = [{ id: id(7) }];
    expect(errors(stored, page({ objective_id: id(7) }), { globalObjectives })).toEqual([]);
    expect(errors(stored, { objectives: [{ id: id(7), key: 'a' }] }, { globalObjectives })).toEqual([
      '/objectives/0/id',
    ]);
  });

  test('are told beside fields that are wrong by themselves', () => {
    const document = {
      templates: [
        { status: 'x', template_pages: [{ page: { objective_id: id(7), completion_standardized_types: ['x'] } }] },
      ],
    };
    const read = readDocument(document as JsonValue);
    expect(read.errors.map(({ path }) => path)).toEqual([
      '/templates/0/status',
      `${inPage}/completion_standardized_types/0`,
    ]);
    expect(errors(stored, document)).toEqual([`${inPage}/objective_id`]);
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
    ['so do other types', types('loc'), types('cd'), [one], ['/p/completion_standardized_types']],
  ])('%s', (_what, given, stored, features, paths) => {
    expect(completionSetErrors(given, stored, features, '/p').map(({ path }) => path)).toEqual(paths);
  });

  test('is held at an import against the stored page', () => {
    const document = (n: number) => ({
      templates: [{ id: id(1), template_pages: [{ page: { id: id(2), completion_product_ids: [id(n)] } }] }],
    });
    const { content } = apply(noContent, document(5), { features: [one, two] });
    expect(errors(content, document(5))).toEqual([]);
    expect(errors(content, document(6))).toEqual(['/templates/0/template_pages/0/page/completion_product_ids']);
  });
});
