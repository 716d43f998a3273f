/** How placeholders are written in the texts of a campaign. */

/** A placeholder, for example `{{name_first}}`. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** Placeholders with only spaces between them, such as a first and a last name, whose order belongs together. */
export const adjacent = /\{\{[^{}]*\}\}(?:[ \u00a0]+\{\{[^{}]*\}\})*/g;

/** A fallback is the text that replaces a value that is not set. It is `undefined` without a `|`. */
export type PlaceholderParts = { name: string; fallback: string | undefined };

/** The parts of a placeholder such as `{{name_first|friend}}`. @param inside the text between the braces */
export function partsOfPlaceholder(inside: string): PlaceholderParts {
  const at = inside.indexOf('|');
  if (at < 0) return { name: inside.trim(), fallback: undefined };
  return { name: inside.slice(0, at).trim(), fallback: inside.slice(at + 1).trim() };
}
