import * as z from 'zod';
import { ambiguous, ambiguousKeys, dottedParts, nested, pathAsSent } from '../values/dotted-keys.ts';
import {
  day,
  fieldKinds,
  flag,
  identifier,
  isBlank,
  isIdentifying,
  maxTextLength,
  maxUniqueIdBytes,
  notIdentifying,
  schemasOf,
  text,
  utf8Length,
} from '../values/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { type MetadataChange, metadataField } from '../values/metadata.ts';
import { type ErrorDetail, pointer } from '../values/problem.ts';
import {
  deprecatedFields,
  detailFields,
  type FlagField,
  flagFields,
  inverse,
  knownFields,
  metaFields,
  normalizedPhone,
  type PhoneField,
  phoneDigits,
  phoneFields,
  readOnlyFields,
  type TextField,
  textFields,
} from './contact.ts';

const kinds = {
  text: text().nullish(),
  flag: flag().nullish(),
  day: day().nullish(),
  metadata: metadataField().nullish(),
  phone: text()
    .transform((value, context) => {
      const digits = normalizedPhone(value);
      if (digits !== undefined) return digits;
      const message = 'must be one phone number: at most 15 digits, with punctuation, without letters';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    // The pattern works in every regular expression dialect. The code also rejects letters of other scripts, and more than
    // one number. With a leading `00`, 17 digits are allowed.
    .meta({ maxLength: maxTextLength, pattern: '^(?:\\s*|[^A-Za-z0-9]*(?:[0-9][^A-Za-z0-9]*){1,17})$' })
    .register(fieldKinds, { kind: 'text' })
    .nullish(),
};

/** A contact in a request (specification, "Contact"). A field that is left out keeps its value, `null` clears it. */
export const contactRecord = z
  .looseObject(
    {
      unique_id: identifier(maxUniqueIdBytes)
        .nullish()
        .describe(
          'Id of the contact in the system of the caller: any string of at most 1,024 bytes of UTF-8. It identifies the contact to create or update. If it is absent, empty or blank, `email` is used instead',
        ),
      ...schemasOf(detailFields, kinds),
      unsubscribe_email: deprecated('Inverse of `email_opted_in`, which replaces it'),
      unsubscribe_sms: deprecated('Inverse of `sms_opted_in`, which replaces it'),
      journey: z
        .looseObject(
          { template_id: z.string('must be a string').nullish().describe('The campaign') },
          'must be an object',
        )
        .meta({ id: 'ContactJourneyInput', description: 'The journey to start for the contact' })
        .nullish()
        .describe(
          'Creates or updates a journey from this template immediately. The dotted key `"journey.template_id"` means the same',
        ),
    },
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({
    id: 'ContactInput',
    description:
      'A field that is left out keeps its value, `null` clears it. A field whose name is the key of an objective completes it.',
  });

function deprecated(description: string) {
  return kinds.flag.meta({ deprecated: true, description });
}

/** The change that one record requests. */
export type ContactChange = {
  /** The `unique_id` in the record, unless it is empty or blank. */
  uniqueId: string | undefined;
  /**
   * The system id in the record, in lower case; empty if it is not a string. When a journey is started, it must be the id
   * of the contact.
   */
  id?: string;
  /** An absent field keeps its value, `null` clears it. Deprecated flags are converted to their replacements. */
  fields: Partial<Record<TextField, string | null> & Record<FlagField, boolean | null>>;
  /** The digits of phones as they were sent, where {@link fields} has others. If they are stored, the phone is too. */
  phones: Partial<Record<PhoneField, string>>;
  /** What deprecated flags say, if it contradicts {@link fields}. The value that is not stored counts. */
  contradicting: Partial<Record<FlagField, boolean>>;
  meta: { meta_public?: MetadataChange | null | undefined; meta_private?: MetadataChange | null | undefined };
  templateId: string | undefined;
  /** JSON Pointer of `templateId` from the record. */
  templatePath: string;
  /** Fields that are not fields of a contact. Their names can be keys of objectives. */
  unknown: JsonObject;
  /** The record as it was sent. */
  sent: JsonObject;
};

/**
 * The errors of an invalid record, and what of it is valid and can have more errors. It is a value, not an exception, so
 * that these errors are reported together with those that only the store can find.
 */
export class InvalidContact {
  readonly errors: readonly ErrorDetail[];
  readonly uniqueId: string | undefined;
  readonly templateId: string | undefined;
  readonly templatePath: string;
  readonly unknown: JsonObject;
  readonly sent: JsonObject;
  /** The valid metadata. Merged with the stored metadata, it can exceed the limits. */
  readonly meta: ContactChange['meta'];
  readonly #email: string | undefined;

  constructor(errors: readonly ErrorDetail[], sent: JsonObject = {}) {
    const record = nested(sent, dottedHeads) as JsonObject;
    const { unique_id: uniqueId, email } = record;
    const { meta_public, meta_private } = contactRecord.shape;
    this.errors = errors;
    this.uniqueId = typeof uniqueId === 'string' ? present(uniqueId) : undefined;
    this.#email = typeof email === 'string' ? present(email) : undefined;
    this.templateId = templateIdIn(record);
    this.templatePath = templatePathIn(record);
    this.unknown = unknownIn(sent);
    this.sent = sent;
    this.meta = {
      meta_public: meta_public.safeParse(record.meta_public).data,
      meta_private: meta_private.safeParse(record.meta_private).data,
    };
  }

  /** The value that identifies the contact, if it is valid. */
  get identity(): string | undefined {
    const isValid = this.errors.every(({ path }) => path !== '/unique_id' && path !== '/email');
    return isValid ? (this.uniqueId ?? this.#email) : undefined;
  }
}

export type ParsedContact = ContactChange | InvalidContact;

/** A rule for the whole record. Returns errors with paths relative to the record. */
export type RecordRule = (record: JsonObject) => ErrorDetail[];

/** The name under which a parsed record holds the record as it was sent: zod leaves out a field named `__proto__`. */
const asSent = 'record as sent';

/** The change of the record, or all its errors: those of single fields and those of the rule. */
export const parsedContact = (rule: RecordRule) =>
  z
    .preprocess(
      (input) => (isJsonObject(input) ? { ...(nested(input, dottedHeads) as JsonObject), [asSent]: input } : input),
      contactRecord.transform(({ [asSent]: sent, ...record }): ParsedContact => {
        const errors = recordErrors(sent as JsonObject, rule);
        return errors.length > 0
          ? new InvalidContact(errors, sent as JsonObject)
          : changeOf(record, sent as JsonObject);
      }),
    )
    .catch(({ error, input }) => {
      const errors = error.issues.map(({ path, message }) => {
        return { path: pointer(pathAsSent(input, path, dottedHeads)), message };
      });
      const record = input as JsonValue;
      if (!isJsonObject(record)) return new InvalidContact(errors);
      return new InvalidContact([...errors, ...recordErrors(record, rule)], record);
    });

const recordErrors = (sent: JsonObject, rule: RecordRule): ErrorDetail[] => [
  ...journeyErrors(sent),
  ...ambiguousKeys(sent, dottedHeads).map((name) => ({ path: pointer([name]), message: ambiguous })),
  ...rule(sent),
];

/** `"meta_public.car"` may also be sent as one key (contract, section 3). */
const dottedHeads: ReadonlySet<string> = new Set(metaFields);

/** `journey.template_id` may also be sent as one key (contract, section 3). */
const dottedTemplate = 'journey.template_id';

function journeyErrors(record: JsonObject): ErrorDetail[] {
  if (!Object.hasOwn(record, dottedTemplate)) return [];
  const path = `/${dottedTemplate}`;
  const value = record[dottedTemplate];
  const isText = value === null || typeof value === 'string';
  return [
    ...(isText ? [] : [{ path, message: 'must be a string' }]),
    ...(Object.hasOwn(record, 'journey') ? [{ path, message: 'cannot be sent together with journey' }] : []),
  ];
}

function templateIdIn(record: JsonObject): string | undefined {
  const { journey, [dottedTemplate]: dotted } = record;
  const templateId = dotted ?? (isJsonObject(journey) ? journey.template_id : undefined);
  return typeof templateId === 'string' ? templateId : undefined;
}

/** True if an unvalidated record names a journey, in either form. `null` names none. */
export const namesJourney = (record: JsonValue | undefined): boolean =>
  isJsonObject(record) && [record.journey, record[dottedTemplate]].some((each) => each !== undefined && each !== null);

const templatePathIn = (record: JsonObject): string =>
  Object.hasOwn(record, dottedTemplate) ? `/${dottedTemplate}` : '/journey/template_id';

/** The value that identifies the contact (specification, "unique_id rules", 4 and 5): `unique_id`, or else `email`. */
export const identityOf = (record: ParsedContact): string | undefined =>
  record instanceof InvalidContact ? record.identity : (record.uniqueId ?? present(record.fields.email));

/** An upsert requires a `unique_id` or an `email`. A value of the wrong type is reported elsewhere. */
export function identityErrors({ unique_id: uniqueId, email }: JsonObject): ErrorDetail[] {
  const sent = [uniqueId, email].filter((value) => !isBlank(value));
  if (sent.length === 0) return [{ path: '/unique_id', message: 'unique_id or email is required' }];
  if (!isBlank(uniqueId) || typeof email !== 'string') return [];
  if (!isIdentifying(email)) return [{ path: '/email', message: `${notIdentifying}, when it is used as unique_id` }];
  if (utf8Length(email) <= maxUniqueIdBytes) return [];
  return [
    { path: '/email', message: `must be at most ${maxUniqueIdBytes} bytes of UTF-8 when it is used as unique_id` },
  ];
}

/** When a journey is started for a contact that is sent with its system id and with fields to set. */
export const uniqueIdBesideId: ErrorDetail = {
  path: '/unique_id',
  message: 'is required when other fields of the contact are sent with id',
};

/** A new `unique_id` for an existing contact: the rules of a request, and not blank. */
export const givenUniqueId = identifier(maxUniqueIdBytes).refine((value) => !isBlank(value), 'must not be blank');

const present = (value: string | null | undefined): string | undefined =>
  isBlank(value) ? undefined : (value as string);

/** The change of a valid record, or the part of an invalid record that can have more errors. */
export const changeToCheck = (record: ParsedContact): ContactChange =>
  record instanceof InvalidContact ? { ...noChange, uniqueId: record.uniqueId, meta: record.meta } : record;

const noChange = {
  fields: {},
  phones: {},
  contradicting: {},
  templateId: undefined,
  templatePath: '',
  unknown: {},
  sent: {},
};

function changeOf(record: z.output<typeof contactRecord>, sent: JsonObject): ContactChange {
  const fields: Record<string, string | boolean | null> = {};
  for (const field of [...textFields, ...flagFields]) {
    const value = record[field];
    if (value !== undefined) fields[field] = value;
  }
  if (record.email !== undefined) fields.email = present(record.email) ?? null;
  const contradicting: ContactChange['contradicting'] = {};
  for (const [deprecatedField, field] of Object.entries(deprecatedFields)) {
    const implied = inverse(record[deprecatedField as keyof typeof deprecatedFields]);
    if (fields[field] === undefined && implied !== undefined) fields[field] = implied;
    // `null` clears only if it is sent alone.
    else if (typeof implied === 'boolean' && implied !== fields[field]) contradicting[field] = implied;
  }
  const phones: ContactChange['phones'] = {};
  for (const field of phoneFields) {
    const digits = typeof record[field] === 'string' ? phoneDigits(sent[field] as string) : undefined;
    if (digits !== undefined && digits !== record[field]) phones[field] = digits;
  }
  const { meta_public, meta_private } = record;
  return {
    uniqueId: present(record.unique_id),
    ...(record.id === undefined || record.id === null ? {} : { id: lowerCase(record.id) }),
    fields,
    phones,
    contradicting,
    meta: { meta_public, meta_private },
    templateId: templateIdIn(record as JsonObject),
    templatePath: templatePathIn(record as JsonObject),
    unknown: unknownIn(sent),
    sent,
  };
}

const isKnown = (name: string): boolean => knownFields.has(name) || dottedParts(name, dottedHeads) !== undefined;
/** True for a field that callers set. */
export const isSettable = (name: string): boolean => isKnown(name) && !readOnlyFields.has(name);

const unknownIn = (sent: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !isKnown(name)));

const lowerCase = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
