import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { teamFeatures } from '../../../lib/domain/teams/team.ts';
import { derivedContentId } from '../../../lib/store/table/ids.ts';
import { id, teamId } from '../../support/samples/content-documents.ts';
import { apply, laterImport } from './content-imports.ts';

const page = (title: string, body = `About ${title}`, more: object = {}) => ({
  content_name: title,
  content_blocks: [{ type: 'text', data: { body } }],
  ...more,
});
const template = (pages: object[], more: object = {}) => ({
  name: 'Welcome',
  template_pages: pages.map((each, at) => ({ order: at + 1, page: each })),
  ...more,
});
const of = (...templates: object[]) => ({ templates });
const pagesOf = (applied: ReturnType<typeof apply>) => applied.content.templates[0]!.template_pages;
const idsOf = (applied: ReturnType<typeof apply>) =>
  Object.fromEntries(pagesOf(applied).map(({ page: { content_name, id } }) => [content_name, id]));
const stored = (pages: object[], more?: object) => apply(noContent, of(template(pages, more)));
const then = (first: ReturnType<typeof apply>, pages: object[], more?: object) =>
  apply(first.content, of(template(pages, more)), { now: laterImport });
const changesOf = ({ changes }: ReturnType<typeof apply>) =>
  changes.map(({ kind, path, title, formerTitle }) => `${kind} ${path} ${title} ${formerTitle}`);

