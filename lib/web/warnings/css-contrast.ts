import type { ErrorDetail } from '../../domain/problem.ts';
import { type Colour, colourOf, contrast, hexOf } from '../css/colour.ts';
import type { Scheme } from '../css/scheme.ts';
import { classesOf, classNamesOf } from './classes.ts';
import { type CssRule, rulesOf } from './css-rules.ts';
import { classesIn, type Subject, subjectOf } from './css-subjects.ts';
import type { GivenBlock } from './given.ts';
import { hasTexts, type Sheet } from './sheets.ts';

/** The contrast that texts need (WCAG 2.2, 1.4.3). */
const needed = 4.5;

/** The words whose contrast is computed, as `#rrggbb`. */
const basicColours: Readonly<Record<string, string>> = {
  ...{ white: '#ffffff', black: '#000000', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00' },
  ...{ navy: '#000080', gray: '#808080', grey: '#808080', silver: '#c0c0c0', orange: '#ffa500', gold: '#ffd700' },
  ...{ purple: '#800080', teal: '#008080', maroon: '#800000', lightgray: '#d3d3d3', whitesmoke: '#f5f5f5' },
  ...{ darkblue: '#00008b', darkgreen: '#006400', lightblue: '#add8e6', lightyellow: '#ffffe0', pink: '#ffc0cb' },
};

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
  const around = { all, groups: blocks.map(classNamesOf), textClasses: classesOf(blocks.filter(hasTexts)) };
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
  subjects: Subject[];
  hasTexts: boolean;
  classes: string[];
  text: Declared | undefined;
  ground: Declared | undefined;
  /** `undefined` for both, `other` for a group with another condition. */
  mode: Mode | 'other' | undefined;
};
/** All rules, the classes that blocks have together, and those of blocks with texts. */
type Around = { all: readonly Styled[]; groups: readonly (readonly string[])[]; textClasses: ReadonlySet<string> };
type Declared = { written: string; colour: Colour | undefined };

function styledOf({ selectors, declarations, group }: CssRule, { path, owner, hasTexts }: Sheet): Styled {
  const last = (...names: string[]): Declared | undefined => {
    const found = declarations.findLast(({ prop }) => names.includes(prop.toLowerCase()));
    return found && { written: `${found.prop}: ${found.value}`, colour: colourIn(found.value) };
  };
  return {
    ...{ path, owner, hasTexts, selector: selectors.join(', '), mode: modeOf(group) },
    ...{ text: last('color'), ground: last('background', 'background-color', 'background-image') },
    subjects: selectors.map(subjectOf),
    classes: selectors.flatMap(classesIn),
  };
}

const colourIn = (value: string): Colour | undefined => colourOf(basicColours[value.trim().toLowerCase()] ?? value);

function modeOf(group: string): Styled['mode'] {
  const [, mode] = /^@media\s*\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)$/i.exec(group) ?? [];
  return group === '' ? undefined : ((mode?.toLowerCase() as Mode | undefined) ?? 'other');
}

function messageOf(rule: Styled, mode: Mode, scheme: Scheme | undefined, around: Around): string | undefined {
  const { text, ground, selector } = rule;
  const pair = text && ground ? { text: text.colour, ground: ground.colour } : withPage(rule, scheme, around);
  if (!pair?.text || !pair.ground) return undefined;
  const ratio = contrast(pair.text, pair.ground);
  if (ratio >= needed || (!(text && ground) && isSetElsewhere(rule, mode, around))) return undefined;
  const where = mode === 'dark' && rule.mode === undefined ? ' on devices that ask for dark colors' : '';
  return `has the text of \`${selector}\` in a color that cannot be read${where}: ${hexOf(pair.text)} on ${hexOf(pair.ground)} has a contrast of ${(Math.floor(ratio * 10) / 10).toFixed(1)}:1, and texts need ${needed}:1${hintOf(rule, where)}`;
}

function hintOf({ text, ground }: Styled, where: string): string {
  if (where !== '') return '. Write a color for them in `@media (prefers-color-scheme: dark)`';
  if (text && ground) return '';
  return text ? '. Write a `background` into the same rule' : '. Write a `color` into the same rule';
}

/** The other color is that of the page. */
function withPage(
  { text, ground, subjects, classes, hasTexts }: Styled,
  scheme: Scheme | undefined,
  { textClasses }: Around,
) {
  const kind = subjects.every((each) => each === subjects[0]) ? subjects[0] : undefined;
  if (!scheme || (!text && !ground) || (kind !== 'text' && kind !== 'button')) return undefined;
  if (kind === 'text' && !(hasTexts && classes.every((name) => textClasses.has(name)))) return undefined;
  const own = kind === 'button' ? { text: 'on-primary', ground: 'primary' } : { text: 'text', ground: 'surface' };
  return {
    text: text ? text.colour : colourOf(scheme[own.text]),
    ground: ground ? ground.colour : colourOf(scheme[own.ground]),
  };
}

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
