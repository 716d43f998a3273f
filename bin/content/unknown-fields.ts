import { blockKinds } from '../../lib/domain/content/block-types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { JsonSchema } from '../../lib/domain/json-schema.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { contentJsonSchema, membersOf, withoutNull } from './document-schema.ts';
import { similarTo } from './similar.ts';

/**
 * Fields that objects of responses have and the import ignores: they follow from where an object is in the document. The
 * document itself has none of them.
 */
const filledIn: ReadonlySet<string> = new Set([
  'container_id',
  'container_type',
  'content_container_id',
  'engagement_channel',
  'has_survey_content_blocks',
  'message_id',
  'objective',
  'page_id',
  'team',
  'team_id',
  'template_id',
]);

/** A warning for each field that the import does not know and ignores. What may hold any JSON is not looked at. */
export const unknownFieldWarnings = (document: JsonValue): ErrorDetail[] =>
  unknownFields(document, contentJsonSchema(), []);

function unknownFields(value: JsonValue, schema: JsonSchema, path: readonly PropertyKey[]): ErrorDetail[] {
  const own = withoutNull(schema);
  if (Array.isArray(value)) {
    const { items } = own as { items?: JsonSchema };
    return items ? value.flatMap((each, index) => unknownFields(each, items, [...path, index])) : [];
  }
  const members = membersOf(own);
  return members && isJsonObject(value) ? unknownMembers(value, own, members, path) : [];
}

function unknownMembers(
  value: JsonObject,
  schema: JsonSchema,
  members: Readonly<Record<string, JsonSchema>>,
  path: readonly PropertyKey[],
): ErrorDetail[] {
  const isOpen = schema.additionalProperties !== undefined;
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name];
    if (Object.hasOwn(members, name)) return unknownFields(inner, members[name]!, at);
    return isOpen || (path.length > 0 && isFilledIn(name, inner))
      ? []
      : [{ path: pointer(at), message: unknownField(name, inner, members) }];
  });
}

/** In responses, the value is an id or an object. */
const isFilledIn = (name: string, value: JsonValue): boolean =>
  filledIn.has(name) && !(name === 'engagement_channel' && typeof value === 'string');

function unknownField(name: string, value: JsonValue, members: Readonly<Record<string, JsonSchema>>): string {
  const inner = Object.keys(members).find((each) => Object.hasOwn(membersOf(withoutNull(members[each]!)) ?? {}, name));
  const meant = meantBy(name, Object.keys(members));
  if (name === 'engagement_channel' && members.engagement_channel_id)
    return 'is not the id of a channel and is ignored: write `engagement_channel_id`';
  if (members.data && blockFields.has(name)) return intoMember('data');
  if (inner !== undefined) return intoMember(inner);
  // Selectors of a template or a channel.
  if (meant === undefined && members.custom && members.overrides && isJsonObject(value)) {
    return intoMember('custom');
  }
  if (meant !== undefined) return `is not a known field and is ignored: did you mean \`${meant}\`?`;
  if (members.completion_condition && pageTexts.includes(name)) {
    return 'is not a known field here and is ignored: write it into `data` of a block in `content_blocks`';
  }
  const inData = members.data && meantBy(name, [...blockFields]);
  return `is not a known field and is ignored${inData === undefined ? '' : `: did you mean \`${inData}\` in \`data\`?`}`;
}

/** Texts of a page that are in its blocks. */
const pageTexts: readonly string[] = ['heading', 'body', 'text'];

/** Names that are common in other systems. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['campaigns', ['templates']],
  ['journeys', ['templates']],
  ['lang', ['language']],
  ['locale', ['language']],
  ['name', ['navigation_title']],
  ['title', ['heading', 'name']],
  ['steps', ['template_pages']],
  ['columns', ['grid']],
  ['position', ['order']],
]);

/** The name that was probably meant. */
const meantBy = (name: string, names: readonly string[]): string | undefined =>
  similarTo(name, names) ??
  otherNames.get(name)?.find((each) => names.includes(each)) ??
  longerName(wordsOf(name), names);

/** The only name that ends with the words, such as `content_blocks` for `blocks`, or that has them. */
function longerName(words: readonly string[], names: readonly string[]): string | undefined {
  const longer = names.filter((each) => words.every((word) => wordsOf(each).includes(word)));
  const ending = longer.filter((each) => wordsOf(each).join().endsWith(words.join()));
  const [only, ...rest] = ending.length > 0 ? ending : longer;
  return rest.length === 0 ? only : undefined;
}

/** The words of a name, in the notations of JSON and JavaScript. The plural is the same word. */
const wordsOf = (name: string): string[] =>
  name.split(/_|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));

const intoMember = (name: string): string => `is not a known field here and is ignored: write it into \`${name}\``;

const blockFields = new Set(Object.values(blockKinds).flatMap(({ fields }) => Object.keys(fields)));