describe('pages without ids', () => {
  const [a, b, c] = [page('A'), page('B'), page('C')];

  test('keep their ids and those of their template pages behind a page that is inserted', () => {
    const first = stored([a, b]);
    const next = then(first, [page('New'), a, b]);
    expect(pagesOf(next).slice(1)).toMatchObject(pagesOf(first).map(({ id, page_id }) => ({ id, page_id })));
    expect(new Set(Object.values(idsOf(next))).size).toBe(3);
    expect(changesOf(next)).toEqual(['added /templates/0/template_pages/0/page "New" "New"']);
  });

  test('keep them when others are removed or moved, and a removed page gives its id to nobody', () => {
    const first = stored([a, b, c]);
    const [ids, removed] = [idsOf(first), then(first, [c, a])];
    expect(idsOf(removed)).toEqual({ C: ids.C, A: ids.A });
    expect(changesOf(removed)).toEqual(['removed /templates/0/template_pages "B" "B"']);
    const again = then(removed, [c, a, page('D')]);
    expect(Object.values(ids)).not.toContain(idsOf(again).D);
    expect(then(again, [c, a, page('D')]).counts.templates).toEqual({ created: 0, updated: 0, unchanged: 1 });
  });

  test('are told by their heading without a content_name, and by their content under another title', () => {
    const headed = (heading: string, body: string) => ({
      content_blocks: [{ type: 'heading', data: { heading, body } }],
    });
    const first = stored([headed('One', 'a'), headed('Two', 'b'), a]);
    const ids = pagesOf(first).map((each) => each.page.id);
    const next = then(first, [page('Renamed', 'About A'), headed('Two', 'other'), headed('One', 'a')]);
    expect(pagesOf(next).map((each) => each.page.id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(changesOf(next)).toEqual([]);
  });

  test('that only their place makes the same are replaced', () => {
    const next = then(stored([a, b]), [page('X'), b]);
    expect(idsOf(next).X).toBe(idsOf(stored([a, b])).A);
    expect(changesOf(next)).toEqual(['replaced /templates/0/template_pages/0/page "X" "A"']);
  });

  test('are not matched with an id of their own, nor with pages of another template', () => {
    const first = stored([a, b]);
    const own = then(first, [{ ...a, id: id(5) }, b]);
    expect(idsOf(own)).toEqual({ A: id(5), B: idsOf(first).B });
    expect(changesOf(own)).toEqual([
      'added /templates/0/template_pages/0/page "A" "A"',
      'removed /templates/0/template_pages "A" "A"',
    ]);
    const other = apply(first.content, of({ ...template([a]), name: 'Other' }));
    expect(other.content.templates[1]!.template_pages[0]!.page_id).not.toBe(idsOf(first).A);
  });

  const names = fc.uniqueArray(fc.constantFrom(...'ABCDEFGHIJ'), { maxLength: 8 });
  test('keep their ids through any insertions, removals and moves that leave them recognisable', () => {
    fc.assert(
      fc.property(fc.array(names, { minLength: 2, maxLength: 4 }), (documents) => {
        let content = noContent;
        const known = new Map<string, string>();
        for (const titles of documents) {
          const before = new Set(content.templates[0]?.template_pages.map((each) => each.page.content_name));
          // A page without a counterpart can take the place of one that is removed; the administrator is asked about it.
          const applied = apply(content, of(template(titles.map((title) => page(title)))));
          const ids = Object.entries(idsOf(applied));
          expect(new Set(ids.map(([, each]) => each)).size).toBe(ids.length);
          for (const [title, each] of ids) if (before.has(title)) expect(each).toBe(known.get(title));
          for (const [title, each] of ids) known.set(title, each as string);
          const twice = apply(applied.content, of(template(titles.map((title) => page(title)))));
          expect(twice.content).toEqual(applied.content);
          content = applied.content;
        }
      }),
    );
  });
});

describe('blocks, containers and messages without ids', () => {
  const agreement = (agreementText: string) => ({ type: 'agreement', data: { agreementText } });
  const text = (body: string) => ({ type: 'text', data: { body } });
  const blocksOf = (applied: ReturnType<typeof apply>) =>
    pagesOf(applied)[0]!.page.content_blocks.map((each) => each.id);
  const withBlocks = (...content_blocks: object[]) => [page('A', '', { content_blocks })];

  test.each<[what: string, before: object[], later: object[], expected: number[]]>([
    [
      'keep them behind one that is inserted',
      [agreement('I agree')],
      [agreement('I do'), agreement('I agree')],
      [-1, 0],
    ],
    [
      'are new, each with an id of its own, if two equal ones are inserted',
      [text('a')],
      [text('a'), agreement('I agree'), agreement('I agree')],
      [0, -1, -1],
    ],
    ['keep them with another text', [text('a'), agreement('I agree')], [agreement('I do agree'), text('a')], [1, 0]],
    ['are new if none of their type is left', [text('a')], [agreement('I agree'), text('a')], [-1, 0]],
    [
      'are new if another of their type was inserted, and neither is recognised',
      [agreement('I agree')],
      [agreement('One'), agreement('Two')],
      [-1, -1],
    ],
  ])('%s', (_, before, later, expected) => {
    const first = stored(withBlocks(...before));
    const ids = blocksOf(then(first, withBlocks(...later)));
    expect(ids.map((each) => blocksOf(first).indexOf(each))).toEqual(expected);
    expect(new Set(ids).size).toBe(later.length);
  });

  test('keep them in the introduction, in containers and in messages', () => {
    const container = (body: string) => ({ layout_basis: 'grid', content_blocks: [text(body)] });
    const message = (content_name: string) => ({ message: { content_name, content_blocks: [text(content_name)] } });
    const document = (bodies: string[], mails: string[]): [object[], object] => [
      [page('A', 'x', { content_containers: bodies.map(container) })],
      { content_blocks: bodies.map(text), template_messages: mails.map(message) },
    ];
    const first = stored(...document(['a', 'b'], ['M', 'N']));
    const next = then(first, ...document(['new', 'a', 'b'], ['O', 'N', 'M']));
    const [one, two] = [first, next].map(({ content }) => content.templates[0]!);
    expect(two!.content_blocks.slice(1)).toEqual(one!.content_blocks);
    const containers = [one, two].map((each) => each!.template_pages[0]!.page.content_containers);
    expect(containers[1]!.slice(1)).toEqual(containers[0]);
    expect(two!.template_messages.slice(1).reverse()).toEqual(one!.template_messages);
  });
});

describe('templates without ids', () => {
  test('are found by their name, also where the stored one has an id of its own', () => {
    const first = stored([page('A')], { id: id(1) });
    expect(then(first, [page('B'), page('A')]).content.templates.map((each) => each.id)).toEqual([id(1)]);
  });

  test('are new beside one that was renamed by its id', () => {
    const idOf = (name: string) => derivedContentId(teamId, name);
    const imported = (content: StoredDocument, more: object) =>
      apply(content, of(template([page('A')], more)), { idOf });
    const first = imported(noContent, {}).content;
    const { id: own } = first.templates[0]!;
    const renamed = imported(first, { id: own, name: 'Hello' }).content;
    const { content } = imported(renamed, { css: 'p {}' });
    expect(content.templates).toMatchObject([{ id: own, name: 'Hello' }, { name: 'Welcome' }]);
    expect(imported(content, { css: 'p {}' }).counts.templates.unchanged).toBe(1);
  });

  test.each<[what: string, first: object, later: object[], isRenaming: boolean]>([
    ['with another name alone', {}, [{ name: 'Hello' }], true],
    [
      'with another name, also in the translations',
      { translations: { es: { Welcome: 'Bienvenida', A: 'Á' } } },
      [{ name: 'Hello', translations: { es: { Hello: 'Hola', A: 'Á' } } }],
      true,
    ],
    ['with another name and another setting', {}, [{ name: 'Hello', css: 'p {}' }], false],
    ['with an id', {}, [{ name: 'Hello', id: id(3) }], false],
    ['beside the stored one', {}, [{ name: 'Hello' }, { name: 'Welcome' }], false],
  ])('%s', (_, first, later, isRenaming) => {
    const { content } = stored([page('A')], first);
    const { renamings } = apply(content, of(...later.map((more) => template([page('A')], more))));
    const former = { id: content.templates[0]!.id, name: 'Welcome' };
    expect(renamings).toMatchObject(isRenaming ? [{ path: '/templates/0', name: 'Hello', former }] : []);
  });

  test('with another name, of which a page has an id', () => {
    const document = (name: string, pageId: string) => of(template([page('A', '', { id: pageId })], { name }));
    const { content } = apply(noContent, document('Welcome', id(4)));
    const isRenaming = (pageId: string) => apply(content, document('Hello', pageId)).renamings.length > 0;
    expect([isRenaming(id(4)), isRenaming(id(5))]).toEqual([true, false]);
  });

  test('with another name alone, although the document has a product of a set twice', () => {
    const document = (name: string) =>
      of(template([page('A', '', { completion_product_ids: [id(7), id(7)] })], { name }));
    const options = { features: [...teamFeatures] };
    const { content } = apply(noContent, document('Welcome'), options);
    expect(apply(content, document('Hello'), options).renamings).toMatchObject([{ name: 'Hello' }]);
  });
});

test('content that an older version stored keeps its ids, which were made from the place', () => {
  const place = (index: number) => `id:id:template:Welcome/template_pages/${index}`;
  const first = stored([page('A'), page('B')]);
  expect(pagesOf(first).map(({ id, page_id }) => [id, page_id])).toEqual([
    [place(0), `id:${place(0)}/page`],
    [place(1), `id:${place(1)}/page`],
  ]);
  const ids = idsOf(then(first, [page('New'), page('A'), page('B')]));
  expect([ids.A, ids.B]).toEqual([`id:${place(0)}/page`, `id:${place(1)}/page`]);
});
