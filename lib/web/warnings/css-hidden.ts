import selectorParser, { type Node } from 'postcss-selector-parser';
import type { ErrorDetail } from '../../domain/problem.ts';
import { isOwnClass, isOwnTag } from '../css/matching.ts';
import { type CssRule, rulesOf } from './css-rules.ts';
import type { Sheet } from './sheets.ts';

/** Values with which nobody sees, reads or presses an element. */
const hidingValues: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  visibility: /^(?:hidden|collapse)$/,
  opacity: /^(?:(?:0+(?:\.0\d*)?|\.0\d*)%?|\d(?:\.\d+)?%)$/,
  'font-size': /^(?:(?:0+(?:\.0\d*)?|\.0\d*)(?:[a-z]+|%)?|(?:[1-7](?:\.\d+)?|0?\.\d+)px|0?\.[1-4]\d*rem)$/,
  transform: /\bscale(?:x|y|3d)?\(\s*0(?:\.0+)?%?\s*[,)]/,
  'text-indent': /^-(?:\d{4,}px|\d{3,}(?:r?em|%|vw))$/,
  'clip-path': /^(?:inset\(\s*(?:[5-9]\d|100)%\s*\)|circle\(\s*0[a-z%]*\s*\))$/,
  'pointer-events': /^none$/,
};

type Declared = { selector: string; property: string; value: string; rule: CssRule; sheet: Sheet };

/**
 * Rules that hide all texts, buttons or blocks. To hide the blocks of a class, or everything on some screens, is meant.
 * So is a rule that another rule can undo.
 */
export function hiddenWarnings(sheets: readonly Sheet[]): ErrorDetail[] {
  const all = sheets.flatMap((sheet) => rulesOf(sheet.css).flatMap((rule) => declaredIn(rule, sheet)));
  const shown = all.filter(({ rule, ...each }) => !isHiding(each) && !/^@media print\b/i.test(rule.group));
  const found = all.filter(isHiding).flatMap((each) => {
    const reason = isAlways(each.rule) ? reasonOf(each, shown) : undefined;
    return reason === undefined ? [] : [{ path: each.sheet.path, message: `has ${reason}` }];
  });
  return [...new Map(found.map((each) => [each.path + each.message, each])).values()];
}

const declaredIn = (rule: CssRule, sheet: Sheet): Declared[] =>
  rule.declarations.flatMap(({ prop, value }) => {
    const property = prop.toLowerCase();
    if (!Object.hasOwn(hidingValues, property)) return [];
    return rule.selectors.map((selector) => ({ selector, property, value: value.trim().toLowerCase(), rule, sheet }));
  });

const isHiding = ({ property, value }: Pick<Declared, 'property' | 'value'>): boolean =>
  hidingValues[property]!.test(value);

/** Whether the rule applies on every screen. */
const isAlways = ({ group }: CssRule): boolean => group === '' || /^@media (?:all|screen)$/i.test(group);

function reasonOf({ selector, property, value, rule, sheet }: Declared, shown: readonly Declared[]) {
  const start = `\`${property}: ${value}\` for \`${selector}\``;
  const nodes = nodesOf(selector);
  const rivals = shown.filter((each) => each.property === property && each.rule !== rule);
  if (property === 'opacity' && isAnimated(rule)) {
    // Without motion, which is another condition, a rule can show it.
    return nodes.some(isState) || rivals.length > 0
      ? undefined
      : `${start}, so people who ask for less motion see nothing of it, because they see no animation: write \`opacity: 0\` into the first step of the animation only`;
  }
  // An animation can end with another value.
  if (isAnimated(rule) && !['display', 'visibility', 'font-size'].includes(property)) return undefined;
  const target = targetOf(nodes);
  const isOfBlock = /\/content_blocks\/\d+\/[^/]+$/.test(sheet.path);
  if (target === undefined || (target.isRoot && isOfBlock)) return undefined;
  if (property === 'pointer-events' && !target.isRoot && !pressedNames.has(target.name)) return undefined;
  const canUndo = target.isRoot || target.isBlock ? () => true : isFor(target.name);
  return rivals.some(canUndo)
    ? undefined
    : `${start}, so ${effectOf(property, value, target)}: delete it, or write a class of your own in place of \`${selector}\``;
}

function effectOf(property: string, value: string, { name, isRoot }: Target): string {
  if (property === 'pointer-events') return isRoot ? 'people can press nothing' : `people cannot press any \`${name}\``;
  if (property === 'font-size' && /[1-9]/.test(value) && !/^0?\.0/.test(value)) {
    return isRoot ? 'people cannot read the content' : `people cannot read any \`${name}\``;
  }
  return isRoot ? 'people see nothing of the content' : `no \`${name}\` is visible`;
}

const isAnimated = ({ declarations }: CssRule): boolean =>
  declarations.some(({ prop, value }) => /^animation(?:-name)?$/i.test(prop) && !/^\s*none\s*$/i.test(value));

/** Whether the node limits the rule to some elements, such as `:hover` and `[open]`. */
const isState = ({ type, value }: Node): boolean =>
  type === 'attribute' || (type === 'pseudo' && value?.toLowerCase() !== ':root');

const isFor =
  (name: string) =>
  ({ selector }: Declared): boolean =>
    nodesOf(selector).some(({ type, value }) => type === 'universal' || value?.toLowerCase() === name.replace('.', ''));

const rootNames: ReadonlySet<string> = new Set(['html', 'body', ':root', '*']);
/** Elements and classes around the texts of many blocks, and those of what people answer. */
const blockNames: ReadonlySet<string> = new Set(['.block', '.card', '.grid', '.stack', 'div', 'section']);
const partNames: ReadonlySet<string> = new Set(
  'p h2 a button .button form label fieldset legend textarea dl dt dd .terms'.split(' '),
);
/** A label, a text or an image need not be pressed. */
const pressedNames: ReadonlySet<string> = new Set(['a', 'button', '.button', 'form', 'fieldset', 'textarea']);

type Target = { name: string; isRoot: boolean; isBlock: boolean };

/** What the selector hides, if that is a large part of a page. */
function targetOf(nodes: readonly Node[]): Target | undefined {
  if (nodes.some((node) => isState(node) || !isOfService(node))) return undefined;
  const compound = nodes.slice(nodes.findLastIndex(({ type }) => type === 'combinator') + 1);
  const [node] = compound;
  if (!node || compound.length > 1) return undefined;
  const name = `${node.type === 'class' ? '.' : ''}${node.value?.toLowerCase() ?? ''}`;
  const isRoot = rootNames.has(name);
  const isBlock = blockNames.has(name);
  return isRoot || isBlock || partNames.has(name) ? { name, isRoot, isBlock } : undefined;
}

/** Whether blocks have the element or class by themselves. A sibling is only one of several elements. */
function isOfService({ type, value }: Node): boolean {
  const name = value ?? '';
  if (type === 'combinator') return name.trim() === '' || name.trim() === '>';
  if (type === 'class') return isOwnClass(name);
  return type === 'tag'
    ? isOwnTag(name) || rootNames.has(name.toLowerCase())
    : type === 'universal' || type === 'pseudo';
}

/** The parts of a selector. Empty if it cannot be parsed, which is another warning. */
function nodesOf(selector: string): Node[] {
  try {
    return selectorParser().astSync(selector, { lossless: false }).nodes[0]?.nodes ?? [];
  } catch {
    return [];
  }
}
