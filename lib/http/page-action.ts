import type { JsonObject } from '../domain/json.ts';
import { answersOfForm } from '../domain/response.ts';

/** The JSON of an action that a page's own form reports; it may answer one block, by fields of its own. */
export const pageActionOfForm = ({ answers: _, ...fields }: { [name: string]: string }): JsonObject => {
  const answers = answersOfForm(fields);
  return { ...fields, ...(answers ? { answers } : {}) };
};
