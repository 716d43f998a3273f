import { similarTo } from '../../domain/content/similar.ts';
import { colourNames, isColourWord } from './css-colours.ts';
import { cssProperties } from './css-properties.ts';
import { onDevices } from './fonts.ts';

/** Why browsers ignore a declaration, or show it on few devices only. `undefined` if nothing is known against it. */
export function reasonIgnored(property: string, value: string): string | undefined {
  const name = property.toLowerCase();
  if (name.startsWith('--')) return undefined;
  if (!name.startsWith('-') && !cssProperties.has(name)) return unknownProperty(name);
  const plain = value.replaceAll(/"[^"]*"|'[^']*'/g, '""').replaceAll(/url\([^)]*\)/gi, '');
  return rules.map((rule) => rule(name, plain)).find((reason) => reason !== undefined) ?? fontReason(name, value);
}

type ValueRule = (property: string, value: string) => string | undefined;

function unknownProperty(name: string): string {
  const meant = similarTo(name, [...cssProperties]);
  return `\`${name}\` is not a property of CSS${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}

/** @param value without the content of its strings */
const rules: readonly ValueRule[] = [
  (_, value) => (/[“”„‟‘’‚]/.test(value) ? 'it has typographic quotes: write " or \'' : undefined),
  (_, value) =>
    /[\u00a0\u200b-\u200f\u2060\ufeff]/.test(value) ? 'it has an invisible character: type the value again' : undefined,
  (_, value) => (value.includes('!') ? 'only `!important` can follow a `!`' : undefined),
  (_, value) => {
    const wrong = value.match(/#[\w-]+/g)?.find((each) => !/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(each));
    return wrong === undefined ? undefined : `\`${wrong}\` is not a color: write 3 or 6 digits after the #`;
  },
  colourReason,
  unitReason,
];

function colourReason(property: string, value: string): string | undefined {
  const word = value.trim();
  if (!/^(?:color|(?:background|border(?:-\w+)*|outline|text-decoration)-color)$/.test(property)) return undefined;
  if (!/^[a-z-]+$/i.test(word) || isColourWord(word)) return undefined;
  const meant = similarTo(word, [...colourNames]);
  return `\`${word}\` is not a color${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}

const lengths =
  /^(?:margin|padding|(?:scroll-)?(?:margin|padding)-.+|(?:min-|max-)?(?:width|height|inline-size|block-size)|font-size|letter-spacing|text-indent|gap|row-gap|column-gap|top|right|bottom|left|inset(?:-.+)?|border-(?!image).*(?:radius|width)|border-width)$/;

function unitReason(property: string, value: string): string | undefined {
  if (!lengths.test(property) || value.includes('(')) return undefined;
  const number = value.split(/[\s/]+/).find((each) => /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(each) && Number(each) !== 0);
  return number === undefined ? undefined : `\`${number}\` has no unit: write \`${number}px\``;
}

function fontReason(property: string, value: string): string | undefined {
  if (property !== 'font-family' || /var\(|campaign-/i.test(value)) return undefined;
  const families = value.split(',').map((each) => each.trim().replaceAll(/^["']|["']$/g, ''));
  const isKnown = families.some((each) => onDevices.has(each.toLowerCase()) || /^(?:initial|unset|revert)/.test(each));
  return isKnown
    ? undefined
    : `few devices have the font \`${families[0]}\`: write another font after it, such as \`${families[0]}, sans-serif\``;
}
