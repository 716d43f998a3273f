import { blockKinds } from '../../lib/domain/campaigns/block-types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { JsonSchema } from '../../lib/domain/values/json-schema.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/values/problem.ts';
import { similarTo } from '../../lib/domain/values/similar.ts';
import { contentJsonSchema, membersOf, withoutNull } from './document-schema.ts';

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
      : [{ path: pointer(at), message: unknownField(name, members) }];
  });
}

/** In responses, the value is an id or an object. */
const isFilledIn = (name: string, value: JsonValue): boolean =>
  filledIn.has(name) && !(name === 'engagement_channel' && typeof value === 'string');

/** Fields of the `data` of blocks, whose schema is for any JSON. */
const blockFields = new Set(Object.values(blockKinds).flatMap(({ fields }) => Object.keys(fields)));

function unknownField(name: string, members: Readonly<Record<string, JsonSchema>>): string {
  const holds = (member: string) => Object.hasOwn(membersOf(withoutNull(members[member]!)) ?? {}, name);
  const owner = members.data && blockFields.has(name) ? 'data' : Object.keys(members).find(holds);
  if (owner !== undefined) return `is not a known field here and is ignored: write it into \`${owner}\``;
  const meant = similarTo(name, Object.keys(members));
  return `is not a known field and is ignored${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}
