import * as z from 'zod';
import { FileRefused } from './bytes.ts';
import type { MappedColumn, Mapping } from './columns.ts';
import { encodingNamed } from './encoding.ts';
import { dateFormat, type Format, numberFormat } from './formats.ts';
import { type FileKind, typeOf } from './kinds.ts';

/** The settings of a mapping file that have an option too. */
export type FormatOptions = { dates?: string | undefined; numbers?: string | undefined; encoding?: string | undefined };

/**
 * The text of a mapping file with the options in it, which count before its own. `undefined` without map and options.
 * @throws FileRefused
 */
export function mapWith(map: string | undefined, { dates, numbers, encoding }: FormatOptions): string | undefined {
  const given = Object.entries({ _dates: dates, _numbers: numbers, _encoding: encoding }).filter(([, value]) => value);
  if (given.length === 0) return map;
  const { data } = z.looseObject({}).safeParse(map === undefined ? {} : jsonOf(map));
  return data ? JSON.stringify({ ...data, ...Object.fromEntries(given) }) : map;
}

/** The text of a mapping file without the example values of a proposed map, which are data of people. @throws FileRefused */
export const withoutExamples = (map: string): string =>
  JSON.stringify(jsonOf(map), (name, value) => (name === 'examples' ? undefined : value));

/**
 * How the columns of a file become fields. `undefined` if they have the names of the fields.
 * @param map the text of a mapping file
 * @throws FileRefused
 */
export const mappingOf = (kind: FileKind, map: string | undefined): Mapping | undefined =>
  map === undefined ? undefined : readMapping(map, kind);

const scalar = z
  .union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true or false')
  .transform(String);
const words = z.record(z.string(), scalar, 'must be an object');
const formatted = (read: (form: string) => Format | undefined, message: string) =>
  z.string(message).transform((form, context): Format => {
    const format = read(form);
    if (!format) context.addIssue({ code: 'custom', message });
    return format ?? z.NEVER;
  });
const dates = formatted(dateFormat, 'must be a format of dates, such as "MM/DD/YYYY", "DD.MM.YYYY" or "YYYYMMDD"');
const numbers = formatted(numberFormat, `must be 1234.50 as the file writes it, such as "1,234.50" or "1.234,50"`);
const target = z.union(
  [
    z.string().transform((field) => ({ field })),
    z.null().transform(() => ({ field: null })),
    z.strictObject({
      field: z.string().nullable(),
      values: words.optional(),
      dates: dates.optional(),
      numbers: numbers.optional(),
      /** Of a proposed map, and ignored. */
      examples: z.array(z.string()).optional(),
    }),
  ],
  {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && 'field' in input
        ? undefined
        : 'must be the name of a field, null, or {"field": …, "values": {…}, "dates": …, "numbers": …}',
  },
);
const schema = z
  .object(
    {
      _constants: words.optional(),
      _dates: dates.optional(),
      _numbers: numbers.optional(),
      _delimiter: z
        .string()
        .regex(/^[^"\r\n\p{L}\p{N}]{1,5}$/u, 'must be one to five signs')
        .optional(),
      _encoding: z
        .string()
        .transform((label) => encodingNamed(label))
        .refine(
          (name) => name !== undefined,
          'must be an encoding, such as "windows-1252", "iso-8859-2" or "shift_jis"',
        )
        .optional(),
      _trailer: z
        .strictObject(
          { prefix: z.string().min(1, 'must not be empty'), count: z.int('must be a whole number').min(1) },
          'must be an object such as {"prefix": "TRL", "count": 2}',
        )
        .optional(),
    },
    'must be a JSON object',
  )
  .catchall(target);

/**
 * Reads a mapping file: `{"ACCT_NO": "account_number", "TYPE": {"field": "product.type", "values": {"D": "checking"}},
 * "FILLER": null, "_constants": {"contact.role": "primary"}, "_dates": "MM/DD/YYYY"}`.
 * @throws FileRefused with all errors of the mapping
 */
export function readMapping(text: string, kind: FileKind): Mapping {
  const { data, error } = schema.safeParse(jsonOf(text));
  if (error) throw refused(error.issues.flatMap(issueTexts));
  const { _constants = {}, _dates, _numbers, _delimiter, _encoding, _trailer, ...columns } = data;
  const mapping: Mapping = {
    columns: new Map(Object.entries(columns).map(([name, value]) => [name, mappedColumn(value as Target)])),
    constants: new Map(Object.entries(_constants)),
    ...{ dates: _dates, numbers: _numbers, delimiter: _delimiter, encoding: _encoding, trailer: _trailer },
  };
  const errors = errorDetailsOf(mapping, kind);
  if (errors.length > 0) throw refused(errors);
  return mapping;
}

/** Of a column, the errors of the form that it has. */
function issueTexts({ path, ...issue }: z.core.$ZodIssue): string[] {
  const inner =
    issue.code === 'invalid_union' ? issue.errors.find((each) => each.every(({ path }) => path.length)) : [];
  if (inner && inner.length > 0) return inner.flatMap((each) => issueTexts({ ...each, path: [...path, ...each.path] }));
  return [`${path.join('.') || 'it'} ${issue.message}`];
}

const refused = (errors: string[]) => new FileRefused(`The mapping cannot be used: ${errors.join('; ')}.`);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileRefused(`The mapping is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

type Target = z.output<typeof target>;

function mappedColumn({ field, ...more }: Target): MappedColumn {
  const { values = {}, dates, numbers } = more as { values?: Record<string, string>; dates?: Format; numbers?: Format };
  return { field, values: new Map(Object.entries(values)), format: dates ?? numbers };
}

function errorDetailsOf({ columns, constants }: Mapping, kind: FileKind): string[] {
  const taken = new Set(constants.keys());
  const errors = [...taken]
    .filter((field) => !typeOf(kind, field))
    .map((field) => unknownField('_constants', field, kind));
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
