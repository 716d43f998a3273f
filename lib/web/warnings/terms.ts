import { isPublished } from '../../domain/completion.ts';
import { blockKindOf } from '../../domain/content/block-types.ts';
import { isFilledText, isJsonObject } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { GivenBlock, GivenTemplate } from './given.ts';
import { comparable } from './invisible.ts';
import { memberOf, textOf } from './members.ts';

type Term = { index: number; label: string; value: string };

/** The terms of a block that a page shows. */
export function termsOf({ type, data }: GivenBlock): Term[] {
  const kind = blockKindOf(type);
  const list = kind === 'text' || kind === 'card' ? memberOf(data, 'terms') : undefined;
  return (Array.isArray(list) ? list : []).flatMap((each, index) => {
    const { label, value } = isJsonObject(each) ? each : {};
    return isFilledText(label) && isFilledText(value) ? [{ index, label, value }] : [];
  });
}

/** Terms of one list with the same label. @param path of the `data` of the block */
export function termWarnings(block: GivenBlock, path: string): ErrorDetail[] {
  const terms = termsOf(block);
  return terms.flatMap(({ index, label }) => {
    const first = terms.find((each) => comparable(each.label) === comparable(label))!;
    if (first.index === index || !/\p{L}/u.test(label)) return [];
    const message = `is also the label of term ${first.index + 1}: people cannot tell which value is right`;
    return [{ path: `${path}/terms/${index}/label`, message }];
  });
}

type PlacedTerms = { path: string; page: number; heading: string; terms: readonly Term[] };

/**
 * Terms that two pages show with different values. The lists of two products can have the same labels, so the heading,
 * the labels and at least two other values must be the same. @param path of the template
 */
export function differentTermWarnings({ template_pages }: GivenTemplate, path: string): ErrorDetail[] {
  const lists: PlacedTerms[] = template_pages.flatMap(({ page }, index) =>
    (page && isPublished(page) ? page.content_blocks : []).map((block, at) => ({
      path: `${path}/template_pages/${index}/page/content_blocks/${at}/data/terms`,
      ...{ page: index, heading: comparable(textOf(block.data, ['heading']) ?? ''), terms: termsOf(block) },
    })),
  );
  return lists.flatMap((list, index) => {
    const found = lists.slice(0, index).flatMap((earlier) => {
      const term = list.heading !== '' && earlier.page !== list.page && differenceOf(earlier, list);
      return term ? [{ term, page: earlier.page }] : [];
    })[0];
    if (found === undefined) return [];
    const message = `is another value of "${found.term.label}" than on page ${found.page + 1}, where the other terms are the same: check which is right`;
    return [{ path: `${list.path}/${found.term.index}/value`, message }];
  });
}

/** The only term of the second list with another value than in the first. */
function differenceOf(first: PlacedTerms, second: PlacedTerms): Term | undefined {
  const values = new Map(first.terms.map(({ label, value }) => [comparable(label), value]));
  const isSameList =
    first.heading === second.heading &&
    first.terms.length === second.terms.length &&
    second.terms.every(({ label }) => values.has(comparable(label)));
  const different = second.terms.filter(
    ({ label, value }) => comparable(values.get(comparable(label)) ?? '') !== comparable(value),
  );
  const [term] = different;
  if (!isSameList || term === undefined || different.length > 1 || second.terms.length < 3) return undefined;
  return /\{\{/.test(term.value + values.get(comparable(term.label))) ? undefined : term;
}
