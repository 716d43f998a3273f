import { lexer } from 'css-tree';
import { similarTo } from '../../domain/content/similar.ts';
import { mismatchReason } from './css-mismatch.ts';
import { onDevices } from './fonts.ts';
import { invisible } from './invisible.ts';

/** Why browsers ignore a declaration, or show it on few devices only. `undefined` if nothing is known against it. */
export function reasonIgnored(property: string, value: string): string | undefined {
  const name = property.toLowerCase();
  if (name.startsWith('--')) return undefined;
  if (!name.startsWith('-') && lexer.checkPropertyName(name)) return unknownProperty(name);
  return mistakeReason(value) ?? mismatchReason(name, value) ?? fontReason(name, value);
}

function unknownProperty(name: string): string {
  const { properties } = lexer as unknown as { properties: Readonly<Record<string, object>> };
  const meant = similarTo(
    name,
    Object.keys(properties).filter((each) => !each.startsWith('-')),
  );
  return `\`${name}\` is not a property of CSS${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`;
}

/** Typical mistakes, some of which the syntax of a property allows. The patterns apply to a value without its strings. */
const mistakes: readonly [pattern: RegExp, reason: (found: string) => string][] = [
  [/[“”„‟‘’‚]/, () => 'it has typographic quotes: write " or \''],
  [new RegExp(`\u00a0|${invisible.source}`), () => 'it has an invisible character: type the value again'],
  [/!/, () => 'only `!important` can follow a `!`'],
  [/\$[\w-]/, () => 'it has a variable of Sass, which is not CSS'],
  [
    /#(?!(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-]))[\w-]+/i,
    (found) => `\`${found}\` is not a color: write 3 or 6 digits after the #`,
  ],
  [/^\s*[\w./-]+\.(?:png|jpe?g|gif|svg|webp)\s*$/i, () => 'pages load no images: write a block of the type image'],
  [
    /calc\([^()]*(?:%|\d(?:px|r?em|v[wh])) ?[+-][\d.]/i,
    () => 'a `+` or `-` in `calc()` needs a space before and after it',
  ],
];

function mistakeReason(value: string): string | undefined {
  const plain = value.replaceAll(/"[^"]*"|'[^']*'/g, '""').replaceAll(/url\([^)]*\)/gi, '');
  const found = mistakes.map(([pattern, reason]) => ({ text: pattern.exec(plain)?.[0], reason }));
  return found.flatMap(({ text, reason }) => (text === undefined ? [] : [reason(text)]))[0];
}

function fontReason(property: string, value: string): string | undefined {
  if (property !== 'font-family' || /var\(|campaign-/i.test(value)) return undefined;
  const families = value.split(',').map((each) => each.trim().replaceAll(/^["']|["']$/g, ''));
  const isKnown = families.some((each) => onDevices.has(each.toLowerCase()) || /^(?:initial|unset|revert)/.test(each));
  return isKnown
    ? undefined
    : `few devices have the font \`${families[0]}\`: write another font after it, such as \`${families[0]}, sans-serif\``;
}
