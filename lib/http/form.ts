import * as z from 'zod';
import { answersOfForm, sentAnswers, shownLanguage } from '../domain/journeys/answer.ts';
import { pageActionTypes } from '../domain/journeys/completion.ts';
import { invalidRequest, Problem } from '../domain/values/problem.ts';
import { unknownFieldErrors } from '../domain/values/unknown-fields.ts';
import { bodyText, formType, jsonBody, mediaType, unsupportedType } from './body.ts';
import type { Event } from './request.ts';
import { isStrict } from './strict.ts';
import { validBody } from './validation.ts';

/** What a page sends of an action. Scripts send JSON. A browser without scripts sends a form. */
export const actionFields = () => ({
  type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').describe('Type of the action'),
  answers: sentAnswers()
    .default([])
    .describe('With `page_completed`: the answers. If one declines, the page is not completed'),
  language: shownLanguage(),
});
export const actionTypes = ['application/json', 'application/x-www-form-urlencoded'] as const;
export const actionProblems = [
  ...(['invalid_request', 'unsupported_media_type', 'validation_failed'] as const),
  ...(['forbidden', 'identity_required', 'conflict'] as const),
];

/**
 * The action that a page sends: as JSON by its script, or else as a form, which has separate fields for the answer to one
 * block.
 * @throws Problem 400, 415 or 422 as in section 1 of the contract.
 */
export function sentAction<Schema extends z.ZodType>(
  event: Event,
  schema: Schema,
): { isForm: boolean; body: z.output<Schema> } {
  if (mediaType(event) !== formType) {
    const json = jsonBody(event, formType);
    const strictErrors = isStrict(event) ? unknownFieldErrors(schema, json) : [];
    return { isForm: false, body: validBody(schema, json, strictErrors) };
  }
  const { answers: _, ...fields } = formFields(event);
  const answers = answersOfForm(fields);
  return { isForm: true, body: validBody(schema, { ...fields, ...(answers ? { answers } : {}) }) };
}

/** The service's own pages send fewer. Parsing a million fields takes most of a minute. */
const maxFields = 100;

/** The fields of a form by name. The last one counts if a name is repeated. @throws Problem 400 or 415. */
export function formFields(event: Event): { [name: string]: string } {
  const text = bodyText(event);
  if ((mediaType(event) ?? formType) !== formType) throw unsupportedType(formType);
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw invalidRequest({ path: '', message: `must have at most ${maxFields} fields` });
  }
  return Object.fromEntries(new URLSearchParams(text));
}

/** The fields of a form, if the body is one: a mail program may send anything to unsubscribe. */
export function optionalForm(event: Event): { [name: string]: string } {
  try {
    return mediaType(event) === formType ? formFields(event) : {};
  } catch (error) {
    if (error instanceof Problem) return {};
    throw error;
  }
}
