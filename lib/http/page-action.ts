import type { JsonObject } from '../domain/json.ts';
import { answersOfForm } from '../domain/response.ts';

/** The JSON of an action that a form of a page sends. The form has separate fields for the answer to one block. */
export const pageActionOfForm = ({ answers: _, ...fields }: { [name: string]: string }): JsonObject => {
  const answers = answersOfForm(fields);
  return { ...fields, ...(answers ? { answers } : {}) };
};
