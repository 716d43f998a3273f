/** A longer name is no misspelling, and takes long to compare. */
const maxLength = 100;

/** The name that was probably meant: one with the same letters in another order, or with at most two other letters. */
export function similarTo(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  const given = lettersOf(name);
  const sorted = sortedLetters(given);
  const same = names.find((each) => sortedLetters(lettersOf(each)) === sorted);
  if (same !== undefined) return same;
  const distances = names.map((each) => ({ each, distance: distance(given, lettersOf(each)) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.min(2, given.length / 3) ? nearest.each : undefined;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const sortedLetters = (letters: string): string => [...letters].sort().join('');

/** The number of letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...a].entries()) {
    const next = [row + 1];
    for (let at = 0; at < b.length; at++) {
      const replaced = before[at]! + (letter === b[at] ? 0 : 1);
      next.push(Math.min(replaced, before[at + 1]! + 1, next[at]! + 1));
    }
    before = next;
  }
  return before[b.length]!;
}
