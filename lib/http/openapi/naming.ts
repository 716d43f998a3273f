type JsonSchema = { [key: string]: unknown };

/**
 * Names the nested parts of named schemas. Code generators make a type of each enumeration and each object, and number
 * those without a name: `Type7`, `styles_type_0_custom_type_0`. A part is named after its schema and its field
 * (`TemplateStatus`). Fields with the same name and the same content share the name of the first one.
 */
export function createNaming(components: Record<string, JsonSchema>) {
  const names = new Map<string, string>();

  /** The schema, with references instead of the nested parts. */
  const withNamedParts = (name: string, schema: JsonSchema): JsonSchema => {
    if (typeof schema.properties !== 'object') return schema;
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
    const named = fields.map(([field, value]) => [field, withNamedPart(name, field, value)] as const);
    return { ...schema, properties: Object.fromEntries(named) };
  };

  const withNamedPart = (parent: string, field: string, value: JsonSchema): JsonSchema => {
    const { description } = value;
    if (isPart(value)) {
      return { $ref: referenceTo(parent, field, value, description), ...(description ? { description } : {}) };
    }
    const { anyOf: members } = value as { anyOf?: JsonSchema[] };
    if (members?.length !== 2 || !isPart(members[0]!) || members[1]!.type !== 'null') return value;
    return { ...value, anyOf: [{ $ref: referenceTo(parent, field, members[0]!, description) }, members[1]] };
  };

  const referenceTo = (parent: string, field: string, part: JsonSchema, described: unknown): string => {
    const { description: _, ...content } = part;
    const key = `${isFreeForm(part) || isMetadata(field, part) ? '' : field} ${JSON.stringify(content)}`;
    const known = names.get(key);
    const name = known ?? nameOf(parent, field, part);
    if (known === undefined) {
      names.set(key, name);
      if (name in components) throw new Error(`two different schemas are called ${name}`);
      components[name] = { ...withNamedParts(name, content), description: ownDescription(field, part) ?? described };
    }
    return `#/components/schemas/${name}`;
  };

  return withNamedParts;
}

/** Fields that have the same meaning in every schema. */
const sameEverywhere: Record<string, string> = { content_block_status: 'ContentBlockStatus' };

function nameOf(parent: string, field: string, part: JsonSchema): string {
  if (isFreeForm(part)) return 'FreeFormObject';
  if (isMetadata(field, part)) return 'FlattenedMetadata';
  return sameEverywhere[field] ?? `${parent}${pascalCase(field)}`;
}

const isPart = (schema: JsonSchema): boolean => 'enum' in schema || (schema.type === 'object' && !('$ref' in schema));
const isMap = (schema: JsonSchema): boolean => schema.type === 'object' && !('properties' in schema);
const isFreeForm = (schema: JsonSchema): boolean =>
  isMap(schema) && Object.keys(schema.additionalProperties ?? {}).length === 0;
const isMetadata = (field: string, schema: JsonSchema): boolean => field.startsWith('meta_') && isMap(schema);

function ownDescription(field: string, part: JsonSchema): string | undefined {
  if (isFreeForm(part)) return 'Any JSON object';
  if (isMetadata(field, part))
    return 'Metadata as it is stored: nested keys are joined by dots, and each value is a scalar';
  return undefined;
}

const pascalCase = (field: string): string =>
  field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
