import { listed } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { meantName } from './placeholders.ts';
import type { ShownText } from './shapes.ts';

/** Placeholders in the notation of another system, which a page shows as they are written. */
export const notationWarnings = (texts: readonly ShownText[], variables: readonly string[]): ErrorDetail[] =>
  texts.flatMap(({ text, path }) => notationsIn(text, variables).map((message) => ({ path, message })));

/** What is to be said of the placeholders of a text in another notation. @param variables of the page */
export function notationsIn(text: string, variables: readonly string[] = []): string[] {
  const found = [...text.replaceAll(placeholder, ' ').matchAll(others)].flatMap(([written, ...names]) => {
    const name = names.find((each) => each !== undefined)?.trim() ?? '';
    const meant = meantName(name, variables);
    return meant === undefined ? [] : [{ written: written.trim(), meant }];
  });
  return [...new Map(found.map((each) => [each.written, each])).values()].map(
    ({ written, meant }) =>
      `has ${listed([written])}, which people see as it is written: write the placeholder as \`{{${meant}}}\``,
  );
}

/** A placeholder that is filled in. With more braces around it, it is another notation. */
const placeholder = /(?<!\{)\{\{[^{}]*\}\}(?!\})/g;

const name = '\\s*([\\p{L}_][\\p{L}\\p{N}_. -]{0,59}?)\\s*';
const others = new RegExp(
  [
    `[$#]?\\{+${name}\\}+`,
    `\\{\\{\\s*([\\w.]+)`,
    `([\\w.]+)\\s*\\}\\}`,
    `[｛{]+${name}[｝}]+`,
    `\\[{1,2}${name}\\]{1,2}(?!\\()`,
    `%{1,2}([\\p{L}_][\\w.]*)%{1,2}`,
    `<<${name}>>`,
    `<%=?${name}%>`,
    `<([\\p{L}]\\w*_\\w+|\\p{Lu}\\p{Ll}+\\p{Lu}\\w+)>`,
    `«\\s*([a-z]+[._][\\w.]+)\\s*»`,
    `(?<![\\w@/])[@:]([a-z]+_[a-z_]+)\\b`,
    `\\*\\|${name}\\|\\*`,
  ].join('|'),
  'gu',
);
