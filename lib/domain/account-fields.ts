import * as z from 'zod';
import { date, decimal, identifier, integer, isBlank, text } from './fields.ts';
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

const described = <T extends z.ZodType>(type: T, description: string) => type.nullish().meta({ description });

/** The fields of an account except number, contact, product and metadata, in the order of the specification. */
export const accountFields = {
  micr: described(text(), 'Account number as on a check MICR line'),
  routing_number: described(text(), "Used by the direct deposit widget before the team's routing number"),
  opened_date: described(date(), 'Date of opening'),
  closed_date: described(date(), 'Date of closing'),
  nickname: described(text(), 'Account nickname'),
  balance: described(decimal(), 'Balance'),
  number_transactions_last_30_days: described(integer(), 'Count of transactions in the last 30 days'),
  total_amount_last_30_days: described(decimal(), 'Sum of transactions in the last 30 days'),
  status_code: described(text(), 'Status code'),
  adverse_status: described(text(), 'Adverse status code(s)'),
  channel_opened: described(text(), 'Channel through which it was opened'),
  closed_reason: described(text(), 'Reason for closing'),
  credit_card_activation: described(date(), 'Activation date of the card'),
  last_mobile_pay_transaction: described(date(), 'Date of latest mobile pay transaction'),
  last_statement_balance: described(decimal(), 'Balance on the latest statement'),
  last_transaction_amount: described(decimal(), 'Amount of latest transaction'),
  last_transaction_date: described(date(), 'Date of latest transaction'),
  apy: described(decimal(), 'APY'),
  charge_off: described(text(), 'Charge-off code'),
  payment_due_date: described(date(), 'Next payment due'),
  in_person_deposit_check_date: described(date(), 'Latest in-person check deposit'),
  payment_frequency: described(text(), 'If applicable'),
  payment_method: described(text(), 'If applicable'),
  loan_payment: described(decimal(), 'If applicable'),
  loan_payoff_date: described(date(), 'If applicable'),
  loan_principal: described(decimal(), 'If applicable'),
  loan_term: described(text(), 'If applicable'),
  maturity_date: described(date(), 'If applicable'),
  last_debit_card_transaction: described(date(), 'Latest debit card transaction'),
  last_mobile_pay_amount: described(decimal(), 'Amount of latest mobile pay transaction'),
  remote_deposit_last_30_days: described(date(), 'Latest remote deposit if within the last 30 days'),
} as const;

export const accountFieldNames = z.object(accountFields).keyof().options;

export const metadataFields = {
  meta_public: described(metadataField(), 'Free-form data; readable by anyone inspecting journey pages'),
  meta_private: described(metadataField(), 'Free-form data; exposed only after identity validation'),
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
      name: described(text(), 'Product name'),
      description: described(text(), 'Product description'),
    },
    'code and type are required, unless the record only maps an account to a contact',
  )
  .meta({ id: 'ProductInput', description: 'The product of an account' });

const contact = z
  .object(
    {
      unique_id: described(identifier(maxUniqueIdBytes), '`unique_id` of the contact to link'),
      role: described(text(), "Contact's role on the account, for example primary or joint"),
    },
    'must be an object',
  )
  .meta({ id: 'AccountHolder', description: 'The contact of an account' });

export const sharedFields = {
  account_number: key('Unique id of the account'),
  contact: described(
    contact,
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
