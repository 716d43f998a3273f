import { similarTo } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { lightScheme } from '../css/scheme.ts';
import { rulesOf } from './css-rules.ts';
import type { Sheet } from './sheets.ts';

/** The variables that every page sets. */
const ofPages = [...Object.keys(lightScheme({})), 'heading-font', 'body-font', 'size', 'radius'];

/** Variables without a value of their own in `var(…)` that no style sheet sets. */
export function cssVariableWarnings(sheets: readonly Sheet[]): ErrorDetail[] {
  const set = sheets.flatMap(({ css }) => [...css.matchAll(/(?<![\w-])--([\w-]+)\s*:/g)].map(([, name]) => name!));
  const known = [...ofPages, ...set];
  return sheets.flatMap(({ css, path }) => {
    const values = rulesOf(css).flatMap(({ declarations }) => declarations.map(({ value }) => value));
    const used = values.flatMap((value) => [...value.matchAll(/var\(\s*--([\w-]+)\s*\)/g)].map(([, name]) => name!));
    return [...new Set(used)]
      .filter((name) => !known.includes(name))
      .map((name) => ({ path, message: `has \`var(--${name})\`, which browsers ignore: ${reasonOf(name, known)}` }));
  });
}

function reasonOf(name: string, known: readonly string[]): string {
  const meant = similarTo(name, known);
  return `\`--${name}\` is not set${meant === undefined ? '' : `. Did you mean \`--${meant}\`?`}`;
}
