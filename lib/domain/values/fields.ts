import * as z from 'zod';
import { isRawNumber, numberText, type RawNumber } from './json.ts';

/**
 * The kinds of field of all resources (specification, "Resources and their fields"; contract, sections 1, 3 and 4).
 * Each schema converts a JSON value to the stored value. `null` clears a field and an absent field keeps its value, so
 * every optional field of a resource is `.nullish()`.
 */

/**
 * How a field is read from text, as in a CSV file: `text` unchanged, `flag` and `integer` converted, `object` from
 * JSON, `decimal` and `date` in the format of the file. A field without a kind is read without surrounding spaces.
 */
export type FieldKind = 'text' | 'flag' | 'integer' | 'decimal' | 'date' | 'object';
export const fieldKinds = z.registry<{ kind: FieldKind }>();

type FieldTable = Readonly<Record<string, { readonly kind: string; readonly description: string }>>;

/**
 * The schema of each field of a table, by the kind of the field. Fields of one kind share a schema, because creating
 * them takes a large part of the CPU of a cold start.
 */
export function schemasOf<Fields extends FieldTable, Kinds extends Record<Fields[keyof Fields]['kind'], z.ZodType>>(
  fields: Fields,
  kinds: Kinds,
) {
  const schemas = Object.entries(fields).map(([name, { kind, description }]) => {
    return [name, kinds[kind as keyof Kinds].describe(description)] as const;
  });
  return Object.fromEntries(schemas) as { [Name in keyof Fields]: Kinds[Fields[Name]['kind']] };
}

/** Most characters (code points) of a string field. */
export const maxTextLength = 1024;
/** Bytes of UTF-8 of a `unique_id`. */
export const maxUniqueIdBytes = 1024;

export const utf8Length = (value: string): number => Buffer.byteLength(value);

/** Counts code points, as `maxLength` of JSON Schema does. */
const isLongerThan = (value: string, limit: number): boolean =>
  value.length > limit && (value.length > 2 * limit || [...value].length > limit);

const wellFormed = () =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates');

/** Any well-formed Unicode string, NUL included, up to `limit` characters. */
export const text = (limit = maxTextLength) =>
  wellFormed()
    .refine((value) => !isLongerThan(value, limit), `must be at most ${limit} characters`)
    .meta({ maxLength: limit })
    .register(fieldKinds, { kind: 'text' });

/**
 * Traces of a broken encoding: U+FFFD, by which decoders replace invalid bytes, so that two different values could become
 * equal, and the C1 control characters, as which windows-1252 is read by mistake (contract, section 1).
 */
const brokenEncoding = /[\ufffd\u0080-\u009f]/;

/** True if the text may identify something: it contains no trace of a broken encoding. */
export const isIdentifying = (value: string): boolean => !brokenEncoding.test(value);
export const notIdentifying =
  'must not contain U+FFFD or control characters from U+0080 to U+009F, the traces of a wrong encoding';

/** A string field whose value identifies something. */
export const identifying = <T extends z.ZodType<string>>(type: T): T => type.refine(isIdentifying, notIdentifying);

/** An opaque identifier from the caller. It is compared byte for byte and has at most `limit` bytes of UTF-8. */
export const identifier = (limit: number) =>
  identifying(wellFormed())
    .refine((value) => utf8Length(value) <= limit, `must be at most ${limit} bytes of UTF-8`)
    .meta({ maxLength: limit })
    .register(fieldKinds, { kind: 'text' });

/** An empty or blank text and `null` count as absent in fields that identify something (contract, section 3). */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

export const flag = () => z.boolean('must be true or false').register(fieldKinds, { kind: 'flag' });

/** The calendar as patterns, so that the OpenAPI document defines exactly which texts are dates. */
const ordinaryDay =
  '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const leapDay = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const time =
  '[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d{1,9})?)?(?:[Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)?';
const utcTime = 'T(?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d{1,9})?)?Z';
const calendarDate = new RegExp(`^(?:${ordinaryDay}|${leapDay})$`);
export const dateOrDateTime = new RegExp(`^(?:${ordinaryDay}|${leapDay})(?:${time})?$`);

/** A date-time in UTC, with `Z`. */
export const utcDateTime = new RegExp(`^(?:${ordinaryDay}|${leapDay})${utcTime}$`);

/** True if the text is an existing calendar date, as `YYYY-MM-DD`. */
export const isCalendarDate = (value: string): boolean => calendarDate.test(value);

export const isDateOrDateTime = (value: string): boolean => dateOrDateTime.test(value);

/** An existing calendar date, `YYYY-MM-DD`. */
export const day = () =>
  z
    .string('must be a string')
    .refine(isCalendarDate, 'must be an existing calendar date, as YYYY-MM-DD')
    .meta({ format: 'date' })
    .register(fieldKinds, { kind: 'date' });

/** An ISO 8601 date or date-time, stored as written. Without an offset it is UTC. */
export const date = () =>
  z
    .string('must be a string')
    .refine(isDateOrDateTime, 'must be an ISO 8601 date or date-time, such as 2024-12-31')
    .meta({ pattern: dateOrDateTime.source, examples: ['2024-02-29', '2024-02-29T13:45:00Z'] })
    .register(fieldKinds, { kind: 'date' });

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const maxDecimalLength = 128;

/** A JSON number or a decimal string. It is stored as text with all its digits, so its length is limited. */
export const decimal = () =>
  z
    .custom<string | number | RawNumber>(
      (value) => isNumber(value) || (typeof value === 'string' && decimalText.test(value)),
      'must be a decimal: a JSON number, or a string of digits such as "12.50"',
    )
    .transform((value) => (typeof value === 'string' ? value : numberText(value)))
    .refine((value) => value.length <= maxDecimalLength, `must be at most ${maxDecimalLength} characters`)
    .meta({
      type: ['number', 'string'],
      pattern: decimalText.source,
      maxLength: maxDecimalLength,
      examples: [12.5, '12.50'],
    })
    .register(fieldKinds, { kind: 'decimal' });

/** A whole number in any notation (`3`, `3.0`, `3e0`), in the range of integers that a double represents exactly. */
export const integer = (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .custom<number | RawNumber>(isNumber, 'must be a number')
    .transform((value) => (typeof value === 'number' ? value : Number(value.rawJSON)) + 0)
    .refine(Number.isSafeInteger, 'must be a whole number')
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`)
    .meta({ type: 'integer', minimum, maximum })
    .register(fieldKinds, { kind: 'integer' });

export const isNumber = (value: unknown): value is number | RawNumber =>
  typeof value === 'number' || isRawNumber(value);
