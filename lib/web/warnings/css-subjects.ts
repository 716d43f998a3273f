import selectorParser, { type Node } from 'postcss-selector-parser';
import { isOwnClass } from '../css/matching.ts';

/** What a rule colors: texts of the page, a button, or something whose other color is not known. */
export type Subject = 'text' | 'button' | 'other';

/** The classes of blocks of which all texts are on the background of the page. */
const aroundTexts: ReadonlySet<string> = new Set(['block', 'card', 'intro', 'lead', 'prose', 'grid', 'stack']);
const textTags: ReadonlySet<string> = new Set([
  'p',
  'h2',
  'div',
  'section',
  'dl',
  'dt',
  'dd',
  'body',
  'html',
  'figcaption',
]);

/** What the last part of the selector is. */
export function subjectOf(selector: string): Subject {
  // In another element, `*` can be a part of a button.
  if (/^(?:(?:html|body|:root)\s*(?:>\s*)?)*\*$/i.test(selector.trim())) return 'text';
  const compound = compoundOf(selector);
  if (!compound) return 'other';
  const names = compound.map(({ value }) => (value ?? '').toLowerCase());
  if (names.includes('button') && compound.every(({ type }) => type === 'class' || type === 'tag')) return 'button';
  return compound.every(isOfText) ? 'text' : 'other';
}

function isOfText({ type, value }: Node): boolean {
  const name = value ?? '';
  if (type === 'class') return !isOwnClass(name) || aroundTexts.has(name);
  if (type === 'tag') return textTags.has(name.toLowerCase());
  return type === 'id' || (type === 'pseudo' && name.toLowerCase() === ':root');
}

function compoundOf(selector: string): Node[] | undefined {
  try {
    const nodes = selectorParser().astSync(selector, { lossless: false }).nodes[0]?.nodes ?? [];
    const last = nodes.findLastIndex(({ type }) => type === 'combinator');
    return nodes.slice(last + 1);
  } catch {
    return undefined;
  }
}

/** The classes of the author in a selector. */
export function classesIn(selector: string): string[] {
  const names: string[] = [];
  try {
    selectorParser((root) => {
      root.walkClasses(({ value }) => {
        names.push(value);
      });
    }).processSync(selector);
  } catch {
    // A selector that cannot be parsed is left out, which is another warning.
  }
  return names.filter((name) => !isOwnClass(name));
}
