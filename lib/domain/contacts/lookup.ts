import * as z from 'zod';
import { isNumber } from '../values/fields.ts';
import { type JsonScalar, numberText } from '../values/json.ts';
import { type ErrorDetail, invalidRequest, Problem } from '../values/problem.ts';
import {
  type Contact,
  deprecatedFields,
  flagFields,
  inverse,
  metaFields,
  normalizedPhone,
  textFields,
} from './contact.ts';

/**
 * Finds a contact by one of its fields (contract, section 8). A field has the name of its query parameter, for example
 * `email` or `meta_private[core_id]`.
 */
const plainFields = [
  'id',
  'unique_id',
  ...textFields,
  ...flagFields,
  ...(Object.keys(deprecatedFields) as (keyof typeof deprecatedFields)[]),
  'inserted_at',
  'updated_at',
] as const;
type PlainField = (typeof plainFields)[number];

export type LookupField =
  | { readonly name: PlainField; readonly key?: undefined }
  /** `key` is the flattened key. */
  | { readonly name: (typeof metaFields)[number]; readonly key: string };

export type Lookup = { field: LookupField; value: string };

/** All lookup fields except metadata, which require a key. */
export const lookupFieldNames: readonly string[] = plainFields;

/** The field with this name, or an error message. */
export function lookupField(text: string): LookupField | string {
  const [, name, brackets] = /([^[]*)(.*)/s.exec(text)!;
  if (isIn(metaFields, name)) {
    const keys = /^(?:\[[^\]]+\])+$/.test(brackets!) ? brackets!.slice(1, -1).split('][') : [];
    return keys.length > 0 ? { name, key: keys.join('.') } : `requires a key, as in ${name}[key]`;
  }
  if (isIn(plainFields, name) && brackets === '') return { name };
  return 'is not a field of a contact';
}

const isIn = <T extends string>(names: readonly T[], name: string | undefined): name is T =>
  (names as readonly string[]).includes(name!);

/** The canonical name of the field: it is the same for all notations. */
export const lookupFieldName = ({ name, key }: LookupField): string => (key === undefined ? name : `${name}[${key}]`);

/**
 * The lookup of a request, which must have exactly one parameter. Unknown parameters are not ignored here.
 * @param parameters all names and values in the request, including repeated ones
 * @throws Problem `invalid_request`
 */
export function requestedLookup(parameters: readonly (readonly [name: string, value: string])[]): Lookup {
  const [parameter, ...more] = parameters;
  if (!parameter) throw invalidRequest({ path: '', message: 'requires a query parameter: a field of a contact' });
  if (more.length > 0)
    throw new Problem('invalid_request', Array.from(new Set(parameters.map(([name]) => name)), surplus));
  const [name, value] = parameter;
  const field = lookupField(name);
  if (typeof field === 'string') throw invalidRequest({ path: name, message: field });
  return { field, value };
}

const surplus = (path: string): ErrorDetail => ({
  path,
  message: 'must be the only query parameter, and sent only once',
});

/**
 * The values in the form of {@link lookupText} that match. A phone matches as an upsert would store it, and as it is
 * stored: ten digits can be a number that was sent with a plus. The case of an id does not matter. All other values are
 * compared as sent.
 */
export function searchTexts({ field, value }: Lookup): string[] {
  if (field.name === 'id') return [value.toLowerCase()];
  if (!field.name.startsWith('phone_')) return [value];
  const asStored = /^[0-9]+$/.test(value) ? [value] : [];
  return [...new Set([normalizedPhone(value) ?? [], asStored].flat())];
}

/** The value of the field as text: a boolean or number as JSON. `undefined` for `null`, which matches nothing. */
export function lookupText(contact: Contact, field: LookupField): string | undefined {
  const value = valueIn(contact, field) ?? undefined;
  if (value === undefined) return undefined;
  return isNumber(value) ? numberText(value) : String(value);
}

function valueIn(contact: Contact, { name, key }: LookupField): JsonScalar | undefined {
  if (key !== undefined) {
    const metadata = contact[name];
    return metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  }
  if (name === 'unsubscribe_email' || name === 'unsubscribe_sms') return inverse(contact[deprecatedFields[name]]);
  return contact[name];
}

export function isMatch(contact: Contact, lookup: Lookup): boolean {
  const text = lookupText(contact, lookup.field);
  return text !== undefined && searchTexts(lookup).includes(text);
}

/** The lookup indexes. Each declared field of a team uses one of them. */
export const lookupSlots = [1, 2, 3, 4] as const;
export type LookupSlot = (typeof lookupSlots)[number];

export const declaredLookup = z.object({
  slot: z.literal(lookupSlots),
  field: z.string(),
  filled: z.boolean(),
  declared_at: z.string(),
});
/**
 * A field, by its canonical name, that a channel of the team declares for lookups. `declared_at` is the time (ISO 8601)
 * from which contacts are written with it. `filled` is true if the index of its slot has every contact with the field.
 */
export type DeclaredLookup = Readonly<z.output<typeof declaredLookup>>;

/**
 * The declarations after a change. A field that is kept keeps its slot. A new field gets a free slot, which is not
 * filled yet. Old entries of another field in that slot do no harm, because the name of the field is part of the index
 * key.
 * @param names of at most as many different fields as there are slots
 */
export function declaredLookups(
  before: readonly DeclaredLookup[],
  names: readonly string[],
  now: string,
): DeclaredLookup[] {
  const fields = distinctFields(names);
  const kept = before.filter(({ field }) => fields.includes(field));
  const free = lookupSlots.filter((slot) => !kept.some((each) => each.slot === slot));
  const added = fields.filter((field) => !kept.some((each) => each.field === field));
  const fresh = added.map((field, at) => ({ slot: free[at]!, field, filled: false, declared_at: now }));
  return [...kept, ...fresh].sort((a, b) => a.slot - b.slot);
}

/** The canonical names of these fields, each once. */
function distinctFields(names: readonly string[]): string[] {
  const fields = names.map(lookupField).filter((field) => typeof field !== 'string');
  return [...new Set(fields.map(lookupFieldName))];
}

/** A field in `lookup_fields` of an engagement channel. `id` and `unique_id` are found without an index. */
export const declaredField = () =>
  z.string('must be a string').superRefine((name, context) => {
    const field = lookupField(name);
    const isDirect = typeof field !== 'string' && (field.name === 'id' || field.name === 'unique_id');
    const message = isDirect ? 'must not be declared: id and unique_id can always be looked up' : field;
    if (typeof message === 'string') context.addIssue({ code: 'custom', message });
  });

/** True if there are enough slots for these fields. A field may be named more than once. */
export const fitSlots = (names: readonly string[]): boolean => distinctFields(names).length <= lookupSlots.length;
