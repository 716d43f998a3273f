import { blockKindOf } from '../../domain/content/block-types.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { type Colour, colourOf, contrast, hexOf } from '../css/colour.ts';
import type { Scheme } from '../css/scheme.ts';
import { classesOf, classNamesOf } from './classes.ts';
import { groundOf, over, type Paint, type Shade, shadeOf } from './css-paint.ts';
import { type CssRule, rulesOf } from './css-rules.ts';
import { classesIn, type Subject, subjectOf } from './css-subjects.ts';
import type { GivenBlock } from './given.ts';
import { hasTexts, type Sheet } from './sheets.ts';

/** The contrast that texts need (WCAG 2.2, 1.4.3). */
const needed = 4.5;

type Mode = 'light' | 'dark';
/** The colors of the page on which the style sheets are used. `dark` is not set if the page stays light. */
export type Schemes = { light?: Scheme; dark?: Scheme };

/**
 * Rules whose text cannot be read: on the background of the same rule, or of the page. A color alone is not looked at if
 * another rule can set the other color of the same elements. @param blocks those that the style sheets apply to
 */
export function cssContrastWarnings(
  sheets: readonly Sheet[],
  schemes: Schemes,
  blocks: readonly GivenBlock[] = [],
): ErrorDetail[] {
  const all = sheets.flatMap((sheet) => rulesOf(sheet.css).map((rule) => styledOf(rule, sheet)));
  const around = {
    ...{ all, groups: blocks.map(classNamesOf), textClasses: classesOf(blocks.filter(hasTexts)) },
    otherClasses: classesOf(blocks.filter((block) => !isPlain(block))),
  };
  const found = all.flatMap((rule) => {
    const isPage = (mode: Mode) => mode === 'light' || schemes.dark !== undefined;
    const modes = (['light', 'dark'] as const).filter((mode) => isPage(mode) && (rule.mode ?? mode) === mode);
    const messages = modes.flatMap((mode) => messageOf(rule, mode, schemes[mode], around) ?? []);
    return messages.slice(0, 1).map((message) => ({ path: rule.path, message }));
  });
  return [...new Map(found.map((each) => [each.path + each.message, each])).values()];
}

type Styled = {
  path: string;
  owner: string;
  selector: string;
  selectors: readonly string[];
  subjects: Subject[];
  hasTexts: boolean;
  classes: string[];
  /** `unknown` for a color that cannot be computed. `undefined` if the rule sets none. */
  text: Shade | 'unknown' | undefined;
  ground: Paint | 'unknown' | undefined;
  /** `undefined` for both, `other` for a group with another condition. */
  mode: Mode | 'other' | undefined;
};
/**
 * All rules, the classes that blocks have together, those of blocks with texts, and those of blocks whose texts can have
 * a background of the service.
 */
type Around = {
  all: readonly Styled[];
  groups: readonly (readonly string[])[];
  textClasses: ReadonlySet<string>;
  otherClasses: ReadonlySet<string>;
};

/** Whether the texts of the block are on its own background. */
function isPlain({ type }: GivenBlock): boolean {
  const kind = blockKindOf(type);
  return kind === 'heading' || kind === 'text';
}

function styledOf({ selectors, declarations, group }: CssRule, { path, owner, hasTexts }: Sheet): Styled {
  const own = declarations.findLast(({ prop }) => prop.toLowerCase() === 'color');
  const subjects = selectors.map(subjectOf);
  // A button does not inherit its own color.
  const isInherited = own && /^(?:inherit|currentcolor|unset)$/i.test(own.value.trim()) && !subjects.includes('button');
  const text = isInherited ? undefined : own;
  return {
    ...{ path, owner, hasTexts, selectors, selector: selectors.join(', '), mode: modeOf(group) },
    ...{ text: text && (shadeOf(text.value) ?? 'unknown'), ground: groundOf(declarations) },
    subjects,
    classes: selectors.flatMap(classesIn),
  };
}

function modeOf(group: string): Styled['mode'] {
  const [, mode] = /^@media\s*\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)$/i.exec(group) ?? [];
  return group === '' ? undefined : ((mode?.toLowerCase() as Mode | undefined) ?? 'other');
}

function messageOf(rule: Styled, mode: Mode, scheme: Scheme | undefined, around: Around): string | undefined {
  const { text, ground, selector } = rule;
  if (text === 'unknown' || ground === 'unknown') return undefined;
  const page = colorsOfPage(rule, scheme, around);
  const nested = ground ? undefined : groundAround(rule, mode, around);
  const texts = text ?? page?.text;
  const grounds = ground ?? nested?.ground ?? page?.ground;
  const isOnPage = !(text && (ground ?? nested));
  if (!texts || !grounds || (isOnPage && isSetElsewhere(rule, mode, around))) return undefined;
  const isBehindKnown = !nested && !isGroundElsewhere(rule, mode, around);
  const worst = worstOf(texts, grounds, isBehindKnown ? page?.behind : undefined);
  if (!worst || worst.ratio >= needed) return undefined;
  const where = mode === 'dark' && rule.mode === undefined ? ' on devices that ask for dark colors' : '';
  const behind = nested ? `, the background of \`${nested.selector}\`,` : '';
  return `has the text of \`${selector}\` in a color that cannot be read${where}: ${hexOf(worst.text)} on ${hexOf(worst.ground)}${behind} has a contrast of ${(Math.floor(worst.ratio * 10) / 10).toFixed(1)}:1, and texts need ${needed}:1${nested ? '' : hintOf(rule, where)}`;
}

