import { listed } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { wordsIn } from '../words/words.ts';
import { type CssRule, rulesOf } from './css-rules.ts';
import type { GivenTemplate } from './given.ts';
import type { Sheet } from './sheets.ts';

/**
 * Declarations for the left or the right side, in a campaign with pages from right to left, on which they keep their
 * side. One that has the same value for both sides needs no change.
 */
export function directionWarnings(template: GivenTemplate, sheets: readonly Sheet[]): ErrorDetail[] {
  const languages = [
    ...(template.language === null ? [] : [template.language]),
    ...Object.keys(template.translations ?? {}),
  ];
  const mirrored = languages.filter((each) => wordsIn(each).direction === 'rtl');
  if (mirrored.length === 0) return [];
  const found = sheets.flatMap(({ css, path }) => {
    const rules = rulesOf(css);
    // The author writes both directions. `[dir=rtl]` matches nothing, because the attribute is outside of the blocks.
    if (rules.some(({ selectors }) => selectors.some((each) => /:(?:dir|lang)\(/i.test(each)))) return [];
    return rules.flatMap(sidesIn).map(({ written, instead }) => ({
      path,
      message: `has \`${written}\`, which has the same side on the pages in ${listed(mirrored)}, although they are read from right to left: write \`${instead}\``,
    }));
  });
  return [...new Map(found.map((each) => [each.path + each.message, each])).values()];
}

type Side = { written: string; instead: string };
type Declared = { name: string; value: string };

function sidesIn({ declarations, group }: CssRule): Side[] {
  if (/^@media print\b/i.test(group)) return [];
  const all = declarations.map(({ prop, value }) => ({ name: prop.toLowerCase(), value: value.trim() }));
  return all.flatMap((each) => {
    const instead = insteadOf(each, all);
    return instead === undefined ? [] : [{ written: `${each.name}: ${each.value}`, instead }];
  });
}

const logical: Readonly<Record<string, string>> = { left: 'start', right: 'end' };

/** The same declaration for the beginning or the end of a line. `undefined` if it has no side, or the same on both. */
function insteadOf({ name, value }: Declared, all: readonly Declared[]): string | undefined {
  const word = value.toLowerCase();
  if (/^(?:text-align|float|clear)$/.test(name) && Object.hasOwn(logical, word)) {
    return `${name}: ${name === 'text-align' ? '' : 'inline-'}${logical[word]}`;
  }
  const [, property, side = '', rest = ''] = /^(margin|padding|border)-(left|right)(-\w+)?$/.exec(name) ?? [];
  if (property !== undefined) {
    const other = `${property}-${side === 'left' ? 'right' : 'left'}${rest}`;
    const isBoth = all.some((each) => each.name === other && each.value === value);
    return isBoth || isNothing(value) ? undefined : `${property}-inline-${logical[side]}${rest}: ${value}`;
  }
  return /^(?:margin|padding)$/.test(name) ? insteadOfFour(name, value) : undefined;
}

/** The sides of a shorthand that differ. */
function insteadOfFour(name: string, value: string): string | undefined {
  const [, right, , left, ...more] = value.match(/(?:[^\s()]|\([^()]*\))+/g) ?? [];
  if (right === undefined || left === undefined || more.length > 0 || right === left) return undefined;
  return `${name}-inline: ${left} ${right}`;
}

/** A side without a margin or a border is often that of a browser's own style. */
const isNothing = (value: string): boolean =>
  /^(?:0(?:\.0+)?[a-z%]*|none|initial|unset|inherit)(?:\s*!important)?$/i.test(value);
