import { isPlaceholderName } from '../../domain/placeholder-names.ts';
import { partsOfPlaceholder, placeholder } from '../../domain/placeholder-syntax.ts';

/**
 * A placeholder whose fallback is not written as a text alone, so that people see another text than is meant.
 * @param isNamed false for a name without a value, which is another warning
 */
export const fallbacksIn = (text: string, isNamed: (name: string) => boolean = () => true): string[] => [
  ...new Set(
    [...text.matchAll(placeholder)]
      .filter(([, inside = '']) => isNamed(partsOfPlaceholder(inside).name))
      .flatMap(([written, inside = '']) => reasonOf(written, inside)),
  ),
];

function reasonOf(written: string, inside: string): string[] {
  const { name, fallback } = partsOfPlaceholder(inside);
  if (fallback === undefined) return [];
  const start = `has the placeholder \`${written}\``;
  if (fallback === '') {
    return [`${start} without a text after the \`|\`: write one, such as \`{{${name}|friend}}\`, or delete the \`|\``];
  }
  if (isPlaceholderName(fallback)) {
    return [`${start}, which shows \`${fallback}\` as it is written: a fallback is a text and not the name of a value`];
  }
  const meant = textOf(fallback);
  if (meant === fallback) return [];
  const example = meant === '' ? `{{${name}}}` : `{{${name}|${meant}}}`;
  return [`${start}, which shows everything after the \`|\` as it is written: write \`${example}\``];
}

/** The text of a fallback in the notation of another system, such as `default: "friend"` or `"friend"`. */
const textOf = (fallback: string): string =>
  fallback
    .replace(/^\|\s*/, '')
    .replace(filter, '')
    .replace(/^default\b\s*(?:[:=]|(?=["'“‘«(]))\s*/i, '')
    .replace(/^\(\s*(["'].*["'])\s*\)$/s, '$1')
    .replace(/^(["'“”‘«])(.*)["'”’»]$/s, '$2')
    .replace(/\s*\|.*$/s, '')
    .trim();

/** Filters of other systems that change a value. */
const filter =
  /^(?:capitalize|upcase|downcase|upper(?:case)?|lower(?:case)?|ucfirst|strip|trim|escape|titlecase|date(?:\s*:[^|]*|_?format)?)\s*(?:\|\s*|$)/i;
