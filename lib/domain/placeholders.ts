import { isJsonObject, type JsonValue } from './json.ts';

/** A name in a campaign's text that stands for a value: `{{name_first}}`. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** Names of what is shown only to somebody who has proved to be the contact. */
const isPrivateName = (name: string): boolean => /^(?:contact\.)?meta_private\./.test(name);

/**
 * Whether a text among the values, however deep, names private data: by itself or by way of a variable.
 * @param variables of the page (`content_variables`)
 */
export const namesPrivateData = (
  values: readonly unknown[],
  variables: { readonly [name: string]: unknown },
): boolean =>
  values.flatMap(textsIn).some((text) =>
    [...text.matchAll(placeholder)].some(([, raw = '']) => {
      const name = raw.trim();
      const meant = Object.hasOwn(variables, name) ? variables[name] : name;
      return typeof meant === 'string' && isPrivateName(meant);
    }),
  );

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject((value ?? undefined) as JsonValue | undefined)
    ? Object.values(value as object).flatMap(textsIn)
    : [];
}
