/** Where a value is in the text of a JSON document: its characters, and those of its name if it is a member. */
export type Place = { start: number; end: number; name?: { start: number; end: number } };

/**
 * The place of the value with this path, or of the nearest one that contains it.
 * @param text a JSON document @param path the names and indexes that lead to the value
 */
export function placeIn(text: string, path: readonly string[]): Place & { isExact: boolean } {
  let place: Place = { start: endOf(/\s*/y, text, 0), end: text.trimEnd().length };
  for (const name of path) {
    const member = membersIn(text, place.start).findLast((each) => each.key === name);
    if (!member) return { ...place, isExact: false };
    place = member;
  }
  return { ...place, isExact: true };
}

/** The text with another value at the place. */
export const replaced = (file: string, { start, end }: Pick<Place, 'start' | 'end'>, value: string | number): string =>
  file.slice(0, start) + JSON.stringify(value) + file.slice(end);

/** With the space before it that the first member has. @param place of the object that gets the member */
export function withMember(file: string, { start }: Place, name: string, value: string | number): string {
  const [before, after] = [file.slice(0, start + 1), file.slice(start + 1)];
  const [gap = ''] = /^\s*/.exec(after)!;
  const comma = after.startsWith('}', gap.length) ? '' : ',';
  return `${before}${gap}${JSON.stringify(name)}: ${JSON.stringify(value)}${comma}${after}`;
}

/** With this member in the object at the path, in the place of one with its name. */
export function withValue(file: string, path: readonly string[], name: string, value: string | number): string {
  const place = placeIn(file, [...path, name]);
  return place.isExact ? replaced(file, place, value) : withMember(file, placeIn(file, path), name, value);
}

/** The line of a character, from 1. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The members of the object, or the elements of the array, that begins there. */
function membersIn(text: string, start: number): (Place & { key: string })[] {
  const opening = text[start];
  if (opening !== '{' && opening !== '[') return [];
  const members: (Place & { key: string })[] = [];
  let at = endOf(/[\s,]*/y, text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const name = opening === '{' ? { start: at, end: endOf(string, text, at) } : undefined;
    const from = name ? endOf(/\s*:\s*/y, text, name.end) : at;
    const key: string = name ? JSON.parse(text.slice(name.start, name.end)) : `${members.length}`;
    const end = endOfValue(text, from);
    members.push({ key, start: from, end, ...(name ? { name } : {}) });
    at = endOf(/[\s,]*/y, text, end);
  }
  return members;
}

const string = /"(?:[^"\\]|\\.)*"/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOf(string, text, start);
  if (text[start] !== '{' && text[start] !== '[') return endOf(/[^\s,\]}]*/y, text, start);
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth === 0) return start + index + token.length;
  }
  return text.length;
}
