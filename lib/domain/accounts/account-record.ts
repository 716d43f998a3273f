import * as z from 'zod';
import { ambiguous, ambiguousKeys, nested, pathAsSent } from '../values/dotted-keys.ts';
import { isBlank } from '../values/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { having, notBlank } from '../values/json-schema.ts';
import type { MetadataChange } from '../values/metadata.ts';
import { unknownFields, unknownFieldsOf } from '../values/unknown-fields.ts';
import {
  type AccountFields,
  type accountFields,
  accountInput,
  innerFields,
  type metadataFields,
  otherKnownFields,
  type ProductInput,
  type sharedFields,
} from './account-fields.ts';

/**
 * The conditions between fields of a record, as JSON Schema. They are all inside `not`, because code generators ignore
 * `not` but would make a type of each `anyOf` outside it.
 */
const objectWith = (inner: string, schema: object = {}) => ({ type: 'object', ...having(inner, schema) });

const uniqueId = { type: 'string', pattern: notBlank };
const withUniqueId = [having('contact', objectWith('unique_id', uniqueId)), having('contact.unique_id', uniqueId)];
const others = [...otherKnownFields, ...innerFields.product.map((inner) => `product.${inner}`)];
const mapping = { anyOf: withUniqueId, not: { anyOf: others.map((name) => ({ required: [name] })) } };
const withoutProduct = {
  not: { anyOf: [{ required: ['product'] }, { required: ['product.code', 'product.type'] }, mapping] },
};

const blankCode = having('product.code', { not: { type: 'string', pattern: notBlank } });

/** A field that is sent both as a dotted key and nested. */
const ambiguousForms = Object.entries(innerFields).flatMap(([head, names]) =>
  names.map((inner) => ({
    required: [`${head}.${inner}`, head],
    properties: { [`${head}.${inner}`]: {}, [head]: objectWith(inner) },
  })),
);

export const accountConditions = { not: { anyOf: [withoutProduct, blankCode, ...ambiguousForms] } };

/** A validated record of an `accounts` batch. `undefined` keeps the stored value, `null` clears it. */
export type AccountRecord = {
  account_number: string;
  /** Absent if the record names no contact. */
  link?: { unique_id: string; role?: string | null | undefined } | undefined;
  /** Absent if the record is only a mapping. */
  account?:
    | {
        fields: AccountFields;
        /** `null` clears everything. */
        meta_public?: MetadataChange | null | undefined;
        meta_private?: MetadataChange | null | undefined;
        product: ProductInput;
      }
    | undefined;
  /** Only in records of an administrator: removes the account, or the contact's link to it. */
  removal?: 'account' | { contact_id: string } | undefined;
};

/** The errors of an invalid record. */
class InvalidAccount {
  readonly issues: readonly AccountIssue[];

  constructor(issues: readonly AccountIssue[]) {
    this.issues = issues;
  }
}

type AccountIssue = { path: PropertyKey[]; message: string };

/**
 * One record of a batch. Dotted keys (`"contact.unique_id"`) mean the same as nested ones. Both for one field are
 * ambiguous. The path of an error uses the form that was sent. A record is a mapping if its only known fields are
 * `account_number` and a contact with `unique_id`.
 */
export const accountRecord = z
  .preprocess(
    (value, { addIssue }) => {
      for (const name of ambiguousKeys(value, nestable)) {
        // After an issue with any other code, zod would not validate the fields.
        addIssue({ code: 'unrecognized_keys', keys: [name], path: [name], message: ambiguous });
      }
      return withProductUnlessMapping(nested(value, nestable));
    },
    accountInput.transform((parsed): AccountRecord | InvalidAccount => recordOf(parsed)),
  )
  .catch(({ error, input }) => {
    const issues = error.issues.map(({ path, message }) => ({ path: pathAsSent(input, path, nestable), message }));
    return new InvalidAccount(issues);
  })
  .transform((record, context): AccountRecord => {
    if (!(record instanceof InvalidAccount)) return record;
    for (const issue of record.issues) context.addIssue({ code: 'custom', ...issue });
    return z.NEVER;
  })
  .meta({
    id: 'AccountInput',
    description:
      'An account and the contact to link it to. A record with only `account_number` and `contact` is a mapping: it links ' +
      'the two even if they are created later. Dotted keys (`"contact.unique_id"`) mean the same as nested ones.',
    ...accountConditions,
  })
  .register(unknownFieldsOf, {
    find: (record) =>
      Iterator.from(unknownFields(accountInput, nested(record, nestable))).map(({ path, known }) => {
        return { path: pathAsSent(record, path, nestable), known };
      }),
  });

const nestable: ReadonlySet<string> = new Set(['contact', 'product', 'meta_public', 'meta_private']);

/** Replaces a missing required product with an invalid one, so that its error is reported together with the others. */
function withProductUnlessMapping(value: unknown): unknown {
  const record = value as JsonValue;
  if (!isJsonObject(record) || Object.hasOwn(record, 'product') || isMapping(record)) return record;
  return { ...record, product: null };
}

function isMapping(record: JsonObject): boolean {
  const { contact } = record;
  const names = isJsonObject(contact) && !isBlank(contact.unique_id);
  return names && !otherKnownFields.some((name) => Object.hasOwn(record, name));
}

type Parsed = z.output<z.ZodObject<typeof sharedFields & typeof accountFields & typeof metadataFields>> & {
  product?: ProductInput | undefined;
};

function recordOf({ account_number, contact, product, meta_public, meta_private, ...fields }: Parsed): AccountRecord {
  const { unique_id, role } = contact ?? {};
  const link = isBlank(unique_id) ? undefined : { unique_id: unique_id as string, role };
  return { account_number, link, account: product && { fields, product, meta_public, meta_private } };
}
