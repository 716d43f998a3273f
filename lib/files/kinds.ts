import * as z from 'zod';
import { accountInput } from '../domain/account-fields.ts';
import { accountRecord } from '../domain/account-record.ts';
import { contactRecord, InvalidContact, identityErrors, parsedContact } from '../domain/contact-record.ts';
import { type FieldKind, fieldKinds } from '../domain/fields.ts';
import type { JsonObject } from '../domain/json.ts';
import { type ErrorDetail, pointer } from '../domain/problem.ts';

/** What the rows of a file are. */
export type FileKind = 'accounts' | 'contacts';

/** `word`: a field without a kind, read without the spaces around it. `object` may have columns (`meta_public.car.make`). */
export type CellType = FieldKind | 'word';

type Kind = {
  /** The fields that have a type, dotted; what is not here is a text, or unknown. */
  types: ReadonlyMap<string, CellType>;
  /** What is said of a column that is none of these; it is sent all the same where that may mean something. */
  unknown: { isSent: boolean; warning: string };
  /** Why no row of a file with these fields could be taken. */
  lacking(fields: ReadonlySet<string>): string | undefined;
  /** What the API would say against the record. */
  errors(record: JsonObject): readonly ErrorDetail[];
  /** The fields that together name what a row is about. */
  names: string[];
  inWords: string;
};

const judgedContact = parsedContact(identityErrors);

export const kinds: Record<FileKind, Kind> = {
  accounts: {
    types: typesOf(accountInput.shape),
    unknown: { isSent: false, warning: 'no field of an account; left out' },
    lacking: (fields) => {
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
    inWords: 'the same account and contact',
  },
  contacts: {
    types: typesOf(contactRecord.shape),
    unknown: { isSent: true, warning: 'no field of a contact; it counts only where an objective has it as its key' },
    lacking: (fields) => (fields.has('unique_id') || fields.has('email') ? undefined : 'unique_id or email'),
    errors: (record) => {
      const judged = judgedContact.parse(record);
      return judged instanceof InvalidContact ? judged.errors : [];
    },
    names: ['unique_id'],
    inWords: 'the same contact',
  },
};

const mappingFields = new Set(['account_number', 'contact.unique_id', 'contact.role']);

/** The type of a column of this name; `undefined` for what the kind does not know. */
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
