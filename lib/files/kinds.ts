import * as z from 'zod';
import { accountInput } from '../domain/accounts/account-fields.ts';
import { accountRecord } from '../domain/accounts/account-record.ts';
import { contactRecord, InvalidContact, identityErrors, parsedContact } from '../domain/contacts/contact-record.ts';
import { type FieldKind, fieldKinds } from '../domain/values/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/values/json.ts';
import { type ErrorDetail, pointer } from '../domain/values/problem.ts';

/** What the rows of a file describe. */
export type FileKind = 'accounts' | 'contacts';

/**
 * `word`: a field without a kind, read without surrounding spaces. `object` can have columns (`meta_public.car.make`).
 */
export type CellType = FieldKind | 'word';

type Kind = {
  /** The type of each known field, by its dotted name. */
  types: ReadonlyMap<string, CellType>;
  /**
   * Warning for an unknown column, and whether the column is sent anyway because its name can be the key of an
   * objective.
   */
  unknown: { isSent: boolean; warning: string };
  /** The required fields that a file with these fields does not have, as text. */
  missing(fields: ReadonlySet<string>): string | undefined;
  /** The errors that the API would report for the record. */
  errors(record: JsonObject): readonly ErrorDetail[];
  /** The fields that together identify the subject of a row. */
  names: string[];
  /** What two rows with the same values in these fields have in common, for notices. */
  sameNames: string;
};

const validatedContact = parsedContact(identityErrors);

export const kinds: Record<FileKind, Kind> = {
  accounts: {
    types: typesOf(accountInput.shape),
    unknown: { isSent: false, warning: 'not a field of an account and is ignored' },
    missing: (fields) => {
      if (!fields.has('account_number')) return 'account_number';
      const isMapping = fields.has('contact.unique_id') && [...fields].every((field) => mappingFields.has(field));
      const missing = ['product.code', 'product.type'].filter((field) => !fields.has(field));
      return isMapping || missing.length === 0 ? undefined : missing.join(' and ');
    },
    errors: (record) => {
      const { error } = accountRecord.safeParse(record);
      return (error?.issues ?? []).map(({ path, message }) => ({ path: pointer(path), message }));
    },
    names: ['account_number', 'contact.unique_id'],
    sameNames: 'the same account and contact',
  },
  contacts: {
    types: typesOf(contactRecord.shape),
    unknown: { isSent: true, warning: 'not a field of a contact: it is used only if it is the key of an objective' },
    missing: (fields) => (fields.has('unique_id') || fields.has('email') ? undefined : 'unique_id or email'),
    errors: (record) => {
      const parsed = validatedContact.parse(record);
      return parsed instanceof InvalidContact ? parsed.errors : [];
    },
    names: ['unique_id'],
    sameNames: 'the same contact',
  },
};

const mappingFields = new Set(['account_number', 'contact.unique_id', 'contact.role']);

/** The type of a column with this name, or `undefined` if the kind has no such field. */
export function typeOf(kind: FileKind, field: string): CellType | undefined {
  const { types } = kinds[kind];
  const dot = field.indexOf('.');
  const isInside = dot !== -1 && dot < field.length - 1 && types.get(field.slice(0, dot)) === 'object';
  return types.get(field) ?? (isInside ? 'text' : undefined);
}

function typesOf(shape: z.ZodRawShape): Map<string, CellType> {
  return new Map(
    Object.entries(shape).flatMap(([field, optional]): [string, CellType][] => {
      const type = withoutOptional(optional as z.ZodType);
      if (!(type instanceof z.ZodObject)) return [[field, cellType(type)]];
      return Object.entries(type.shape).map(([inner, each]) => [`${field}.${inner}`, cellType(withoutOptional(each))]);
    }),
  );
}

function withoutOptional(type: z.ZodType): z.ZodType {
  const isOptional = type instanceof z.ZodOptional || type instanceof z.ZodNullable;
  return isOptional ? withoutOptional(type.unwrap() as z.ZodType) : type;
}

function cellType(type: z.ZodType): CellType {
  return fieldKinds.get(type)?.kind ?? 'word';
}

/** The text of a field, by its dotted name. */
export function valueAt(record: JsonObject, field: string): string | undefined {
  const [head = '', name] = field.split('.');
  const outer: JsonValue | undefined = record[head];
  const value = record[field] ?? (name !== undefined && isJsonObject(outer) ? outer[name] : undefined);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
