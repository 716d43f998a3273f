/** Names in a sentence: `a`, `b` and `c`. */
export function listed(names: readonly string[], word = 'and'): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? (quoted[0] ?? '') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`;
}

export const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
