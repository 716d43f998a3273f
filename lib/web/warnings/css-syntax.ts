import selectorParser from 'postcss-selector-parser';
import { similarTo } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { rulesOf } from './css-rules.ts';
import { reasonIgnored } from './css-values.ts';

/** The parts of a style sheet that a page keeps, but that browsers ignore. @param path of its text */
export function ignoredWarnings(css: string, path: string): ErrorDetail[] {
  const rules = rulesOf(css);
  const reasons = [
    ...new Set(rules.map(({ group }) => group)).values().flatMap(groupReasons),
    ...rules.flatMap(({ selectors }) => selectors.flatMap(pseudoReasons)),
    ...rules.flatMap(({ declarations }) =>
      declarations.flatMap(({ prop, value }) => {
        const reason = reasonIgnored(prop, value);
        return reason === undefined ? [] : [`\`${prop}: ${value}\`, which browsers ignore: ${reason}`];
      }),
    ),
  ];
  return [...new Set(reasons)].map((reason) => ({ path, message: `has ${reason}` }));
}

/** Preferences of people, with the values that a media query can have for them. */
const preferences: Readonly<Record<string, readonly string[]>> = {
  'prefers-color-scheme': ['dark', 'light'],
  'prefers-reduced-motion': ['reduce', 'no-preference'],
  'prefers-contrast': ['more', 'less', 'custom', 'no-preference'],
  orientation: ['portrait', 'landscape'],
};

function groupReasons(group: string): string[] {
  if (!/@media\b/i.test(group)) return [];
  const type = typeReason(group);
  if (type !== undefined) return [type];
  return [...group.matchAll(/\(([^()]+)\)/g)].flatMap(([whole, feature = '']) => {
    const reason = featureReason(feature.trim().toLowerCase());
    return reason === undefined ? [] : [`\`${whole}\`, so the rules in it never apply: ${reason}`];
  });
}

function typeReason(group: string): string | undefined {
  const [, written] = /@media\s+(?:(?:only|not)\s+)?([a-z-]+)/i.exec(group) ?? [];
  const isKnown = written === undefined || /^(?:all|screen|print|speech|not|only)$/i.test(written);
  return isKnown
    ? undefined
    : `\`@media ${written}\`, so the rules in it never apply: write \`screen\`, or a condition such as \`(max-width: 600px)\``;
}

const features =
  /^(?:(?:min-|max-)?(?:device-)?(?:width|height|aspect-ratio)|(?:min-|max-)?(?:resolution|color|color-index|monochrome)|any-hover|any-pointer|color-gamut|display-mode|dynamic-range|forced-colors|grid|horizontal-viewport-segments|hover|inverted-colors|orientation|overflow-block|overflow-inline|pointer|prefers-[a-z-]+|scan|scripting|update|vertical-viewport-segments|video-[a-z-]+|.*device-pixel-ratio|-.+)$/;

function featureReason(feature: string): string | undefined {
  const [name = '', value] = feature.split(':').map((each) => each.trim());
  if (value === undefined) {
    const [first, ...rest] = name.split(/\s+/);
    if (/^[\w-]+\s*=/.test(name)) return 'write a `:` instead of the `=`';
    const isMissing = rest.length > 0 && !/[<>=]|\b(?:and|or|not)\b/.test(name);
    return isMissing ? `a \`:\` is missing after \`${first}\`` : undefined;
  }
  if (!features.test(name)) return `browsers do not know \`${name}\``;
  const values = preferences[name];
  if (values && !values.includes(value)) return `the value is ${values.map((each) => `\`${each}\``).join(' or ')}`;
  const isLength = /^(?:min-|max-)?(?:width|height)$/.test(name);
  return isLength && /^\d*\.?\d+$/.test(value) && Number(value) !== 0 ? `\`${value}\` has no unit` : undefined;
}

const pseudos: readonly string[] =
  `active any-link autofill before after backdrop checked default defined dir disabled empty enabled file-selector-button
  first-child first-letter first-line first-of-type focus focus-visible focus-within fullscreen has host hover in-range
  indeterminate invalid is lang last-child last-of-type link local-link marker modal not nth-child nth-last-child
  nth-last-of-type nth-of-type only-child only-of-type open optional out-of-range picker-icon placeholder
  placeholder-shown popover-open read-only read-write required root scope selection details-content target target-text
  user-invalid user-valid valid visited where checkmark spelling-error grammar-error highlight part slotted state
  target-within current past future playing paused host-context column picture-in-picture cue`.split(/\s+/);

/** Pseudo-classes and elements that no browser knows: the whole rule is ignored. */
function pseudoReasons(selector: string): string[] {
  const found: string[] = [];
  try {
    selectorParser((root) => {
      root.walkPseudos(({ value }) => {
        const name = value.replace(/^:+/, '').toLowerCase();
        if (!name.startsWith('-') && !pseudos.includes(name)) found.push(value);
      });
    }).processSync(selector);
  } catch {
    // A selector that cannot be parsed is left out, which is another warning.
  }
  return found.map((value) => {
    const meant = similarTo(value, pseudos);
    const hint = meant === undefined ? '' : `: did you mean \`${value.replace(/[^:]+$/, meant)}\`?`;
    return `the selector \`${selector}\`, which browsers ignore, because they do not know \`${value}\`${hint}`;
  });
}
