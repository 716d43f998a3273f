import * as z from 'zod';
import { type Contact, deprecatedFields, flagFields, inverse, metaFields, textFields } from './contact.ts';
import { isNumber } from './fields.ts';
import { type JsonScalar, numberText } from './json.ts';
import { normalizedPhone } from './phone.ts';
import { type ErrorDetail, invalidRequest } from './problem.ts';

/**
 * Finding a contact by one of its fields (contract, section 8). A field is named as the query parameter names it:
 * `email`, `meta_private[core_id]`.
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
  /** `key` is the flattened one. */
  | { readonly name: (typeof metaFields)[number]; readonly key: string };

export type Lookup = { field: LookupField; value: string };

/** Every field that a lookup can name, but for the metadata, which need a key. */
export const lookupFieldNames: readonly string[] = plainFields;

/** The field of this name; what is wrong with the name, where there is none. */
export function lookupField(text: string): LookupField | string {
  const [, name, brackets] = /^([^[]*)(.*)$/s.exec(text)!;
  if (isIn(metaFields, name)) {
    const keys = /^(?:\[[^\]]+\])+$/.test(brackets!) ? brackets!.slice(1, -1).split('][') : [];
    return keys.length > 0 ? { name, key: keys.join('.') } : `needs a key, as in ${name}[key]`;
  }
  if (isIn(plainFields, name) && brackets === '') return { name };
  return 'is not a field of a contact';
}

const isIn = <T extends string>(names: readonly T[], name: string | undefined): name is T =>
  (names as readonly string[]).includes(name!);

/** The one name that stands for the field, whichever way it was written. */
export const lookupFieldName = ({ name, key }: LookupField): string => (key === undefined ? name : `${name}[${key}]`);

/**
 * What a request looks for: it has exactly one parameter, whatever the others are called.
 * @param parameters names and values as they were sent, repeated ones too
 * @throws Problem `invalid_request`
 */
export function requestedLookup(parameters: readonly (readonly [name: string, value: string])[]): Lookup {
  const [parameter, ...more] = parameters;
  if (!parameter) throw invalidRequest({ path: '', message: 'needs a query parameter: a field of a contact' });
  if (more.length > 0) throw invalidRequest(...new Set(parameters.map(([name]) => name)).values().map(surplus));
  const [name, value] = parameter;
  const field = lookupField(name);
  if (typeof field === 'string') throw invalidRequest({ path: name, message: field });
  return { field, value };
}

const surplus = (path: string): ErrorDetail => ({ path, message: 'must be the only query parameter, once' });

/**
 * The value as a contact that it matches has it ({@link lookupText}); nothing where no contact can. A phone is
 * normalised as on arrival; everything else counts as it was sent.
 */
export function searchText({ field, value }: Lookup): string | undefined {
  return field.name.startsWith('phone_') ? (normalizedPhone(value) ?? undefined) : value;
}

/** What the contact has in the field, a boolean or number as its JSON text; `null` is nothing, and matches nothing. */
export function lookupText(contact: Contact, field: LookupField): string | undefined {
  const value = valueIn(contact, field) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
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

export const isMatch = (contact: Contact, lookup: Lookup): boolean => {
  const sought = searchText(lookup);
  return sought !== undefined && lookupText(contact, lookup.field) === sought;
};

/** Indexes that a team's declared fields take turns in. */
export const lookupSlots = [1, 2, 3, 4] as const;
export type LookupSlot = (typeof lookupSlots)[number];

export const declaredLookup = z.object({
  slot: z.literal(lookupSlots),
  field: z.string(),
  filled: z.boolean(),
  declared_at: z.string(),
});
/**
 * A field (by its one name) that the team's channels declare for lookups, since when contacts are written with it
 * (ISO 8601), and whether the index of its slot holds every contact that has it.
 */
export type DeclaredLookup = Readonly<z.output<typeof declaredLookup>>;

/**
 * The declarations after a change: a field that stays keeps its slot, a new one takes a free slot and has yet to be
 * filled in. What an earlier field left in a slot does no harm, for the field is part of what the index compares.
 * @param names of at most as many fields as there are slots
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

/** The fields of these names, each once. */
function distinctFields(names: readonly string[]): string[] {
  const fields = names.map(lookupField).filter((field) => typeof field !== 'string');
  return [...new Set(fields.map(lookupFieldName))];
}

/** A field in an engagement channel's `lookup_fields`. `id` and `unique_id` are found without an index. */
export const declaredField = () =>
  z.string('must be a string').superRefine((name, context) => {
    const field = lookupField(name);
    const isDirect = typeof field !== 'string' && (field.name === 'id' || field.name === 'unique_id');
    const message = isDirect ? 'is looked up without being declared' : field;
    if (typeof message === 'string') context.addIssue({ code: 'custom', message });
  });

/** Whether all these fields, some of them named more than once, find a slot. */
export const fitSlots = (names: readonly string[]): boolean => distinctFields(names).length <= lookupSlots.length;
