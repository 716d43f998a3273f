import * as z from 'zod';
import { instant } from '../contacts/objective.ts';
import { isDateOrDateTime } from '../values/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { canonicalLanguage } from '../values/language.ts';

/** The kinds of field in campaign content (specification, "Template (campaign)" and the sections after it). */

/** A field that is `null` if the document leaves it out. The description is for the OpenAPI document. */
export const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  z
    .nullable(schema)
    .default(null as z.util.NoUndefined<z.output<z.ZodNullable<Schema>>>)
    .describe(description);

/** A list in the import document. It is empty if it is `null` or left out. */
export const list = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  z
    .array(schema, 'must be an array')
    .nullish()
    .transform((values): z.output<Schema>[] => values ?? [])
    .describe(description);

export const shapeOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, 'must be an object');

/** Well-formed text of any length. Only the size of the whole document is limited. */
export const prose = () =>
  z
    .string('must be a string')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates');

export const number = () => z.number('must be a number');

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** An ISO 8601 date or date-time, kept in UTC. */
export const moment = () =>
  z
    .string('must be a string')
    .refine(isDateOrDateTime, 'must be an ISO 8601 date or date-time')
    .overwrite((value) => instant(value) ?? value)
    .meta({ format: 'date-time' });

/** A time of the day, such as `09:30`. */
export const clockTime = () =>
  z.string('must be a string').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as 09:30');

const notLanguage = 'must be a BCP 47 language tag, such as es or de-AT';

export const language = () =>
  z
    .string('must be a string')
    .refine((tag) => canonicalLanguage(tag) !== undefined, notLanguage)
    .overwrite((tag) => canonicalLanguage(tag) ?? tag);

/** The texts of a template in other languages: for each language, the translation of each text. */
export type Translations = { readonly [language: string]: { readonly [text: string]: string } };

/** The translations of texts, by language and text. */
export const translations = () =>
  shapeOf({})
    .catchall(shapeOf({}).catchall(prose()))
    .superRefine((value, context) => {
      for (const tag of Object.keys(value).filter((each) => canonicalLanguage(each) === undefined)) {
        context.addIssue({ code: 'custom', path: [tag], message: notLanguage });
      }
    });

/** Words of the pages that a team or a template replaces: by language and key of the catalogue, plural forms by name. */
export type OwnWords = {
  readonly [language: string]: { readonly [key: string]: string | { readonly [form: string]: string } };
};

/** The import compares them with the catalogue, which the domain does not know. */
export const ownWords = () =>
  shapeOf({}).catchall(
    shapeOf({}).catchall(z.union([prose(), shapeOf({}).catchall(prose())], 'must be a text or plural forms')),
  );

/** Any JSON, for fields whose type the specification does not define. */
export const anyJson = () => z.custom<Exclude<JsonValue, null>>().superRefine(refuseMalformedText);

export const jsonObject = () =>
  z
    .custom<JsonObject>((value) => isJsonObject(value as JsonValue), 'must be an object')
    .superRefine(refuseMalformedText)
    .meta({ type: 'object' });

function refuseMalformedText(value: JsonValue, context: z.RefinementCtx): void {
  for (const path of malformedTexts(value)) {
    context.addIssue({ code: 'custom', path, message: 'must be well-formed Unicode, without lone surrogates' });
  }
}

/** Paths of all strings and property names that are not well-formed. */
function malformedTexts(value: JsonValue): string[][] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [[]];
  if (value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name.isWellFormed() ? malformedTexts(inner as JsonValue).map((path) => [name, ...path]) : [[name]],
  );
}
