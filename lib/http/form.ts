import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { answersOfForm } from '../domain/response.ts';
import { bodyText, jsonBody, mediaType } from './body.ts';
import { validBody } from './validation.ts';

const formType = 'application/x-www-form-urlencoded';

/**
 * A body that is JSON or, from a browser, a form.
 * @param ofForm converts the fields of a form to the same JSON
 * @throws Problem 400, 413, 415 or 422 as in section 1 of the contract.
 */
export function jsonOrForm<Schema extends z.ZodType>(
  event: APIGatewayProxyEventV2,
  schema: Schema,
  ofForm: (fields: { [name: string]: string }) => JsonObject = (fields) => fields,
): { isForm: boolean; body: z.output<Schema> } {
  const isForm = mediaType(event) === formType;
  const fields = isForm ? ofForm(formFields(event)) : jsonBody(event);
  return { isForm, body: validBody(schema, fields) };
}

/** The service's own pages send fewer. Parsing a million fields takes most of a minute. */
const maxFields = 100;

/** The fields of a form by name. The last one counts if a name is repeated. @throws Problem 400, 413 or 415. */
export function formFields(event: APIGatewayProxyEventV2): { [name: string]: string } {
  const text = bodyText(event);
  if ((mediaType(event) ?? formType) !== formType) throw new Problem('unsupported_media_type');
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw invalidRequest({ path: '', message: `must have at most ${maxFields} fields` });
  }
  return Object.fromEntries(new URLSearchParams(text));
}

/** The JSON of an action that a form of a page sends. The form has separate fields for the answer to one block. */
export const pageActionOfForm = ({ answers: _, ...fields }: { [name: string]: string }): JsonObject => {
  const answers = answersOfForm(fields);
  return { ...fields, ...(answers ? { answers } : {}) };
};
