import * as z from 'zod';
import { date, decimal, identifier, integer, isBlank, maxUniqueIdBytes, schemasOf, text } from '../values/fields.ts';
import { notBlank } from '../values/json-schema.ts';
import { metadataField } from '../values/metadata.ts';
import { type AccountField, accountFieldTable } from './account-field-table.ts';

/** The fields of an account and its product in requests (specification, "Account"; contract, section 4). */
export const productTypes = ['checking', 'savings', 'loan', 'lease', 'investment'] as const;

export const standardizedTypes = [
  'agricultural_loan',
  'auto_lease',
  'auto_loan',
  'business_cd',
  'business_checking',
  'business_credit_card',
  'business_lease',
  'business_loan',
  'business_loc',
  'business_money_market',
  'business_savings',
  'cd',
  'checking',
  'commercial_real_estate_loan',
  'construction_loan',
  'credit_card',
  'direct_auto_loan',
  'heloan',
  'heloc',
  'indirect_auto_loan',
  'investment',
  'ira_cd',
  'ira_money_market',
  'ira_savings',
  'loc',
  'money_market',
  'mortgage',
  'multifamily_real_estate_loan',
  'other_lease',
  'other_loan',
  'payday_alternative_loan',
  'personal_loan',
  'rv_boat_motorcycle_loan',
  'savings',
  'secured_credit_card',
  'secured_loan',
  'student_checking',
  'student_loan',
  'student_savings',
  'unknown',
] as const;

/** Bytes of UTF-8. Account number and product code are parts of keys in the table. */
const maxKeyBytes = 512;

const optionalText = text().nullish();

/** Schemas of the fields, in the same order. */
export const accountFields = schemasOf(accountFieldTable, {
  text: optionalText,
  date: date().nullish(),
  decimal: decimal().nullish(),
  integer: integer().nullish(),
});

export const metadataFields = {
  meta_public: metadataField().nullish().describe('Free-form data; readable by anyone inspecting journey pages'),
  meta_private: metadataField().nullish().describe('Free-form data; exposed only after identity validation'),
} as const;

const key = (what: string) =>
  identifier(maxKeyBytes)
    .refine((value) => !isBlank(value), 'must not be blank')
    .meta({
      description: `${what}, not blank, at most ${maxKeyBytes} bytes of UTF-8`,
      minLength: 1,
      pattern: notBlank,
    });

const product = z
  .object(
    {
      code: key('Product code'),
      type: z.enum(productTypes, `must be one of ${productTypes.join(', ')}`).describe('Product type'),
      standardized_type: z
        .enum(standardizedTypes, 'must be one of the listed standardized types; leave it out for "unknown"')
        .optional()
        .describe('Normalised classification for reporting and targeting. `unknown` if it is left out'),
      name: optionalText.describe('Product name'),
      description: optionalText.describe('Product description'),
    },
    'code and type are required, unless the record only maps an account to a contact',
  )
  .meta({ id: 'ProductInput', description: 'The product of an account' });

const contact = z
  .object(
    {
      unique_id: identifier(maxUniqueIdBytes).nullish().describe('`unique_id` of the contact to link'),
      role: optionalText.describe("Contact's role on the account, for example primary or joint"),
    },
    'must be an object',
  )
  .meta({ id: 'AccountHolder', description: 'The contact of an account' });

export const sharedFields = {
  account_number: key('Unique id of the account'),
  contact: contact
    .nullish()
    .describe(
      'Contact to link. Without one, most features of the account cannot be used until a later batch links a contact',
    ),
};

/** The nested form of a record in a request. */
export const accountInput = z.object(
  {
    ...sharedFields,
    product: product.optional().describe('Used only if its `code` is new. An existing product is not changed'),
    ...accountFields,
    ...metadataFields,
  },
  'must be an object',
);

export const otherKnownFields = ['product', ...Object.keys(accountFields), ...Object.keys(metadataFields)];

/** The fields that may also be sent as dotted keys, by object. In metadata, every key may. */
export const innerFields = { contact: Object.keys(contact.shape), product: Object.keys(product.shape) };

export type ProductInput = z.output<typeof product>;
export type AccountFields = Partial<Record<AccountField, string | number | null | undefined>>;
