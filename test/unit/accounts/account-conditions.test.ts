import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { accountFieldNames } from '../../../lib/domain/accounts/account-field-table.ts';
import { accountConditions } from '../../../lib/domain/accounts/account-record.ts';
import { faults } from './account-records.ts';

const isAllowed = new Ajv2020({ strict: false }).compile(accountConditions);

/** The OpenAPI document must say the same as the validation of a record. */
const agreeOn = (fields: object, isValid: boolean) => {
  const record = { account_number: '1', ...fields };
  expect({ inDocument: isAllowed(record), inService: faults(record).length === 0 }).toEqual({
    inDocument: isValid,
    inService: isValid,
  });
};

const product = { code: 'P', type: 'checking', standardized_type: 'cd', name: 'n', description: 'd' };
const contact = { unique_id: 'c', role: 'joint' };
const dotted = { 'product.code': 'P', 'product.type': 'checking' };

describe('the conditions of a record allow', () => {
  test.each<[string, object]>([
    ['a product', { product }],
    ['a product by dotted keys', dotted],
    ['a product and a contact', { product, contact }],
    ['a product and a contact by dotted keys', { ...dotted, 'contact.unique_id': 'c', 'contact.role': 'joint' }],
    ['a product and a contact that is null', { product, contact: null }],
    ['a product and fields', { product, nickname: 'n', meta_public: { a: 1 } }],
    ['a mapping', { contact }],
    ['a mapping by a dotted key', { 'contact.unique_id': 'c' }],
    ['a mapping with unknown fields', { contact, colour: 'red' }],
    ['a dotted key beside other fields of its object', { product, contact: { unique_id: 'c' }, 'contact.role': 'x' }],
  ])('%s', (_, fields) => agreeOn(fields, true));
});

describe('the conditions of a record refuse', () => {
  test.each<[string, object]>([
    ['a record of a number alone', {}],
    ['a contact without unique_id', { contact: { role: 'joint' } }],
    ['a contact that is null', { contact: null }],
    ['a blank unique_id without a product', { contact: { unique_id: ' ' } }],
    ['a blank unique_id as a dotted key without a product', { 'contact.unique_id': ' ' }],
    ['a product code without a type', { 'contact.unique_id': 'c', 'product.code': 'P' }],
    ['a product type without a code', { 'contact.unique_id': 'c', 'product.type': 'loan' }],
    ['a blank product code as a dotted key', { ...dotted, 'product.code': ' ' }],
  ])('%s', (_, fields) => agreeOn(fields, false));

  test.each([...accountFieldNames, 'meta_public', 'meta_private'])('a mapping that also has %s', (name) => {
    agreeOn({ contact, [name]: null }, false);
  });

  test('a mapping that also has a field of a product as a dotted key', () => {
    for (const inner of ['standardized_type', 'name', 'description'] as const) {
      agreeOn({ contact, [`product.${inner}`]: product[inner] }, false);
    }
  });

  const pairs = Object.entries({ product, contact }).flatMap(([head, fields]) =>
    Object.entries(fields).map(([inner, value]) => [`${head}.${inner}`, value]),
  );
  test.each(pairs)('the dotted key %s beside the same field in its object', (name, value) => {
    agreeOn({ product, contact, [name!]: value }, false);
  });
});