type Pair = { text: Colour; ground: Colour; ratio: number };

/** The color of the background on which the text is hardest to read. @param behind what a transparent background shows */
function worstOf(text: Shade, grounds: Paint, behind: Shade | undefined): Pair | undefined {
  const pairs = grounds.map((stop): Pair | undefined => {
    const ground = stop.alpha < 1 && behind ? over(stop, behind) : stop;
    if (ground.alpha < 1) return undefined;
    const shown = over(text, ground).colour;
    return { text: shown, ground: ground.colour, ratio: contrast(shown, ground.colour) };
  });
  // Without the colors behind a transparent one, the text can be on any color.
  if (pairs.includes(undefined)) return undefined;
  return (pairs as Pair[]).toSorted((a, b) => a.ratio - b.ratio)[0];
}

function hintOf({ text, ground }: Styled, where: string): string {
  if (where !== '') return '. Write a color for them in `@media (prefers-color-scheme: dark)`';
  if (text && ground) return '';
  return text ? '. Write a `background` into the same rule' : '. Write a `color` into the same rule';
}

/** The colors that the page has where the rule applies. */
function colorsOfPage(
  { text, ground, subjects, classes, hasTexts }: Styled,
  scheme: Scheme | undefined,
  { textClasses }: Around,
): { text: Shade; ground: Paint; behind: Shade } | undefined {
  const kind = subjects.every((each) => each === subjects[0]) ? subjects[0] : undefined;
  if (!scheme || (!text && !ground) || (kind !== 'text' && kind !== 'button')) return undefined;
  if (kind === 'text' && !(hasTexts && classes.every((name) => textClasses.has(name)))) return undefined;
  const of = (name: string): Shade => ({ colour: colourOf(scheme[name])!, alpha: 1 });
  const behind = of('surface');
  return kind === 'button'
    ? { text: of('on-primary'), ground: [of('primary')], behind }
    : { text: of('text'), ground: [behind], behind };
}

/**
 * The background that another rule gives to the same element or to one around it, such as `.hero` around `.hero h2`.
 * `undefined` if it is not certain that this background is behind the text.
 */
function groundAround(rule: Styled, mode: Mode, around: Around): { ground: Paint; selector: string } | undefined {
  const [only, ...others] = groundsElsewhere(rule, mode, around);
  if (!rule.text || !only?.ground || only.ground === 'unknown' || others.length > 0) return undefined;
  if (around.all.some((each) => each !== rule && each.mode !== undefined && overlap(rule, each, around.groups)))
    return undefined;
  const isAround = rule.selectors.every((each) => each === only.selector || each.startsWith(`${only.selector} `));
  const isKnown = only.classes.length > 0 && !only.classes.some((name) => around.otherClasses.has(name));
  return isAround && isKnown && around.groups.length > 0 ? { ground: only.ground, selector: only.selector } : undefined;
}

const isGroundElsewhere = (rule: Styled, mode: Mode, around: Around): boolean =>
  groundsElsewhere(rule, mode, around).length > 0;

const groundsElsewhere = (rule: Styled, mode: Mode, { all, groups }: Around): Styled[] =>
  all.filter(
    (other) =>
      other !== rule && other.ground && !(other.mode === 'dark' && mode === 'light') && overlap(rule, other, groups),
  );

/** Whether another rule can set the color that this rule does not set, or both of them on dark devices. */
const isSetElsewhere = (rule: Styled, mode: Mode, { all, groups }: Around): boolean =>
  all.some((other) => {
    if (other === rule || (other.mode === 'dark' && mode === 'light') || !overlap(rule, other, groups)) return false;
    if (other.mode === 'dark' || other.mode === 'other') return true;
    return rule.text ? other.ground !== undefined : other.text !== undefined;
  });

/** Whether both rules can apply to elements of the same block. */
function overlap(a: Styled, b: Styled, groups: readonly (readonly string[])[]): boolean {
  const isWithin = (inner: Styled, outer: Styled) => `${inner.owner}/`.startsWith(`${outer.owner}/`);
  if (!isWithin(a, b) && !isWithin(b, a)) return false;
  if (!b.subjects.some((each) => a.subjects.includes(each))) return false;
  if (a.classes.length === 0 || b.classes.length === 0) return true;
  return (
    a.classes.some((name) => b.classes.includes(name)) ||
    groups.some(
      (names) => names.some((each) => a.classes.includes(each)) && names.some((each) => b.classes.includes(each)),
    )
  );
}
