import { listed } from '../../domain/content/similar.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { meantName } from './placeholders.ts';
import type { ShownText } from './shapes.ts';

/** Placeholders in the notation of another system, which a page shows as they are written. */
export const notationWarnings = (texts: readonly ShownText[], variables: readonly string[]): ErrorDetail[] =>
  texts.flatMap(({ text, path, is }) => notationsIn(text, variables, is).map((message) => ({ path, message })));

/**
 * What is to be said of the placeholders of a text in another notation. A URL can have such a name as a part of its own,
 * for example as the name of a parameter. @param variables of the page
 */
export function notationsIn(text: string, variables: readonly string[] = [], is: ShownText['is'] = 'text'): string[] {
  const pattern = is === 'url' ? notations : notationsAndNames;
  const found = [...text.replaceAll(placeholder, ' ').matchAll(pattern)].flatMap(([written, ...names]) => {
    const name = names.find((each) => each !== undefined)?.trim() ?? '';
    const meant = meantName(name, variables);
    return meant === undefined ? [] : [{ written: written.trim(), meant }];
  });
  const known = [...new Map(found.map((each) => [each.written, each])).values()];
  const rest = known.reduce((left, { written }) => left.replaceAll(written, ' '), text.replaceAll(placeholder, ' '));
  const unknown = is === 'url' ? [] : [...new Set(rest.match(programs))];
  return [
    ...known.map(
      ({ written, meant }) =>
        `has ${listed([written])}, which people see as it is written: write the placeholder as \`{{${meant}}}\``,
    ),
    ...unknown.map(
      (written) =>
        `has ${listed([written])}, which people see as it is written: write the value, or a placeholder such as \`{{name_first}}\``,
    ),
  ];
}

/** Placeholders of other systems whose name is none here, and names in brackets that a value was meant to replace. */
const programs = new RegExp(
  [
    '(?<!\\{)\\$\\{[\\p{L}_][^{}\\n]{0,59}\\}',
    '<<[\\p{L}_][\\p{L}\\p{N}_.]{0,59}>>',
    '\\{%[^{}%\\n]{1,59}%\\}',
    '(?<!\\{)\\{\\d\\}(?!\\})',
    // After a number it is a percentage.
    "(?<!\\d\\s?)%[sd](?![\\p{L}\\p{N}'’%])",
    '\\[(?:date|amount|rate|price|deadline|datum|betrag|zinssatz|preis|fecha|importe|monto|tasa|montant|taux|částka|sazba|التاريخ|المبلغ)\\](?!\\()',
  ].join('|'),
  'giu',
);

/** A placeholder that is filled in. With more braces around it, it is another notation. */
const placeholder = /(?<!\{)\{\{[^{}]*\}\}(?!\})/g;

const name = '\\s*([\\p{L}_][\\p{L}\\p{N}_. -]{0,59}?)\\s*';
const fallback = '(?:[|:][^{}[\\]|]*)?';
const notationPatterns = [
  `[$#%@]?\\{+!?${name}${fallback}\\}+`,
  `\\{\\{\\s*([\\w.]+)`,
  `(?<![\\w.])([\\w.]+)\\s*\\}\\}`,
  `[｛{]+${name}[｝}]+`,
  `\\[{1,2}${name}${fallback}\\]{1,2}(?!\\()`,
  `[$#]?\\(\\(${name}\\)\\)`,
  `[$#]\\(${name}\\)`,
  `\\{%${name}%\\}`,
  `%%${name}%%`,
  `%{1,2}([\\p{L}_][\\w.]*)%{1,2}`,
  `[#$~|]{1,2}([\\p{L}_][\\w.]*)[#$~|]{1,2}`,
  `<<${name}>>`,
  `<%=?${name}%>`,
  `<([\\p{L}_][\\p{L}\\p{N}_. -]{0,59})>`,
  `«\\s*([a-z]+[._][\\w.]+)\\s*»`,
  `(?<![\\w@/])[@:]([a-z]+_[a-z_]+)\\b`,
  `\\*\\|${name}(?::[^|]*)?\\|\\*`,
].join('|');

/** A name of a program that no text has by itself, with the signs around it. */
const signs = '[^\\s\\p{L}\\p{N}.,;:!?"\'’]{0,4}';
const names = [
  '\\p{L}+(?:_\\p{L}+)+',
  '(?:contact|account|meta_public|meta_private|team|template)\\.[\\p{L}_][\\w.]*\\w',
  '(?:first|last)Name|name(?:First|Last)|[FL]NAME',
].join('|');
const bareName = `${signs}(?<![\\p{L}\\p{N}@/.-])(${names})(?![\\p{L}\\p{N}@/-]|\\.\\p{L})${signs}`;

const notations = new RegExp(notationPatterns, 'gu');
const notationsAndNames = new RegExp(`${notationPatterns}|${bareName}`, 'gu');
