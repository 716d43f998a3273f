import * as z from 'zod';
import { FileRefused } from './bytes.ts';
import type { MappedColumn, Mapping } from './columns.ts';
import { type FileKind, typeOf } from './kinds.ts';

/**
 * How the columns of a file become fields. `undefined` if they have the names of the fields.
 * @param map the text of a mapping file
 * @throws FileRefused
 */
export function mappingOf(kind: FileKind, map: string | undefined, decimalComma = false): Mapping | undefined {
  const mapping = map === undefined ? undefined : readMapping(map, kind);
  return decimalComma ? { ...(mapping ?? noMapping), decimalComma } : mapping;
}

/** A mapping that changes nothing. */
const noMapping: Mapping = { columns: new Map(), constants: new Map() };

const constantsKey = '_constants';
const scalar = z
  .union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true or false')
  .transform(String);
const words = z.record(z.string(), scalar, 'must be an object');
const target = z.union(
  [z.string(), z.null(), z.strictObject({ field: z.string(), values: words.optional() })],
  'must be the name of a field, null, or {"field": …, "values": {…}}',
);
const schema = z.object({ [constantsKey]: words.optional() }, 'must be a JSON object').catchall(target);

/**
 * Reads a mapping file: `{"ACCT_NO": "account_number", "TYPE": {"field": "product.type", "values": {"D": "checking"}},
 * "FILLER": null, "_constants": {"contact.role": "primary"}}`.
 * @throws FileRefused with all errors of the mapping
 */
export function readMapping(text: string, kind: FileKind): Mapping {
  const { data, error } = schema.safeParse(jsonOf(text));
  if (error) throw refused(error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`));
  const { [constantsKey]: constants = {}, ...columns } = data;
  const mapping = {
    columns: new Map(
      Object.entries(columns).map(([name, value]) => [name, mappedColumn(value as z.output<typeof target>)]),
    ),
    constants: new Map(Object.entries(constants)),
  };
  const errors = errorDetailsOf(mapping, kind);
  if (errors.length > 0) throw refused(errors);
  return mapping;
}

const refused = (errors: string[]) => new FileRefused(`The mapping cannot be used: ${errors.join('; ')}.`);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileRefused(`The mapping is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function mappedColumn(value: z.output<typeof target>): MappedColumn {
  if (value === null || typeof value === 'string') return { field: value, values: new Map() };
  return { field: value.field, values: new Map(Object.entries(value.values ?? {})) };
}

function errorDetailsOf({ columns, constants }: Mapping, kind: FileKind): string[] {
  const taken = new Set(constants.keys());
  const errors = [...taken]
    .filter((field) => !typeOf(kind, field))
    .map((field) => unknownField(constantsKey, field, kind));
  for (const [name, { field }] of columns) {
    if (field === null) continue;
    if (!typeOf(kind, field)) errors.push(unknownField(name, field, kind));
    if (taken.has(field)) errors.push(`${name} names ${field}, which is already set by another entry`);
    taken.add(field);
  }
  return errors;
}

const unknownField = (name: string, field: string, kind: FileKind) =>
  `${name} names ${JSON.stringify(field)}, which is not a field of ${kind === 'accounts' ? 'an account' : 'a contact'}`;
