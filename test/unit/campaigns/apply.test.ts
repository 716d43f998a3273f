import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { changedPlans } from '../../../lib/domain/campaigns/message-plan.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, teamId } from '../../support/samples/content-documents.ts';
import { apply, errorsOf, firstImport, laterImport } from './content-imports.ts';

const sample = JSON.parse(readFileSync(`${projectRoot}/examples/campaigns.json`, 'utf8'));

describe('an import', () => {
  test('of the same document twice changes nothing, with ids and without', () => {
    const withoutIds = JSON.parse(
      JSON.stringify({ ...sample, templates: sample.templates.filter((_: unknown, n: number) => n !== 1) }),
      (key, value) => (/^id$|_id$/.test(key) ? undefined : value),
    );
    for (const document of [sample, withoutIds]) {
      const once = apply(noContent, document);
      const twice = apply(once.content, document, { now: laterImport });
      expect(twice.content).toEqual(once.content);
      expect(JSON.stringify(twice.content)).toBe(JSON.stringify(once.content));
      expect(twice.counts.templates).toEqual({ created: 0, updated: 0, unchanged: document.templates.length });
    }
  });

  test('of the same document changes nothing of content whose fields have another order', () => {
    const { content } = apply(noContent, sample);
    const templates = content.templates.map(
      (each) => Object.fromEntries(Object.entries(each).reverse()) as unknown as typeof each,
    );
    const { counts } = apply({ ...content, templates }, sample, { now: laterImport });
    expect(counts.templates).toEqual({ created: 0, updated: 0, unchanged: sample.templates.length });
  });

  test("gives the blocks of a channel's default content ids, which name nothing else", () => {
    const channel = (blocks: object[]) => ({ name: 'Web', default_content: { content_blocks: blocks } });
    const { content } = apply(noContent, { engagement_channels: [channel([{}])] });
    const [stored] = content.engagement_channels;
    expect(stored!.default_content!.content_blocks[0]!.id).toBe(`id:${stored!.id}/default_content/content_blocks/0`);
    const twice = { engagement_channels: [channel([{ id: id(1) }, { id: id(1) }])] };
    const path = '/engagement_channels/0/default_content/content_blocks';
    expect(errorsOf(noContent, twice)).toEqual([`${path}/1/id is the id of the content block at ${path}/0`]);
  });

  test('replaces an object whole and lets the others stay', () => {
    const { content } = apply(noContent, {
      templates: [
        { id: id(1), name: 'One', css: 'a', template_pages: [{ id: id(11), page: { id: id(12) } }] },
        {
          ...{ id: id(2), name: 'Two', template_pages: [{ id: id(21), page: { id: id(22) } }] },
          template_messages: [{ id: id(23), message: { id: id(24), css: 'b' } }],
        },
      ],
    });
    const { content: after, counts } = apply(content, { templates: [{ id: id(1), name: 'Uno' }, { id: id(3) }] });
    expect(counts.templates).toEqual({ created: 1, updated: 1, unchanged: 0 });
    expect(after.templates.map((each) => each.id)).toEqual([id(1), id(2), id(3)]);
    expect(after.templates[0]).toMatchObject({ name: 'Uno', css: null, template_pages: [], inserted_at: firstImport });
    expect(after.templates[1]).toEqual(content.templates[1]);
  });

  test('gives a page that changed the time of the import, and only such', () => {
    const document = (css: string) => ({
      templates: [{ id: id(1), template_pages: [{ page: { id: id(2), css } }, { page: { id: id(3) } }] }],
    });
    const { content } = apply(noContent, document('a'));
    const { content: after } = apply(content, document('b'), { now: laterImport });
    expect(after.templates[0]!.template_pages.map(({ page }) => page.updated_at)).toEqual([laterImport, firstImport]);
  });

  test('keeps the time of the import that first had a template', () => {
    const { content } = apply(noContent, { templates: [{ id: id(1) }] });
    const both = { templates: [{ id: id(2) }, { id: id(1) }] };
    const { content: after } = apply(content, both, { now: laterImport });
    expect(after.templates.map(({ inserted_at }) => inserted_at)).toEqual([firstImport, laterImport]);
    const given = { templates: [{ id: id(1), inserted_at: '2025-01-01T00:00:00.000000Z' }] };
    expect(apply(content, given).content.templates[0]).toMatchObject(given.templates[0]!);
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

/** Contract, section 15: a message is not sent for a time that had passed before it went live. */
describe('a message is live', () => {
  const welcome = { send_offset_hours: 1, message: {} };
  const document = (timing: object = {}, fields: object = {}, message: object = {}) => ({
    templates: [
      { id: id(1), status: 'live', ...fields, template_messages: [{ id: id(2), ...welcome, ...timing, message }] },
    ],
  });
  const sinceOf = ({ content }: ReturnType<typeof apply>) => content.templates[0]!.template_messages[0]!.live_since;
  const later = { now: laterImport };

  test.each<[why: string, before: object, after: object, since: string | undefined]>([
    ['since it was imported first', document(), document(), firstImport],
    ['whatever its content becomes', document(), document({}, {}, { payload: { subject: 'Hi' } }), firstImport],
    ['whatever its campaign becomes', document(), document({}, { name: 'New', is_muted: true }), firstImport],
    ['since it has another offset', document(), document({ send_offset_hours: 2 }), laterImport],
    ['since it has another time of the day', document(), document({ send_at: '09:00' }), laterImport],
    ['since its campaign is live', document({}, { status: 'draft' }), document(), laterImport],
    ['since its campaign is no longer archived', document({}, { is_archived: true }), document(), laterImport],
    ['since it is no longer archived', document({}, {}, { is_archived: true }), document(), laterImport],
    [
      'since its content is no longer a draft',
      document({}, {}, { content_block_status: 'draft' }),
      document(),
      laterImport,
    ],
    ['until it has no time', document(), document({ send_offset_hours: null }), undefined],
    ['until its campaign is archived', document(), document({}, { is_archived: true }), undefined],
  ])('%s', (_, before, after, since) => {
    expect(sinceOf(apply(apply(noContent, before).content, after, later))).toBe(since);
  });

  test('since then too if all content is replaced', () => {
    const before = apply(noContent, document()).content;
    expect(sinceOf(apply(noContent, document(), { ...later, before }))).toBe(firstImport);
  });

  test.each<[why: string, before: object, after: object, changed: boolean]>([
    ['its campaign changes', document(), document({}, { name: 'New' }), false],
    ['it goes live', document({}, { status: 'draft' }), document(), true],
    ['it has another time', document(), document({ send_offset_hours: 2 }), true],
    ['its campaign is no longer muted', document({}, { is_muted: true }), document(), true],
    ['its campaign is muted', document(), document({}, { is_muted: true }), false],
  ])('and the journeys are planned anew, if %s', (_, before, after, changed) => {
    const stored = apply(noContent, before).content;
    expect(changedPlans(stored, apply(stored, after, later).content)).toEqual(changed ? [id(1)] : []);
  });
});
