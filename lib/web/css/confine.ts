import type { AtRule, ChildNode, Declaration, Root, Rule } from 'postcss';
import parse from 'postcss/lib/parse';
import { BoundedCache } from '../../cache.ts';
import { confinedSelectors } from './selectors.ts';
import { isSound, loadsNothing, statementsOf, withoutImages } from './text.ts';

/**
 * Makes a campaign's CSS safe: every selector begins with the root, nothing is loaded, and statements that cannot be
 * parsed are removed while the others stay. The result never ends the style element, whatever the input is.
 * @param css one style sheet or several. What one of them leaves open does not change the next
 * @param root a selector of the page, such as `#campaign`
 */
export function confine(css: string | readonly string[], root: string): string {
  const sheets = [css].flat();
  const key = [root, ...sheets].join('\0');
  const known = confined.get(key);
  if (known !== undefined) return known;
  const made = confineUncached(sheets, root);
  confined.set(key, made);
  return made;
}

/** Characters of all cached style sheets, before and after confining. */
const maxCached = 4_000_000;

/** A cache, because campaigns change rarely and confining costs milliseconds for each kilobyte. */
const confined = new BoundedCache<string>(maxCached, (made, key) => key.length + made.length);

/** The parts of a style sheet that {@link confine} removes. */
export function droppedFrom(css: string): string[] {
  const dropped: string[] = [];
  confineUncached([css], '#campaign', (text) => dropped.push(text));
  return dropped;
}

type Drop = (text: string) => void;

function confineUncached(sheets: readonly string[], root: string, drop?: Drop): string {
  const nodes = sheets.flatMap((css) => statementsOf(css, drop)).flatMap((text) => nodesOf(text, drop));
  const animations = new Set(nodes.filter(isKeyframes).map(({ params }) => params.trim()));
  const context = { root, animations, depth: 0, drop };
  return nodes.map((node) => attempt(() => statement(node, context)) ?? dropped(context, String(node))).join('');
}

type Context = {
  root: string;
  /** Names of the campaign's own animations. */
  animations: ReadonlySet<string>;
  depth: number;
  /** Called with every part that is removed. */
  drop: Drop | undefined;
};

function dropped({ drop }: Context, text: string): '' {
  drop?.(text);
  return '';
}

/** Levels of nested groups. Deeper statements are removed. */
const maxDepth = 8;

function nodesOf(text: string, drop?: Drop): ChildNode[] {
  const root = attempt(() => parse(text) as Root);
  if (!root) drop?.(text);
  return root?.nodes ?? [];
}

/** The result, or `undefined` if the parser throws. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function statement(node: ChildNode, context: Context): string {
  if (node.type === 'rule') return ruleOf(node, context);
  if (node.type !== 'atrule' || context.depth === maxDepth) return dropped(context, String(node));
  if (isKeyframes(node)) return keyframesOf(node, context);
  return isGroup(node) ? groupOf(node, context) : dropped(context, String(node));
}

function ruleOf(rule: Rule, context: Context): string {
  const confinedTo = (selector: string) => attempt(() => confinedSelectors(selector, context.root));
  if (context.drop) {
    for (const each of rule.selectors) if (confinedTo(each) === undefined) context.drop(each);
  }
  const selectors = confinedTo(rule.selector);
  return selectors === undefined ? '' : blockOf(selectors, rule, context);
}

function blockOf(prelude: string, { nodes }: Rule, context: Context): string {
  const declarations = nodes.flatMap((node) => {
    const declaration = node.type === 'decl' ? declarationOf(node, context) : undefined;
    if (declaration === undefined) dropped(context, String(node));
    return declaration ?? [];
  });
  return declarations.length > 0 ? `${prelude}{${declarations.join(';')}}` : '';
}

const isGroup = ({ name }: AtRule): boolean => /^(?:media|supports|container)$/i.test(name);

function groupOf({ name, params, nodes = [] }: AtRule, context: Context): string {
  if (!isSound(params) || !loadsNothing(params)) return dropped(context, `@${name} ${params}`);
  const content = nodes.map((node) => statement(node, { ...context, depth: context.depth + 1 })).join('');
  return content === '' ? '' : `@${name.toLowerCase()} ${params}{${content}}`;
}

const isKeyframes = (node: ChildNode): node is AtRule =>
  node.type === 'atrule' && node.name.toLowerCase() === 'keyframes' && /^[a-z_][\w-]*$/i.test(node.params.trim());

/** Renames the campaign's animations, so that they cannot collide with the page's, and respects reduced motion. */
function keyframesOf({ params, nodes = [] }: AtRule, context: Context): string {
  const steps = nodes.map((node) => {
    const isStep = node.type === 'rule' && node.selectors.every((each) => /^(?:from|to|\d+(?:\.\d+)?%)$/i.test(each));
    return isStep ? blockOf(node.selectors.join(','), node, context) : dropped(context, String(node));
  });
  return `@media (prefers-reduced-motion:no-preference){@keyframes ${ownName(params.trim())}{${steps.join('')}}}`;
}

const ownName = (name: string): string => `own-${name}`;

const refusedProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding', 'src']);

function declarationOf({ prop, value, important }: Declaration, { animations }: Context): string | undefined {
  const name = prop.startsWith('--') ? prop : prop.toLowerCase();
  if (!/^-{0,2}[a-z_][\w-]*$/i.test(name) || refusedProperties.has(name)) return undefined;
  // Check the trimmed value, which is what is written: after trimming, a final backslash escapes the next character.
  const written = value.trim();
  const plain = withoutImages(written);
  if (written === '' || written.includes('<') || !isSound(plain) || !loadsNothing(plain)) return undefined;
  const isMotion = /^(?:-webkit-)?(?:animation|transition)/.test(name);
  const settled = /^(?:-webkit-)?animation(?:-name)?$/.test(name) ? withOwnNames(written, animations) : written;
  // The rule that turns motion off for people who want none must win.
  return `${name}:${settled}${important && !isMotion ? '!important' : ''}`;
}

const withOwnNames = (value: string, animations: ReadonlySet<string>): string =>
  value.replaceAll(/[\w-]+/g, (word) => (animations.has(word) ? ownName(word) : word));
