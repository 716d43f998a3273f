import { type DSNode, definitionSyntax, lexer, type SyntaxMatchError } from 'css-tree';
import { similarTo } from '../../domain/content/similar.ts';

/** Why a value does not match the syntax of its property. `undefined` if it does, or if this is not known. */
export function mismatchReason(property: string, value: string): string | undefined {
  const isUnchecked = property.startsWith('-') || unchecked.some((pattern) => pattern.test(`${property}: ${value}`));
  const mismatch = isUnchecked ? undefined : mismatchOf(property, value);
  if (!mismatch) return undefined;
  const { css, mismatchOffset: at, mismatchLength: length } = mismatch;
  const part = css.slice(at, at + length);
  if (part === '' || part === ')') return 'the value is not complete';
  if (part.endsWith('(')) return unknownFunction(property, part);
  if (!lexer.matchType('deprecated-system-color', part).error) return undefined;
  return repairReason(property, mismatch) ?? partReason(property, part, css.slice(0, at));
}

/** Declarations that css-tree cannot match. */
const unchecked: readonly RegExp[] = [
  // A page replaces these with a value that is not known here (CSS Values 5, arbitrary substitution functions).
  /(?:^|[^\w-])(?:var|env|attr|if|inherit|--[\w-]+)\(/i,
  // A value with a prefix is for one browser.
  /(?:^|[\s,(])-(?:webkit|moz|ms|o)-/i,
  // css-tree 3.2.1 reports these, which browsers know.
  /\bcalc-size\(|\(\s*from\s|\b(?:circle|symbols)\(|\b(?:revert-rule|base-select|scroll-state|grid-lanes|masonry)\b|^(?:margin-trim|word-wrap):/i,
];

/** There are other errors: for a value that takes too many steps to match, and for a property that is not known. */
function mismatchOf(property: string, value: string): SyntaxMatchError | undefined {
  const error = lexer.matchProperty(property, value).error as SyntaxMatchError | null;
  return error?.rawMessage === 'Mismatch' ? error : undefined;
}

/** Another function can be newer than css-tree. */
function unknownFunction(property: string, part: string): string | undefined {
  const meant = similarTo(
    part,
    wordsOf(property).filter((each) => each.endsWith('()')),
  );
  return meant === undefined ? undefined : `\`${part}…)\` is not a function of CSS: did you mean \`${meant}\`?`;
}

/** What to write instead of the start of the part that does not match. */
const repairs: readonly [pattern: RegExp, instead: string, reason: string][] = [
  [/^([+-]?[\d.]+)\s+(%|(?:px|r?em|v[wh]|m?s|deg)(?![\w-]))/i, '$1$2', 'has a space before its unit'],
  [/^([+-]?\d*),(\d+)/, '$1.$2', 'has a comma'],
  [/^([+-]?[\d.]+)(?![\w.%])/, '$1px', 'has no unit'],
  [/^([+-]?[\d.]+)(?![\w.%])/, '$1s', 'has no unit'],
  [/^([+-]?[\d.]+)(?![\w.%])/, '$1deg', 'has no unit'],
  [/^([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])/i, '#$1', 'has no `#`'],
  [/^([+-]?[\d.]+)[a-z]+/i, '$1px', 'has an unknown unit'],
  [/^["']([^"']*)["']/, '$1', 'has quotes'],
  [/^(?:middle|centered)\b/i, 'center', 'is not a value here'],
  [/^center\b/i, 'middle', 'is not a value here'],
];

/** The first repair with which more of the value matches. */
function repairReason(property: string, { css, mismatchOffset: at }: SyntaxMatchError): string | undefined {
  const start = css.slice(0, at).search(/^%|^[a-z]{1,3}(?![\w-])/.test(css.slice(at)) ? /[\d.+-]*\s*$/ : /[\w.+-]*$/);
  const rest = css.slice(start);
  return repairs.flatMap(([pattern, instead, reason]) => {
    const [found] = pattern.exec(rest) ?? [];
    const next = found && mismatchOf(property, css.slice(0, start) + rest.replace(pattern, instead));
    const isBetter = !next || (next.mismatchLength > 0 && next.css.length - next.mismatchOffset < css.length - at);
    return found && isBetter ? [`\`${found}\` ${reason}: write \`${found.replace(pattern, instead)}\``] : [];
  })[0];
}

/** @param before the value up to the part */
function partReason(property: string, part: string, before: string): string {
  const meant = /^[a-z]/i.test(part) ? similarTo(part, wordsOf(property)) : undefined;
  if (meant !== undefined && meant !== part.toLowerCase()) {
    return `\`${part}\` is not a value of \`${property}\`: did you mean \`${meant}\`?`;
  }
  const isInFunction = before.lastIndexOf('(') > before.lastIndexOf(')');
  const isAllowed = isInFunction || !/[\w"']/.test(part) || !lexer.matchProperty(property, part).error;
  return isAllowed ? `\`${part}\` is not allowed at that place` : `\`${part}\` is not a value of \`${property}\``;
}

/** The keywords in the values of a property, and its functions, such as `rgb()`, without those of a browser or system. */
function wordsOf(property: string): string[] {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const collect = (node: DSNode | null | undefined): void => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    definitionSyntax.walk(node, (each) => {
      if (each.type === 'Keyword') words.add(each.name);
      if (each.type === 'Function') words.add(`${each.name}()`);
      if (each.type === 'Property') collect(lexer.getProperty(each.name)?.syntax);
      if (each.type === 'Type') collect(lexer.getType(each.name)?.syntax);
    });
  };
  collect(lexer.getProperty(property)?.syntax);
  return [...words].filter((each) => /^[a-z]/.test(each));
}
