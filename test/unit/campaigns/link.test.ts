import { describe, expect, test } from 'vitest';
import { type StoredDocument, storedDocument } from '../../../lib/domain/campaigns/document.ts';
import { linked, noContent } from '../../../lib/domain/campaigns/link.ts';
import { shownTemplateOf } from '../../../lib/domain/campaigns/shown-template.ts';
import { id, shown, teamId } from '../../support/samples/content-documents.ts';

const stored = (document: object): StoredDocument => storedDocument.parse(document);
const owner = { teamId, team: null };

describe('linked content', () => {
  test('has the objectives of the team and global ones, by key', () => {
    const objectives = (...entries: [n: number, key: string][]) =>
      stored({ objectives: entries.map(([n, key]) => ({ id: id(n), key })) });
    const own = objectives([5, 'b'], [4, 'd']);
    const global = objectives([3, 'c'], [2, 'b'], [1, 'a']);
    const shownObjectives = linked(own, global, owner).objectives;
    expect(shownObjectives.map((each) => [each.id, each.key, each.team_id])).toEqual([
      [id(1), 'a', null],
      [id(2), 'b', null],
      [id(5), 'b', teamId],
      [id(3), 'c', null],
      [id(4), 'd', teamId],
    ]);
  });

  test('has channels by name, then by id, and those without a name last', () => {
    const channels = [
      { id: id(1) },
      { id: id(2), name: 'b' },
      { id: id(3), name: 'a' },
      { id: id(5), name: 'c' },
      { id: id(4), name: 'c' },
      { id: id(0) },
      { id: id(6), name: 'aa' },
      { id: id(7), name: 'c' },
    ];
    const { engagement_channels } = linked(stored({ engagement_channels: channels }), noContent, owner);
    expect(engagement_channels.map((each) => each.id)).toEqual([3, 6, 2, 4, 5, 7, 0, 1].map(id));
  });

  test('has templates by targeting order, then by name and id, and those without an order last', () => {
    const templates = [
      { id: id(1), name: 'c', targeting_order: null },
      { id: id(2), name: 'b', targeting_order: 2 },
      { id: id(3), name: 'a', targeting_order: 2 },
      { id: id(4), name: 'd', targeting_order: 1 },
      { id: id(5), name: 'a2' },
      { id: id(7), name: 'e', targeting_order: 10 },
      { id: id(6), name: 'e', targeting_order: 10 },
    ];
    const content = linked(stored({ templates }), noContent, owner);
    expect(content.templates.map((each) => each.id)).toEqual([4, 3, 2, 6, 7, 5, 1].map(id));
  });

  test('has pages, messages and blocks in their order, and those without one last', () => {
    const orders = [undefined, 10, 2, undefined, 1];
    const expected = ['4', '2', '1', '0', '3'];
    const [template] = shown({
      templates: [
        {
          content_blocks: orders.map((order, at) => ({ order, slug: String(at) })),
          template_pages: orders.map((order, at) => ({ order, page: { slug: String(at) } })),
          template_messages: orders.map((order, at) => ({ order, message: { css: String(at) } })),
        },
      ],
    }).templates;
    expect(template!.content_blocks.map(({ slug }) => slug)).toEqual(expected);
    expect(template!.template_pages.map(({ page }) => page.slug)).toEqual(expected);
    expect(template!.template_messages.map(({ message }) => message.css)).toEqual(expected);
  });

  test('has no channel and no objective if content names none, or one that does not exist', () => {
    const [channel, objective] = [
      { id: id(1), name: 'Web' },
      { id: id(2), key: 'k' },
    ];
    for (const named of [null, id(3)]) {
      const page = { id: id(11), content_containers: [{ id: id(12), engagement_channel_id: named }] };
      const message = { id: id(14), objective_id: named };
      const pages = { template_pages: [{ id: id(15), page }], template_messages: [{ id: id(13), message }] };
      const all = { engagement_channels: [channel], objectives: [objective], templates: [{ id: id(10), ...pages }] };
      const { templates } = linked(stored(all), noContent, owner);
      const [container] = templates[0]!.template_pages[0]!.page.content_containers;
      expect(container!.engagement_channel).toBeNull();
      expect(templates[0]!.template_messages[0]!.message.objective).toBeNull();
    }
  });

  test('of a template is shown without its pages and messages, and without what the API does not have', () => {
    const [template] = shown({ templates: [{ name: 'A', language: 'cs', template_pages: [{ page: {} }] }] }).templates;
    const hidden = [
      'language',
      'translations',
      'translated_from',
      'words',
      'ending',
      'targeting_groups',
      'template_pages',
      'template_messages',
    ];
    const { name, ...rest } = shownTemplateOf(template!);
    expect(name).toBe('A');
    expect(Object.keys(rest).filter((each) => hidden.includes(each))).toEqual([]);
    expect(Object.keys(rest)).toHaveLength(Object.keys(template!).length - hidden.length - 1);
  });
});
