import type { StoredDocument, StoredTemplate } from '../../lib/domain/campaigns/document.ts';
import { fieldsNamed } from '../../lib/domain/campaigns/targeting-rule.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { JsonSchema } from '../../lib/domain/values/json-schema.ts';
import { documentStructure, membersOf, withoutNull } from './document-schema.ts';

/**
 * The stored content as a document that the import takes, ids and times kept. A page or message that templates share is
 * given where it is first, and named by its id elsewhere. What is unset is left out.
 */
export function exportedDocument({ objectives, engagement_channels, templates }: StoredDocument): JsonObject {
  const [pages, messages] = [new Set<string>(), new Set<string>()];
  const document = {
    // A document that names no team can be imported into any.
    objectives: objectives.map(({ team_id, ...objective }) => objective),
    engagement_channels,
    templates: templates.map((template) => withSharedOnce(template, pages, messages)),
  };
  return withoutUnset(document as unknown as JsonValue, documentStructure()) as JsonObject;
}

const withSharedOnce = (template: StoredTemplate, pages: Set<string>, messages: Set<string>) => ({
  ...template,
  template_pages: template.template_pages.map((each) => ({ ...each, page: firstOf(each.page, pages) })),
  template_messages: template.template_messages.map(({ live_since, ...each }) => ({
    ...each,
    message: firstOf(each.message, messages),
  })),
});

/** The part where no template before has it, else `null`. */
function firstOf<Part extends { id: string }>(part: Part, seen: Set<string>): Part | null {
  if (seen.has(part.id)) return null;
  seen.add(part.id);
  return part;
}

/** Without fields that mean the same when they are left out. What may hold any JSON stays as it is. */
function withoutUnset(value: JsonValue, schema: JsonSchema): JsonValue {
  const own = withoutNull(schema);
  const { items } = own as { items?: JsonSchema };
  if (Array.isArray(value)) return items ? value.map((each) => withoutUnset(each, items)) : value;
  const members = membersOf(own);
  if (!members || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !Object.hasOwn(members, name) || !isUnset(inner, members[name]!))
      .map(([name, inner]) => [name, Object.hasOwn(members, name) ? withoutUnset(inner, members[name]!) : inner]),
  );
}

const isUnset = (value: JsonValue, schema: JsonSchema): boolean =>
  value === null || (Array.isArray(value) && value.length === 0 && withoutNull(schema).type === 'array');

/** One template, with the objectives and the channels that it needs. */
export function documentOfTemplate(document: StoredDocument, template: StoredTemplate): StoredDocument {
  const pages = template.template_pages.map(({ page }) => page);
  const messages = template.template_messages.map(({ message }) => message);
  const objectives = new Set([...pages, ...messages].map(({ objective_id }) => objective_id));
  const named = new Set(fieldsNamed(template.targeting_groups ?? []));
  const channels = new Set(
    pages.flatMap(({ content_containers }) => content_containers.map((each) => each.engagement_channel_id)),
  );
  return {
    objectives: document.objectives.filter(({ id, key }) => objectives.has(id) || named.has(`objective.${key}`)),
    engagement_channels: document.engagement_channels.filter(({ id }) => channels.has(id)),
    templates: [template],
  };
}
