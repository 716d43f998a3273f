import * as z from 'zod';
import { date, decimal, identifier, integer, isBlankText, text } from './fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { type Metadata, type MetadataChange, mergeMetadata, metadataFault, metadataField } from './metadata.ts';

/** Accounts and products (specification, "Account"; contract, section 4). */
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

/** Bytes of UTF-8: account number and product code are parts of keys. */
const maxKeyBytes = 512;
const maxUniqueIdBytes = 1024;

const described = <T extends z.ZodType>(type: T, description: string) => type.nullish().meta({ description });

/** Every field of an account but its number, its contact, its product and its metadata, in the specification's order. */
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

const metadataFields = {
  meta_public: described(metadataField(), 'Free-form data; readable by anyone inspecting journey pages'),
  meta_private: described(metadataField(), 'Free-form data; exposed only after identity validation'),
} as const;

const key = (what: string) =>
  identifier(maxKeyBytes)
    .refine((value) => !isBlankText(value), 'must not be blank')
    .meta({ description: `${what}, not blank, at most ${maxKeyBytes} bytes of UTF-8`, minLength: 1 });

const product = z
  .object(
    {
      code: key('Product code'),
      type: z.enum(productTypes, `must be one of ${productTypes.join(', ')}`).meta({ description: 'Product type' }),
      standardized_type: z
        .enum(standardizedTypes, 'must be one of the listed standardized types; leave it out for "unknown"')
        .optional()
        .meta({ description: 'Normalised classification for reporting and targeting; `unknown` when left out' }),
      name: described(text(), 'Product name'),
      description: described(text(), 'Product description'),
    },
    'code and type are required, unless the record only maps an account to a contact',
  )
  .meta({ id: 'ProductInput', description: 'What an account is of' });

const contact = z
  .object(
    {
      unique_id: described(identifier(maxUniqueIdBytes), '`unique_id` of the contact to link'),
      role: described(text(), "Contact's role on the account, for example primary or joint"),
    },
    'must be an object',
  )
  .meta({ id: 'AccountHolder', description: 'Who has an account' });

const shared = {
  account_number: key('Unique id of the account'),
  contact: described(
    contact,
    'Contact to link; without one most account features stay unusable until a later batch maps it',
  ),
};

/** A record's fields, nested, as they are sent. */
export const accountInput = z.object(
  {
    ...shared,
    product: product
      .optional()
      .meta({ description: 'Used only when its `code` is new: an existing product is not changed' }),
    ...accountFields,
    ...metadataFields,
  },
  'must be an object',
);

/** A record of an `accounts` batch as validated. `undefined` keeps what is stored, `null` clears it. */
export type AccountRecord = {
  account_number: string;
  /** Absent when the record names no contact. */
  link: { unique_id: string; role?: string | null } | undefined;
  /** Absent when the record is only a mapping. */
  account: { fields: AccountFields; meta_public?: Meta; meta_private?: Meta; product: ProductInput } | undefined;
};
type AccountFields = Partial<Record<keyof typeof accountFields, string | number | null | undefined>>;
/** For each top-level key that was sent, the flattened keys that replace those under it; `null` clears everything. */
type Meta = Record<string, Metadata> | null;
export type ProductInput = z.output<typeof product>;

/** The errors of a record as it was sent. */
class InvalidAccount {
  readonly issues: readonly AccountIssue[];

  constructor(issues: readonly AccountIssue[]) {
    this.issues = issues;
  }
}

type AccountIssue = { path: PropertyKey[]; message: string };

const otherKnownFields = ['product', ...Object.keys(accountFields), ...Object.keys(metadataFields)];

/**
 * One record of a batch. Dotted keys (`"contact.unique_id"`) are the same as nested ones; both for one field are
 * ambiguous. Errors name their place as it was sent. A record with `account_number` and a contact's `unique_id` and
 * nothing else that we know is a mapping.
 */
export const accountRecord = z
  .preprocess(
    (value, { addIssue }) => {
      for (const name of ambiguousKeys(value)) {
        // Of all codes this alone lets the fields be looked at, too.
        addIssue({ code: 'unrecognized_keys', keys: [name], path: [name], message: ambiguous });
      }
      return withProductUnlessMapping(nest(value));
    },
    accountInput.transform((parsed): AccountRecord | InvalidAccount => recordOf(parsed)),
  )
  .catch(({ error, input }) => {
    const issues = error.issues.map(({ path, message }) => ({ path: pathAsSent(input, path), message }));
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
      'An account and the contact to link it to; or only `account_number` and `contact`, which links what is there or ' +
      'comes later. Dotted keys (`"contact.unique_id"`) are taken as the same.',
    ...productUnlessMapping(),
  });

const ambiguous = 'is sent as a dotted key and inside the object, too: send one of the two';

/** {@link withProductUnlessMapping} as JSON Schema; generators pass over `not`, and would make a type of each `anyOf`. */
function productUnlessMapping() {
  const holder = {
    type: 'object',
    required: ['unique_id'],
    properties: { unique_id: { type: 'string', pattern: '\\S' } },
  };
  const holders = [
    { required: ['contact'], properties: { contact: holder } },
    { required: ['contact.unique_id'], properties: { 'contact.unique_id': holder.properties.unique_id } },
  ];
  const others = otherKnownFields.map((name) => ({ required: [name] }));
  const mapping = { anyOf: holders, not: { anyOf: others } };
  return {
    not: { not: { anyOf: [{ required: ['product'] }, { required: ['product.code', 'product.type'] }, mapping] } },
  };
}

const nestable = new Set(['contact', 'product', 'meta_public', 'meta_private']);

