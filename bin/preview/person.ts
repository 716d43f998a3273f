import { basename } from 'node:path';
import { closedDateOf, mergeAccount } from '../../lib/domain/account.ts';
import { accountInput, innerFields } from '../../lib/domain/account-fields.ts';
import { accountRecord } from '../../lib/domain/account-record.ts';
import { knownFields } from '../../lib/domain/contact.ts';
import { InvalidContact, parsedContact } from '../../lib/domain/contact-record.ts';
import { applyUpsert } from '../../lib/domain/contact-upsert.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { LinkedAccount } from '../../lib/domain/linked-account.ts';
import type { Objective } from '../../lib/domain/objective.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { derivedProductId } from '../../lib/store/ids.ts';
import { similarTo } from '../content/similar.ts';
import { team } from './content.ts';
import { fresh, jsonErrorMessage } from './places.ts';
import { type Person, sampleContact } from './sample.ts';

const now = '2026-01-01T00:00:00Z';
export const samplePerson: Person = { contact: sampleContact(now), accounts: [] };

/** A person of a file, with the errors of its values and the names that nothing reads. */
export type PreviewedPerson = Person & { errors: ErrorDetail[]; warnings: ErrorDetail[] };

/**
 * The person of a file: a contact with the fields of `POST /v1/contacts`, over those of a sample person, and in
 * `accounts` records as a batch takes them.
 * @param objectives of the content, which fields of the contact can complete
 */
export function personOf(file: string | undefined, objectives: readonly Objective[]): PreviewedPerson {
  if (file === undefined) return { ...samplePerson, errors: [], warnings: [] };
  const { value, error } = fresh(file, parsed);
  if (!isJsonObject(value)) {
    const message = error ?? 'The file must contain an object with the fields of a contact';
    return { ...samplePerson, errors: [{ path: basename(file), message }], warnings: [] };
  }
  const { accounts: given = [], ...fields } = value;
  const contact = contactOf(fields, objectives);
  const accounts = accountsOf(given);
  return {
    contact: contact.contact,
    accounts: accounts.flatMap(({ account }) => account ?? []),
    errors: placed(file, [...contact.errors, ...accounts.flatMap(({ errors }) => errors)]),
    warnings: placed(file, [...contact.warnings, ...accounts.flatMap(({ warnings }) => warnings)]),
  };
}

function parsed(text: string): { value?: JsonValue; error?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: jsonErrorMessage(text, error) };
  }
}

const placed = (file: string, details: readonly ErrorDetail[]): ErrorDetail[] =>
  details.map(({ path, message }) => ({ path: `${basename(file)}: ${path}`, message }));

const contactRecord = parsedContact(() => []);

function contactOf(fields: JsonObject, objectives: readonly Objective[]) {
  const known = [...knownFields, ...objectives.map(({ key }) => key)];
  const warnings = unreadNames(fields, known, 'is not a field of a contact, nor the key of an objective');
  const change = contactRecord.parse(fields);
  if (change instanceof InvalidContact) return { contact: samplePerson.contact, errors: change.errors, warnings };
  const context = { id: 'sample', uniqueId: 'sample', now, objectives };
  const { contact, errors } = applyUpsert(samplePerson.contact, change, context);
  return { contact: { ...contact, unique_id: change.uniqueId ?? contact.unique_id }, errors, warnings };
}

type ReadAccount = { account?: LinkedAccount; errors: ErrorDetail[]; warnings: ErrorDetail[] };

function accountsOf(given: JsonValue): ReadAccount[] {
  if (Array.isArray(given)) return given.map(accountOf);
  return [{ errors: [{ path: '/accounts', message: 'must be a list of accounts' }], warnings: [] }];
}

/** A record of a batch. It can also have the `id` of its product, which a page of a campaign can name. */
function accountOf(given: JsonValue, index: number): ReadAccount {
  const at = `/accounts/${index}`;
  if (isJsonObject(given) && isJsonObject(given.account)) {
    return { errors: [{ path: `${at}/account`, message: asReturned }], warnings: [] };
  }
  const warnings = unreadAccountNames(given).map(({ path, message }) => ({ path: at + path, message }));
  const { data: record, error } = accountRecord.safeParse(given);
  const errors = (error?.issues ?? []).map(({ path, message }) => ({ path: at + pointer(path), message }));
  if (!record?.account) {
    const mapping = [{ path: `${at}/product`, message: 'is required: without it, the account has no values' }];
    return { errors: record ? mapping : errors, warnings };
  }
  const account = mergeAccount(undefined, record.account);
  if ('rejected' in account) return { errors: [{ path: at, message: account.rejected }], warnings };
  const { product } = record.account;
  const standardized_type = product.standardized_type ?? 'unknown';
  const { name = null, description = null } = product;
  return {
    account: {
      account_number: record.account_number,
      role: roleOf(given),
      closed_date: closedDateOf(account),
      // No completion is recorded.
      since: '',
      account,
      product: { ...product, id: productIdOf(given, product.code), standardized_type, name, description },
    },
    errors: [],
    warnings,
  };
}

/** Responses of the API have only a part of the fields. */
const asReturned =
  'is the form of a response of the API: write the fields as a batch takes them, beside `account_number` and `product`';

/** Also without the `unique_id` of the contact, because the file is about one contact. */
const roleOf = (given: JsonValue): string | null => {
  const { contact, 'contact.role': dotted } = given as JsonObject;
  return ((isJsonObject(contact) ? contact.role : dotted) as string | null | undefined) ?? null;
};

function productIdOf(given: JsonValue, code: string): string {
  const { product, 'product.id': dotted } = given as JsonObject;
  const id = isJsonObject(product) ? product.id : dotted;
  return typeof id === 'string' ? id : derivedProductId(team.id, code);
}

const accountNames = Object.keys(accountInput.shape);
const innerNames = { ...innerFields, product: [...innerFields.product, 'id', 'services'] };

function unreadAccountNames(given: JsonValue): ErrorDetail[] {
  if (!isJsonObject(given)) return [];
  const isDotted = (name: string) => accountNames.includes(name.split('.', 1)[0]!);
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => !isDotted(name)));
  return [
    ...unreadNames(own, accountNames, 'is not a field of an account in a batch'),
    ...Object.entries(innerNames).flatMap(([head, names]) => {
      const inner = given[head];
      if (!isJsonObject(inner)) return [];
      const unread = unreadNames(inner, names, `is not a field of the ${head} of an account`);
      return unread.map(({ path, message }) => ({ path: pointer([head]) + path, message }));
    }),
  ];
}

function unreadNames(fields: JsonObject, known: readonly string[], what: string): ErrorDetail[] {
  const unread = Object.keys(fields).filter((name) => !known.includes(name));
  return unread.map((name) => {
    const meant = similarTo(name, known);
    const hint = meant === undefined ? '' : `: did you mean \`${meant}\`?`;
    return { path: pointer([name]), message: `${what}, and is ignored${hint}` };
  });
}
