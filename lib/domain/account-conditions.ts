import { innerFields, otherKnownFields } from './account-fields.ts';
import { having, notBlank } from './json-schema.ts';

/**
 * The conditions between fields of a record, which `account-record.ts` validates, as JSON Schema. They are all inside
 * `not`, because code generators ignore `not` but would make a type of each `anyOf` outside it.
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
const ambiguous = Object.entries(innerFields).flatMap(([head, names]) =>
  names.map((inner) => ({
    required: [`${head}.${inner}`, head],
    properties: { [`${head}.${inner}`]: {}, [head]: objectWith(inner) },
  })),
);

export const accountConditions = { not: { anyOf: [withoutProduct, blankCode, ...ambiguous] } };
