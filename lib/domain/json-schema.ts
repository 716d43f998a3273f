/** Parts of the conditions between fields that the OpenAPI document states. */

/** A text that is not blank (`isBlankText`), as a pattern. */
export const notBlank = '\\S';

/** An object that has the field, with a value that matches the schema. */
export const having = (name: string, schema: object) => ({ required: [name], properties: { [name]: schema } });
