import { blockKinds, blockTypes, unknownBlock } from '../../lib/domain/content/block-types.ts';
import type { ObjectShape, Shape } from '../../lib/domain/content/shape.ts';
import type { JsonSchema } from '../../lib/domain/json-schema.ts';
import { endingCall, footer, pageCall, palette, support, theme, typography } from './open-fields.ts';
import { wordsSchema } from './words.ts';

/**
 * Names and descriptions of what pages read of fields that may contain any JSON, so that editors complete them. They
 * allow every value, because the import does too.
 */

const objectOf = (of: ObjectShape): Shape => ({ is: 'object', of });

/** The fields of templates, channels and pages, by their names. */
const openFields: Readonly<Record<string, Shape>> = {
  theme_base: objectOf(theme),
  theme: objectOf(theme),
  theme_overrides: objectOf(theme),
  palette: objectOf(palette),
  typography: objectOf(typography),
  footer_content: footer,
  support_owner_options: objectOf(support),
};

export function describeOpenFields(schema: JsonSchema): void {
  const members = schema.properties as Record<string, JsonSchema> | undefined;
  if (!members) return;
  for (const [name, shape] of Object.entries(openFields)) {
    if (members[name]) Object.assign(members[name], schemaOf(shape));
  }
  if (members.cta) Object.assign(members.cta, schemaOf(members.completion_condition ? pageCall : objectOf(endingCall)));
  if (members.words) Object.assign(members.words, wordsSchema());
  if (members.data) schema.allOf = [{ $ref: '#/$defs/blockData' }];
}

/** The fields of `data` for each type of block. */
export const blockDataSchema = (): JsonSchema => ({
  properties: { type: { examples: [...blockTypes] } },
  allOf: [
    ...Object.values(blockKinds).map((kind) => ({
      if: { properties: { type: { enum: [...kind.types] } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { data: schemaOf(objectOf(kind)) } },
    })),
    {
      if: { properties: { type: { enum: [...blockTypes] } }, required: ['type'] },
      else: { properties: { data: schemaOf(objectOf(unknownBlock)) } },
    },
  ],
});

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.is) {
    case 'list':
      return { items: schemaOf(shape.of) };
    case 'object':
      return propertiesOf(shape.of);
    case 'either':
      return propertiesOf(shape.object);
    default:
      return {};
  }
}

const propertiesOf = ({ fields }: ObjectShape): JsonSchema => ({
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { shape, description }]) => [name, { description, ...schemaOf(shape) }]),
  ),
});
