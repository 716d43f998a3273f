import { blockKindOf } from '../../domain/content/block-types.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { longestLabel } from '../blocks/consent.ts';
import { blocksOf } from './classes.ts';
import type { GivenBlock, GivenTemplate } from './given.ts';

/** Translations of a text that is the label of a button, and that are too long for it. @param path of the template */
export function labelWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const labels = new Set(blocksOf(template).flatMap((block) => labelOf(block) ?? []));
  return Object.entries(template.translations ?? {}).flatMap(([language, given]) =>
    Object.entries(given)
      .filter(([text, translation]) => labels.has(text) && translation.length > longestLabel)
      .map(([text, translation]) => ({
        path: `${path}/translations${pointer([language, text])}`,
        message: `is too long for a button: it has ${translation.length} characters, and a button shows at most ${longestLabel}. The page shows it above a button with words of the page`,
      })),
  );
}

/** The text that is the label of the button of an agreement. */
function labelOf({ type, data }: GivenBlock): string | undefined {
  const kind = blockKindOf(type);
  const text = data?.agreementText ?? undefined;
  const isLabel = kind === 'agreement' || (kind === 'confirmation' && !hasOwnLabel(data));
  return isLabel && text !== undefined && text.length <= longestLabel ? text : undefined;
}

const hasOwnLabel = (data: GivenBlock['data']): boolean =>
  ['text', 'label', 'buttonText'].some((name) => typeof data?.[name] === 'string' && data[name].trim() !== '');
