import { lexer } from 'css-tree';
import selectors from 'mdn-data/css/selectors.json' with { type: 'json' };
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

const groupReasons = (group: string): string[] =>
  group
    .split(/\s+(?=@)/)
    .flatMap((each) => /^@media\b(.*)$/is.exec(each)?.[1]?.trim() ?? [])
    .flatMap((query) => queryReason(query) ?? featureReasons(query));

/** A query that cannot be read, or is for a kind of device that browsers do not know. */
function queryReason(query: string): string | undefined {
  const [, type = 'all'] = /^(?:(?:only|not)\s+)?([a-z-]+)/i.exec(query) ?? [];
  if (!/^(?:all|screen|print|speech|not|only)$/i.test(type)) {
    return `\`@media ${type}\`, so the rules in it never apply: write \`screen\`, or a condition such as \`(max-width: 600px)\``;
  }
  return lexer.matchAtrulePrelude('media', query).error
    ? `\`@media ${query}\`, so the rules in it never apply: write each condition in brackets, with \`and\`, \`or\` or a comma between them`
    : undefined;
}

const featureReasons = (query: string): string[] =>
  [...query.matchAll(/(?<![\w-])\(([^()]+)\)/g)].flatMap(([whole, feature = '']) => {
    const reason = featureReason(feature.trim().toLowerCase());
    return reason === undefined ? [] : [`\`${whole}\`, so the rules in it never apply: ${reason}`];
  });

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
  const isLength = /^(?:min-|max-)?(?:device-)?(?:width|height)$/.test(name) && !value.includes('(');
  if (!isLength || !lexer.matchType('length', value).error) return undefined;
  return /^[\d.]+$/.test(value) ? `\`${value}\` has no unit` : `\`${value}\` is not a length`;
}

/** The names of pseudo-classes and elements. `column` is not in version 2.27.1 of the list. */
const pseudos = ['column', ...Object.keys(selectors).flatMap((each) => /^::?([\w-]+)/.exec(each)?.[1] ?? [])];

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
