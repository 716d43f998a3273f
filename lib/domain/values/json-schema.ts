/** Building blocks for the conditions between fields in the OpenAPI document. */

export type JsonSchema = { [key: string]: unknown };

/** Pattern for a text that is not blank, like `isBlank` in fields.ts. */
export const notBlank = '\\S';

/** Schema for an object that has the field with a value that matches `schema`. */
export const having = (name: string, schema: object) => ({ required: [name], properties: { [name]: schema } });
