import * as z from 'zod';
import { accountInput } from '../domain/accounts/account-fields.ts';
import { accountRecord } from '../domain/accounts/account-record.ts';
import { contactRecord, InvalidContact, identityErrors, parsedContact } from '../domain/contacts/contact-record.ts';
import { type FieldKind, fieldKinds, isBlank } from '../domain/values/fields.ts';
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

/** What makes no difference in the name of a column: spaces, `_`, dashes, invisible characters and dots over an i. */
const ignored = /\u0307|[\s_\p{Pd}\p{Cc}\p{Cf}\p{DI}]/gu;
/** Turkish programs write `UNİQUE_İD` and `unıque_ıd`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(ignored, '').replaceAll('\u0131', 'i');

const fieldsByName = (kind: Kind): ReadonlyMap<string, string> =>
  new Map([...kind.types.keys()].map((field) => [plain(field), field]));
const fieldNames: Record<FileKind, ReadonlyMap<string, string>> = {
  accounts: fieldsByName(kinds.accounts),
  contacts: fieldsByName(kinds.contacts),
};

/**
 * The field of this name without regard to case, spaces, `_`, `-` and invisible characters; of metadata, with its key as
 * it is written.
 */
export function knownField(kind: FileKind, name: string): string | undefined {
  if (typeOf(kind, name) !== undefined) return name;
  const field = fieldNames[kind].get(plain(name));
  const dot = name.indexOf('.');
  if (field !== undefined || dot === -1) return field;
  const inner = `${fieldNames[kind].get(plain(name.slice(0, dot)))}.${name.slice(dot + 1).trim()}`;
  return typeOf(kind, inner) === undefined ? undefined : inner;
}

/** The fields of a record that identify something, with their values: the email too, where it stands for the id. */
export function identityIn(kind: FileKind, record: JsonObject): (readonly [field: string, value: string])[] {
  const { names } = kinds[kind];
  const found: [string, string][] = [];
  for (const field of names) {
    const value = valueAt(record, field);
    if (value !== undefined && !isBlank(value)) found.push([field, value]);
  }
  const email = kind === 'contacts' && found.length === 0 ? valueAt(record, 'email') : undefined;
  return email === undefined || isBlank(email) ? found : [['email', email]];
}

/** What exports write for nothing. */
const words = new Set(['null', '(null)', '\\n', '#n/a', 'n/a', 'nan', 'none', 'nil', '-']);
export const isWordForNothing = (value: string): boolean => value.length < 32 && words.has(value.trim().toLowerCase());

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
  const dot = field.indexOf('.');
  const outer: JsonValue | undefined = dot === -1 ? undefined : record[field.slice(0, dot)];
  const value = record[field] ?? (isJsonObject(outer) ? outer[field.slice(dot + 1)] : undefined);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