/** `["contact", "unique_id"]` of `contact.unique_id`; `undefined` for a key that names no field of an object. */
function dottedParts(name: string): [head: string, inner: string] | undefined {
  const dot = name.indexOf('.');
  const head = name.slice(0, Math.max(dot, 0));
  return nestable.has(head) ? [head, name.slice(dot + 1)] : undefined;
}

const isField = (record: JsonObject, [head, inner]: readonly [string, string]): boolean => {
  const given = record[head];
  return isJsonObject(given) && Object.hasOwn(given, inner);
};

function ambiguousKeys(value: unknown): string[] {
  const record = value as JsonValue;
  if (!isJsonObject(record)) return [];
  return Object.keys(record).filter((name) => {
    const parts = dottedParts(name);
    return parts !== undefined && isField(record, parts);
  });
}

function nest(value: unknown): unknown {
  const record = value as JsonValue;
  if (!isJsonObject(record) || !Object.keys(record).some((name) => name.includes('.'))) return record;
  const nested = new Map<string, JsonValue>();
  const inner = new Map<string, [string, JsonValue][]>();
  for (const [name, value] of Object.entries(record)) {
    const parts = dottedParts(name);
    if (!parts) {
      nested.set(name, value);
      continue;
    }
    const entries = inner.get(parts[0]) ?? [];
    entries.push([parts[1], value]);
    inner.set(parts[0], entries);
  }
  for (const [head, entries] of inner) {
    const given = nested.get(head) ?? {};
    if (isJsonObject(given)) nested.set(head, Object.fromEntries([...Object.entries(given), ...entries]));
  }
  return Object.fromEntries(nested);
}

/** The place of an error in the record as it was sent, where `"product.type"` is one key. */
function pathAsSent(record: unknown, path: PropertyKey[]): PropertyKey[] {
  const [head, inner, ...rest] = path;
  const sent = record as JsonValue;
  if (typeof head !== 'string' || !nestable.has(head) || !isJsonObject(sent)) return path;
  if (typeof inner === 'string') {
    const dotted = `${head}.${inner}`;
    // What is missing has its place where its neighbours stand.
    const isDotted = Object.hasOwn(sent, dotted) || !isJsonObject(sent[head]);
    return isDotted ? [dotted, ...rest] : path;
  }
  if (Object.hasOwn(sent, head)) return path;
  return [Object.keys(sent).find((name) => name.startsWith(`${head}.`)) ?? head];
}

/** A product that is needed and missing becomes a wrong one here, so that its fault is reported among the others. */
function withProductUnlessMapping(value: unknown): unknown {
  const record = value as JsonValue;
  if (!isJsonObject(record) || Object.hasOwn(record, 'product') || isMapping(record)) return record;
  return { ...record, product: null };
}

function isMapping(record: JsonObject): boolean {
  const { contact } = record;
  const names = isJsonObject(contact) && isPresent(contact.unique_id);
  return names && !otherKnownFields.some((name) => Object.hasOwn(record, name));
}

/** Empty, blank and `null` count as absent where identity is looked for (contract, section 3). */
const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && isBlankText(value));

type Parsed = z.output<z.ZodObject<typeof shared & typeof accountFields & typeof metadataFields>> & {
  product?: ProductInput | undefined;
};

function recordOf({ account_number, contact, product, meta_public, meta_private, ...fields }: Parsed): AccountRecord {
  const link = isPresent(contact?.unique_id)
    ? { unique_id: contact?.unique_id as string, ...(contact?.role === undefined ? {} : { role: contact.role }) }
    : undefined;
  if (product === undefined) return { account_number, link, account: undefined };
  return {
    account_number,
    link,
    account: {
      fields,
      product,
      ...(meta_public === undefined ? {} : { meta_public: metaOf(meta_public) }),
      ...(meta_private === undefined ? {} : { meta_private: metaOf(meta_private) }),
    },
  };
}

const metaOf = (change: MetadataChange | null): Meta =>
  change && Object.fromEntries([...change].map(([top, group]) => [top, Object.fromEntries(group)]));

const changeOf = (meta: Meta): MetadataChange | null =>
  meta && new Map(Object.entries(meta).map(([top, group]) => [top, new Map(Object.entries(group))]));

/** An account as stored: what is set, nothing that is `null`. */
export type Account = {
  fields: AccountFields;
  product_code: string;
  meta_public: Metadata | null;
  meta_private: Metadata | null;
};

export type Rejected = { rejected: string };

/** The account after the record, or why the merged account cannot be stored. */
export function mergeAccount(
  stored: Account | undefined,
  input: NonNullable<AccountRecord['account']>,
): Account | Rejected {
  const merged = {
    fields: { ...stored?.fields, ...input.fields },
    product_code: input.product.code,
    meta_public: mergedMeta(stored?.meta_public ?? null, input.meta_public),
    meta_private: mergedMeta(stored?.meta_private ?? null, input.meta_private),
  };
  const overLimit = metadataFault(merged.meta_public) ?? metadataFault(merged.meta_private);
  return overLimit === undefined ? merged : { rejected: mergedTooLarge };
}

export const mergedTooLarge =
  'meta_public or meta_private, merged with what is stored, would be over 1,000 keys or 16 KB; the account was left as it was';

const mergedMeta = (stored: Metadata | null, sent: Meta | undefined): Metadata | null =>
  sent === undefined ? stored : mergeMetadata(stored, changeOf(sent));

const fieldOrder = Object.keys(accountFields) as (keyof typeof accountFields)[];

/** The account as one text, the same text for the same account. */
export function serializeAccount({ fields, product_code, meta_public, meta_private }: Account): string {
  const set = fieldOrder.filter((name) => fields[name] != null).map((name) => [name, fields[name]]);
  return JSON.stringify({
    product_code,
    fields: Object.fromEntries(set),
    ...(meta_public ? { meta_public } : {}),
    ...(meta_private ? { meta_private } : {}),
  });
}
