import { LRUCache } from 'lru-cache';
import type { AtRule, ChildNode, Declaration, Root, Rule } from 'postcss';
import parse from 'postcss/lib/parse';
import { confinedSelectors } from './selectors.ts';
import { isSound, loadsNothing, statementsOf, withoutImages } from './text.ts';

/**
 * A campaign's own CSS, made harmless: every selector begins with the root, nothing is loaded, and what is not
 * understood is dropped while the rest stays. Whatever comes in, the result never ends the style element.
 * @param root a selector that the page made, such as `#campaign`
 */
export function confine(css: string, root: string): string {
  const key = `${root}\n${css}`;
  const known = confined.get(key);
  if (known !== undefined) return known;
  const made = confinedAnew(css, root);
  confined.set(key, made);
  return made;
}

/** Campaigns change seldom and are looked at often, and to confine a style sheet costs milliseconds a kilobyte. */
const confined = new LRUCache<string, string>({
  /** Characters of style sheets, before and after, that an instance keeps. */
  maxSize: 4_000_000,
  sizeCalculation: (made, key) => key.length + made.length,
});

/** The parts of a style sheet that {@link confine} leaves out. */
export function droppedFrom(css: string): string[] {
  const dropped: string[] = [];
  confinedAnew(css, '#campaign', (text) => dropped.push(text));
  return dropped;
}

type Drop = (text: string) => void;

function confinedAnew(css: string, root: string, drop?: Drop): string {
  const nodes = statementsOf(css, drop).flatMap((text) => nodesOf(text, drop));
  const animations = new Set(nodes.filter(isKeyframes).map(({ params }) => params.trim()));
  const place = { root, animations, depth: 0, drop };
  return nodes.map((node) => attempt(() => statement(node, place)) ?? dropped(place, String(node))).join('');
}

type Place = {
  root: string;
  /** Names of the campaign's own. */
  animations: ReadonlySet<string>;
  depth: number;
  /** Is told of everything that is left out. */
  drop: Drop | undefined;
};

function dropped({ drop }: Place, text: string): '' {
  drop?.(text);
  return '';
}

/** Deeper than anybody writes. */
const maxDepth = 8;

function nodesOf(text: string, drop?: Drop): ChildNode[] {
  const root = attempt(() => parse(text) as Root);
  if (!root) drop?.(text);
  return root?.nodes ?? [];
}

/** What a parser does not understand is left out. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function statement(node: ChildNode, place: Place): string {
  if (node.type === 'rule') return ruleOf(node, place);
  if (node.type !== 'atrule' || place.depth === maxDepth) return dropped(place, String(node));
  if (isKeyframes(node)) return keyframesOf(node, place);
  return isGroup(node) ? groupOf(node, place) : dropped(place, String(node));
}

function ruleOf(rule: Rule, place: Place): string {
  const confinedTo = (selector: string) => attempt(() => confinedSelectors(selector, place.root));
  if (place.drop) {
    for (const each of rule.selectors) if (confinedTo(each) === undefined) place.drop(each);
  }
  const selectors = confinedTo(rule.selector);
  return selectors === undefined ? '' : blockOf(selectors, rule, place);
}

function blockOf(prelude: string, { nodes }: Rule, place: Place): string {
  const declarations = nodes.flatMap((node) => {
    const declaration = node.type === 'decl' ? declarationOf(node, place) : undefined;
    if (declaration === undefined) dropped(place, String(node));
    return declaration ?? [];
  });
  return declarations.length > 0 ? `${prelude}{${declarations.join(';')}}` : '';
}

const isGroup = ({ name }: AtRule): boolean => /^(?:media|supports|container)$/i.test(name);

function groupOf({ name, params, nodes = [] }: AtRule, place: Place): string {
  if (!isSound(params) || !loadsNothing(params)) return dropped(place, `@${name} ${params}`);
  const content = nodes.map((node) => statement(node, { ...place, depth: place.depth + 1 })).join('');
  return content === '' ? '' : `@${name.toLowerCase()} ${params}{${content}}`;
}

const isKeyframes = (node: ChildNode): node is AtRule =>
  node.type === 'atrule' && node.name.toLowerCase() === 'keyframes' && /^[a-z_][\w-]*$/i.test(node.params.trim());

/** Its animations bear names that the page itself has not, and run for nobody who wants no motion. */
function keyframesOf({ params, nodes = [] }: AtRule, place: Place): string {
  const steps = nodes.map((node) => {
    const isStep = node.type === 'rule' && node.selectors.every((each) => /^(?:from|to|\d+(?:\.\d+)?%)$/i.test(each));
    return isStep ? blockOf(node.selectors.join(','), node, place) : dropped(place, String(node));
  });
  return `@media (prefers-reduced-motion:no-preference){@keyframes ${ownName(params.trim())}{${steps.join('')}}}`;
}

const ownName = (name: string): string => `own-${name}`;

const refusedProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding', 'src']);

function declarationOf({ prop, value, important }: Declaration, { animations }: Place): string | undefined {
  const name = prop.startsWith('--') ? prop : prop.toLowerCase();
  if (!/^-{0,2}[a-z_][\w-]*$/i.test(name) || refusedProperties.has(name)) return undefined;
  // What is looked at is what is written: a backslash whose blank is trimmed away escapes whatever comes next.
  const written = value.trim();
  const plain = withoutImages(written);
  if (written === '' || written.includes('<') || !isSound(plain) || !loadsNothing(plain)) return undefined;
  const isMotion = /^(?:-webkit-)?(?:animation|transition)/.test(name);
  const settled = /^(?:-webkit-)?animation(?:-name)?$/.test(name) ? withOwnNames(written, animations) : written;
  // Whoever wants no motion gets none, and that rule has to win.
  return `${name}:${settled}${important && !isMotion ? '!important' : ''}`;
}

const withOwnNames = (value: string, animations: ReadonlySet<string>): string =>
  value.replaceAll(/[\w-]+/g, (word) => (animations.has(word) ? ownName(word) : word));
