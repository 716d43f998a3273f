import * as z from 'zod';
import { type FileKind, typeOf } from './kinds.ts';
import { FileRefused } from './refused.ts';

/** How the columns of a file in somebody else's words become fields of the API. */
export type Mapping = {
  columns: ReadonlyMap<string, MappedColumn>;
  /** Fields that every record gets, as a cell would be written. */
  constants: ReadonlyMap<string, string>;
};

export type MappedColumn = {
  /** Dotted; `null` leaves the column out. */
  field: string | null;
  /** What the column's codes mean; a code that is not here stays as it is. */
  values: ReadonlyMap<string, string>;
};

const constantsKey = '_constants';
const scalar = z
  .union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true or false')
  .transform(String);
const words = z.record(z.string(), scalar, 'must be an object');
const target = z.union(
  [z.string(), z.null(), z.strictObject({ field: z.string(), values: words.optional() })],
  'must be a field\'s name, null, or {"field": …, "values": {…}}',
);
const schema = z.object({ [constantsKey]: words.optional() }, 'must be a JSON object').catchall(target);

/**
 * Reads a mapping file: `{"ACCT_NO": "account_number", "TYPE": {"field": "product.type", "values": {"D": "checking"}},
 * "FILLER": null, "_constants": {"contact.role": "primary"}}`.
 * @throws FileRefused naming everything that is wrong with it.
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
    if (taken.has(field)) errors.push(`${name} names ${field}, which is given already`);
    taken.add(field);
  }
  return errors;
}

const unknownField = (name: string, field: string, kind: FileKind) =>
  `${name} names ${JSON.stringify(field)}, which no ${kind === 'accounts' ? 'account' : 'contact'} has`;
