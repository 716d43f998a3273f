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
  (_, value) => (/\$[\w-]/.test(value) ? 'it has a variable of Sass, which is not CSS' : undefined),
  (property, value) =>
    /image|background|content/.test(property) && /^\s*[\w./-]+\.(?:png|jpe?g|gif|svg|webp)\s*$/i.test(value)
      ? 'pages load no images: write a block of the type image'
      : undefined,
  keywordReason,
  colourReason,
  unitReason,
];

function colourReason(property: string, value: string): string | undefined {
  const word = value.trim();
  if (!/^(?:color|(?:background|border(?:-\w+)*|outline|text-decoration)-color)$/.test(property)) return undefined;
  if (/^(?:[\da-f]{3}|[\da-f]{6})$/i.test(word) && /\d/.test(word)) return `a # is missing: write \`#${word}\``;
  if (!/^[a-z-]+$/i.test(word) || isColourWord(word)) return undefined;
  const meant = similarTo(word, [...colourNames]);
  return `\`${word}\` is not a color${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}

/** The words that some properties can have. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  'text-align': ['left', 'right', 'center', 'justify', 'start', 'end', 'match-parent', 'justify-all'],
  'font-weight': ['normal', 'bold', 'bolder', 'lighter'],
  'font-style': ['normal', 'italic', 'oblique'],
  'text-transform': ['none', 'capitalize', 'uppercase', 'lowercase', 'full-width', 'full-size-kana', 'math-auto'],
  float: ['left', 'right', 'none', 'inline-start', 'inline-end'],
  position: ['static', 'relative', 'absolute', 'fixed', 'sticky'],
  visibility: ['visible', 'hidden', 'collapse'],
  content: ['none', 'normal', 'open-quote', 'close-quote', 'no-open-quote', 'no-close-quote'],
  display: `none block inline inline-block flex inline-flex grid inline-grid contents flow-root flow list-item table
    inline-table table-row table-cell table-caption table-row-group table-header-group table-footer-group table-column
    table-column-group ruby ruby-base ruby-text math run-in`.split(/\s+/),
};
const ofEveryProperty = ['inherit', 'initial', 'unset', 'revert', 'revert-layer'];

function keywordReason(property: string, value: string): string | undefined {
  const words = keywords[property];
  const word = value.trim().toLowerCase();
  if (!words || !/^[a-z][a-z-]*$/.test(word) || [...words, ...ofEveryProperty].includes(word)) return undefined;
  const meant = similarTo(word, words);
  return `\`${word}\` is not a value of \`${property}\`${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
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
