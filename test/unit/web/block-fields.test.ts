import { describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { type BlockKind, blockKinds, blockTypes, question } from '../../../lib/domain/campaigns/block-types.ts';
import { namesOf, type ObjectShape } from '../../../lib/domain/campaigns/shape.ts';
import type { ShownAnswer } from '../../../lib/domain/journeys/answer.ts';
import type { JsonObject, JsonValue } from '../../../lib/domain/values/json.ts';
import { read } from '../../support/architecture/sources.ts';
import { blockOf, htmlOfBlocks, openPage } from '../../support/samples/rendered-blocks.ts';

const image = 'data:image/png;base64,iVBORw0KGgo=';
const fileId = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';

/** Fields that say how a block behaves, and fields that need a value of their own to be seen. */
const notShown: readonly string[] = ['customClass', 'declineCompletes', 'formerKeys', 'key'];
const special: { readonly [name: string]: JsonValue } = {
  file_id: fileId,
  dark_file_id: fileId,
  src: image,
  scale: [1, 5],
  required: true,
  options: ['A', { text: 'B' }, 3],
  multiple: true,
  min: 2,
  max: 2,
  type: 'date',
  terms: [{ label: 'Marked', value: '1' }],
};

function render(kind: BlockKind, data: JsonObject, answer: 'accepted' | 'declined' | undefined): string {
  const id = 'b';
  const given = { id, block_id: id, page_id: 'p', answer: answer ?? null, at: '2026-01-01T00:00:00Z' } as ShownAnswer;
  const answers = new Map(answer ? [[id, given]] : []);
  const block = blockOf(blockKinds[kind].types[0]!, data, { id });
  return htmlOfBlocks([block], { page: { ...openPage, answers }, isDark: true });
}

const rendered = (kind: BlockKind, data: JsonObject): string =>
  [undefined, 'accepted' as const, 'declined' as const].map((answer) => render(kind, data, answer)).join('\n');

/** The data that other fields need, so that the field is shown. */
function companions({ fields }: ObjectShape, name: string): JsonObject {
  const needs = fields[name]?.needs?.[0] ?? (fields.url && name !== 'url' ? 'url' : undefined);
  return needs === undefined ? {} : { [needs]: fields[needs]?.shape.is === 'url' ? 'https://other.example/' : 'Other' };
}

const cases = (Object.keys(blockKinds) as BlockKind[]).flatMap((kind) =>
  Object.keys(blockKinds[kind].fields)
    .filter((name) => !notShown.includes(name) && name !== 'questions' && name !== 'name')
    .flatMap((name) => namesOf(blockKinds[kind].fields, name).map((written) => [kind, name, written] as const)),
);

describe('a block shows every field that its kind declares', () => {
  test.each(cases)('%s: %s, written as %s', (kind, name, written) => {
    const shape: ObjectShape = blockKinds[kind];
    const isUrl = shape.fields[name]!.shape.is === 'url';
    const value = special[name] ?? (isUrl ? 'https://marked.example/' : 'Marked');
    const others = kind === 'image' && name !== 'src' && name !== 'file_id' ? { file_id: fileId } : {};
    const before = rendered(kind, { ...others, ...companions(shape, name) });
    expect(rendered(kind, { ...others, ...companions(shape, name), [written]: value })).not.toBe(before);
  });

  test.each(Object.keys(question.fields).filter((name) => !notShown.includes(name)))('a question: %s', (name) => {
    const value = special[name] ?? 'Marked';
    const needed = (of: string): string[] =>
      (question.fields[of]?.needs ?? []).flatMap((each) => [each, ...needed(each)]);
    const needs = Object.fromEntries(needed(name).map((each) => [each, special[each]!]));
    const asked = { ...(name === 'text' ? {} : { text: 'Why?' }), ...needs };
    for (const written of namesOf(question.fields, name)) {
      const before = rendered('survey', { questions: [asked] });
      expect(rendered('survey', { questions: [{ ...asked, [written]: value }] })).not.toBe(before);
    }
  });
});

test('a block does not show a field that its kind does not declare', () => {
  const every = new Set(Object.values(blockKinds).flatMap(({ fields }) => Object.keys(fields)));
  for (const kind of Object.keys(blockKinds) as BlockKind[]) {
    const { fields } = blockKinds[kind] as ObjectShape;
    const known = Object.keys(fields).flatMap((name) => namesOf(fields, name));
    for (const name of [...every, 'title', 'label', 'href'].filter((each) => !known.includes(each))) {
      expect([kind, name, rendered(kind, { [name]: special[name] ?? 'Marked' })]).toEqual([
        kind,
        name,
        rendered(kind, {}),
      ]);
    }
  }
});

test('the JSON Schema names the fields of each type', () => {
  const { $defs } = contentJsonSchema() as { $defs: { blockData: { allOf: JsonObject[] } } };
  const rules = $defs.blockData.allOf as unknown as {
    if: { properties: { type: { enum: string[] } } };
    then?: { properties: { data: { properties: object } } };
  }[];
  const described = rules
    .filter((each) => each.then)
    .flatMap((each) =>
      each.if.properties.type.enum.map((type) => [type, Object.keys(each.then!.properties.data.properties)] as const),
    );
  expect(described.map(([type]) => type).sort()).toEqual([...blockTypes].sort());
  expect(Object.fromEntries(described).survey).toContain('questions');
});

test('the guide names every type of block', () => {
  const guide = read('docs/campaigns.md');
  expect(blockTypes.filter((type) => type !== 'paragraph' && !guide.includes(`\`${type}\``))).toEqual([]);
});
