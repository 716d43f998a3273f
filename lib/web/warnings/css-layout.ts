import type { ErrorDetail } from '../../domain/problem.ts';
import { type CssRule, rulesOf } from './css-rules.ts';
import type { Sheet } from './sheets.ts';

/** Declarations that move content out of its place in the card, or make it wider than a phone. */
export function layoutWarnings(sheets: readonly Sheet[]): ErrorDetail[] {
  const found = sheets.flatMap(({ css, path }) => {
    const rules = rulesOf(css);
    const hasFrame = rules.some(({ declarations }) => declared(declarations, 'position') === 'relative');
    return rules
      .filter(({ group }) => !/^@media print\b/i.test(group))
      .flatMap((rule) => [...widthReasons(rule), ...positionReasons(rule, hasFrame), ...marginReasons(rule)])
      .map((reason) => ({ path, message: `has ${reason}` }));
  });
  return [...new Map(found.map((each) => [each.path + each.message, each])).values()];
}

type Declarations = CssRule['declarations'];

const declared = (declarations: Declarations, name: string): string | undefined =>
  declarations
    .findLast(({ prop }) => prop.toLowerCase() === name)
    ?.value.trim()
    .toLowerCase();

/** The width in pixels of the narrowest phones. */
const phone = 320;

/** A width in a group for wide screens is not that of a phone. */
function widthReasons({ selectors, declarations, group }: CssRule): string[] {
  if (/min-(?:device-)?width|width\s*>/i.test(group)) return [];
  const isLimited = declarations.some(({ prop }) => /^max-(?:width|inline-size)$/i.test(prop));
  // Images have the width of their block at most.
  const isImage = selectors.every((each) => /(?:^|[\s>+~])img(?![\w-])[^\s>+~]*$/i.test(each));
  return declarations.flatMap(({ prop, value }) => {
    const isMinimum = /^min-(?:width|inline-size)$/i.test(prop);
    const isWidth = isMinimum || (/^(?:width|inline-size)$/i.test(prop) && !isLimited && !isImage);
    if (!isWidth || (pixelsOf(value) ?? 0) <= phone) return [];
    const hint = isMinimum ? 'it into `@media (min-width: 768px)`' : `\`max-width: ${value}\``;
    return [
      `\`${prop}: ${value}\`, which is wider than a phone of ${phone} px, so a part of the content is not visible there: write ${hint}`,
    ];
  });
}

/** The card contains positioned content, so even fixed content covers others in the card. */
function positionReasons({ selectors, declarations }: CssRule, hasFrame: boolean): string[] {
  const position = declared(declarations, 'position');
  const start = `\`position: ${position}\``;
  if (position === 'fixed')
    return [
      `${start}, which does not keep content on the screen here: it covers other content of the card. Leave it out`,
    ];
  if (position === 'sticky') return [`${start}, which has no effect, because a card does not scroll. Leave it out`];
  // Decorations, and content that is placed in a block of the same style sheet, are meant to cover.
  const isDecoration = selectors.every((each) => /::?(?:before|after)$/i.test(each));
  if (position !== 'absolute' || isDecoration || hasFrame) return [];
  return [
    `${start}, which takes content out of its place, so that it covers other content of the card: leave it out, or write \`position: relative\` for the block around it`,
  ];
}

/** The padding in pixels of a card on a phone. A smaller negative margin does not reach its edge. */
const padding = 22;

function marginReasons({ declarations }: CssRule): string[] {
  return declarations.flatMap(({ prop, value }) => {
    if (!/^margin(?:-(?:top|right|bottom|left|(?:inline|block)(?:-start|-end)?))?$/i.test(prop)) return [];
    if (!value.split(/\s+/).some((each) => (pixelsOf(each) ?? 0) < -padding)) return [];
    return [
      `\`${prop}: ${value}\`, a negative margin that is larger than the padding of the card: the content covers other content, or is cut off. Write at most \`-1rem\``,
    ];
  });
}

/** A length in pixels. `undefined` if it depends on something else, such as a percentage. */
function pixelsOf(value: string): number | undefined {
  const [, number, unit = ''] = /^(-?(?:\d+\.?\d*|\.\d+))(px|r?em|ch|pt|in|cm|mm)$/i.exec(value.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * pixels[unit.toLowerCase()]!;
}

const pixels: Readonly<Record<string, number>> = {
  px: 1,
  rem: 16,
  em: 16,
  ch: 8,
  pt: 4 / 3,
  in: 96,
  cm: 37.8,
  mm: 3.78,
};
