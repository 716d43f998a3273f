import * as z from 'zod';
import type { accountFieldNames } from './account-field-names.ts';
import { date, decimal, described, identifier, integer, isBlank, text } from './fields.ts';
import { notBlank } from './json-schema.ts';
import { metadataField } from './metadata.ts';

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
const maxUniqueIdBytes = 1024;

/** Fields of one kind share a schema, because creating them takes a large part of the CPU of a cold start. */
const optionalText = text().nullish();
const optionalDate = date().nullish();
const optionalDecimal = decimal().nullish();

/** Schemas of the fields, in the same order. */
export const accountFields = {
  micr: described(optionalText, 'Account number as on a check MICR line'),
  routing_number: described(optionalText, "Used by the direct deposit widget before the team's routing number"),
  opened_date: described(optionalDate, 'Date of opening'),
  closed_date: described(optionalDate, 'Date of closing'),
  nickname: described(optionalText, 'Account nickname'),
  balance: described(optionalDecimal, 'Balance'),
  number_transactions_last_30_days: described(integer().nullish(), 'Count of transactions in the last 30 days'),
  total_amount_last_30_days: described(optionalDecimal, 'Sum of transactions in the last 30 days'),
  status_code: described(optionalText, 'Status code'),
  adverse_status: described(optionalText, 'Adverse status code(s)'),
  channel_opened: described(optionalText, 'Channel through which it was opened'),
  closed_reason: described(optionalText, 'Reason for closing'),
  credit_card_activation: described(optionalDate, 'Activation date of the card'),
  last_mobile_pay_transaction: described(optionalDate, 'Date of latest mobile pay transaction'),
  last_statement_balance: described(optionalDecimal, 'Balance on the latest statement'),
  last_transaction_amount: described(optionalDecimal, 'Amount of latest transaction'),
  last_transaction_date: described(optionalDate, 'Date of latest transaction'),
  apy: described(optionalDecimal, 'APY'),
  charge_off: described(optionalText, 'Charge-off code'),
  payment_due_date: described(optionalDate, 'Next payment due'),
  in_person_deposit_check_date: described(optionalDate, 'Latest in-person check deposit'),
  payment_frequency: described(optionalText, 'If applicable'),
  payment_method: described(optionalText, 'If applicable'),
  loan_payment: described(optionalDecimal, 'If applicable'),
  loan_payoff_date: described(optionalDate, 'If applicable'),
  loan_principal: described(optionalDecimal, 'If applicable'),
  loan_term: described(optionalText, 'If applicable'),
  maturity_date: described(optionalDate, 'If applicable'),
  last_debit_card_transaction: described(optionalDate, 'Latest debit card transaction'),
  last_mobile_pay_amount: described(optionalDecimal, 'Amount of latest mobile pay transaction'),
  remote_deposit_last_30_days: described(optionalDate, 'Latest remote deposit if within the last 30 days'),
} as const satisfies Record<(typeof accountFieldNames)[number], z.ZodType>;

export const metadataFields = {
  meta_public: described(metadataField().nullish(), 'Free-form data; readable by anyone inspecting journey pages'),
  meta_private: described(metadataField().nullish(), 'Free-form data; exposed only after identity validation'),
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
      type: z.enum(productTypes, `must be one of ${productTypes.join(', ')}`).meta({ description: 'Product type' }),
      standardized_type: z
        .enum(standardizedTypes, 'must be one of the listed standardized types; leave it out for "unknown"')
        .optional()
        .meta({ description: 'Normalised classification for reporting and targeting. `unknown` if it is left out' }),
      name: described(optionalText, 'Product name'),
      description: described(optionalText, 'Product description'),
    },
    'code and type are required, unless the record only maps an account to a contact',
  )
  .meta({ id: 'ProductInput', description: 'The product of an account' });

const contact = z
  .object(
    {
      unique_id: described(identifier(maxUniqueIdBytes).nullish(), '`unique_id` of the contact to link'),
      role: described(optionalText, "Contact's role on the account, for example primary or joint"),
    },
    'must be an object',
  )
  .meta({ id: 'AccountHolder', description: 'The contact of an account' });

export const sharedFields = {
  account_number: key('Unique id of the account'),
  contact: described(
    contact.nullish(),
    'Contact to link. Without one, most features of the account cannot be used until a later batch links a contact',
  ),
};

/** The nested form of a record in a request. */
export const accountInput = z.object(
  {
    ...sharedFields,
    product: product
      .optional()
      .meta({ description: 'Used only if its `code` is new. An existing product is not changed' }),
    ...accountFields,
    ...metadataFields,
  },
  'must be an object',
);

export const otherKnownFields = ['product', ...Object.keys(accountFields), ...Object.keys(metadataFields)];

/** The fields that may also be sent as dotted keys, by object. In metadata, every key may. */
export const innerFields = { contact: Object.keys(contact.shape), product: Object.keys(product.shape) };

export type ProductInput = z.output<typeof product>;
export type AccountFields = Partial<Record<keyof typeof accountFields, string | number | null | undefined>>;
