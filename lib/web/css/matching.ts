import type { Rule } from 'postcss';
import parse from 'postcss/lib/parse';
import selectorParser, { type Node, type Selector } from 'postcss-selector-parser';
import { confinedSelectors } from './selectors.ts';
import { statementsOf } from './text.ts';

/** What the blocks of a page can have, in any state and layout. A test compares the lists with the renderers. */
export const ownClasses: ReadonlySet<string> = new Set(
  `answer banner block button call caption card choice choices completion consent declined document ends faults given grid
  heads hidden-note highest inner intro lead link neutral note outcome page-call page-notes proof-first prose question quiet rows scale scaled signature
  stack statement survey terms told unanswered unsent withheld`.split(/\s+/),
);
export const ownTags: ReadonlySet<string> = new Set(
  `a b bdi br button dd details div dl dt fieldset figcaption figure form h2 hr img input label legend li noscript p section
  small span strong summary textarea ul`.split(/\s+/),
);
const isOfGrid = (name: string): boolean => /^(?:(?:xs|sm|md|lg|xl)-|of)\d{1,2}$/.test(name);

/** What the selectors of a style sheet can name. `ids`: how many blocks have the ids `b1`, `b2` … and `t1`, `t2` … */
export type Names = { classes: ReadonlySet<string>; ids: { b: number; t: number } };

function isBlockId(id: string, names: Names | undefined): boolean {
  const [, prefix, number] = /^([bt])([1-9]\d*)$/.exec(id) ?? [];
  return number !== undefined && (!names || Number(number) <= names.ids[prefix as 'b' | 't']);
}

/** True if blocks have elements of this class by themselves, without a `customClass`. */
export const isOwnClass = (name: string): boolean => ownClasses.has(name) || isOfGrid(name);
export const isOwnTag = (name: string): boolean => ownTags.has(name.toLowerCase());

/** A selector that no element of a page can match, with the part that is missing. */
export type Unmatched = { selector: string; missing: { is: 'class' | 'id' | 'element'; name: string } };

/**
 * The selectors of a style sheet that certainly match nothing. Selectors that a page leaves out are not included.
 * @param names what the blocks have that the style sheet applies to. Without it, every class and every id of a block can
 * match
 */
export function unmatchedIn(css: string, names: Names | undefined): Unmatched[] {
  const selectors = statementsOf(css).flatMap(selectorsOf);
  return [...new Set(selectors)].flatMap((selector) => {
    const missing = missingPart(selector, names);
    return missing ? [{ selector, missing }] : [];
  });
}

function selectorsOf(statement: string): string[] {
  const found: string[] = [];
  try {
    parse(statement).walkRules((rule) => {
      if (isStyleRule(rule))
        found.push(...rule.selectors.filter((each) => confinedSelectors(each, '#r') !== undefined));
    });
  } catch {
    // A page leaves out what cannot be parsed, which is another warning.
  }
  return found;
}

/** False for the steps of an animation. */
const isStyleRule = ({ parent }: Rule): boolean =>
  !(parent?.type === 'atrule' && /keyframes$/i.test((parent as { name?: string }).name ?? ''));

function missingPart(selector: string, names: Names | undefined): Unmatched['missing'] | undefined {
  const [parsed] = selectorParser().astSync(selector, { lossless: false }).nodes;
  return parsed && firstMissing(parsed, names);
}

/** Looks only at what every matching element must have, so not into `:not()` and `:is()`. */
function firstMissing(selector: Selector, names: Names | undefined): Unmatched['missing'] | undefined {
  for (const node of selector.nodes) {
    const missing = missingOf(node, names);
    if (missing) return missing;
  }
  return undefined;
}

function missingOf(node: Node, names: Names | undefined): Unmatched['missing'] | undefined {
  switch (node.type) {
    case 'class':
      return !names || isOwnClass(node.value) || names.classes.has(node.value)
        ? undefined
        : { is: 'class', name: node.value };
    case 'id':
      return isBlockId(node.value, names) ? undefined : { is: 'id', name: node.value };
    case 'tag':
      return isOwnTag(node.value) || /^(?:html|body)$/i.test(node.value)
        ? undefined
        : { is: 'element', name: node.value };
    default:
      return undefined;
  }
}
