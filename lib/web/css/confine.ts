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

function confinedAnew(css: string, root: string): string {
  const nodes = statementsOf(css).flatMap(nodesOf);
  const animations = new Set(nodes.filter(isKeyframes).map(({ params }) => params.trim()));
  return nodes.map((node) => attempt(() => statement(node, { root, animations, depth: 0 })) ?? '').join('');
}

type Place = { root: string /** Names of the campaign's own. */; animations: ReadonlySet<string>; depth: number };

/** Deeper than anybody writes. */
const maxDepth = 8;

const nodesOf = (text: string): ChildNode[] => attempt(() => (parse(text) as Root).nodes) ?? [];

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
  if (node.type !== 'atrule' || place.depth === maxDepth) return '';
  if (isKeyframes(node)) return keyframesOf(node, place);
  return isGroup(node) ? groupOf(node, place) : '';
}

function ruleOf(rule: Rule, place: Place): string {
  const selectors = attempt(() => confinedSelectors(rule.selector, place.root));
  return selectors === undefined ? '' : blockOf(selectors, rule, place);
}

function blockOf(prelude: string, { nodes }: Rule, place: Place): string {
  const declarations = nodes.flatMap((node) => (node.type === 'decl' ? (declarationOf(node, place) ?? []) : []));
  return declarations.length > 0 ? `${prelude}{${declarations.join(';')}}` : '';
}

const isGroup = ({ name }: AtRule): boolean => /^(?:media|supports|container)$/i.test(name);

function groupOf({ name, params, nodes = [] }: AtRule, place: Place): string {
  if (!isSound(params) || !loadsNothing(params)) return '';
  const content = nodes.map((node) => statement(node, { ...place, depth: place.depth + 1 })).join('');
  return content === '' ? '' : `@${name.toLowerCase()} ${params}{${content}}`;
}

const isKeyframes = (node: ChildNode): node is AtRule =>
  node.type === 'atrule' && node.name.toLowerCase() === 'keyframes' && /^[a-z_][\w-]*$/i.test(node.params.trim());

/** Its animations bear names that the page itself has not, and run for nobody who wants no motion. */
function keyframesOf({ params, nodes = [] }: AtRule, place: Place): string {
  const steps = nodes.map((node) => {
    const isStep = node.type === 'rule' && node.selectors.every((each) => /^(?:from|to|\d+(?:\.\d+)?%)$/i.test(each));
    return isStep ? blockOf(node.selectors.join(','), node, place) : '';
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
