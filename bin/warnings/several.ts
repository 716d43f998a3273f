import { blockKindOf } from '../../lib/domain/content/block-types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { asks } from '../../lib/web/blocks/blocks.ts';
import { callOfBlock, isCompleting } from './completion.ts';
import { type GivenBlock, type GivenPage, memberOf, textOf } from './given.ts';

/** Several blocks of a page that the first of them completes. @param path of the blocks */
export function severalWarnings(
  blocks: readonly GivenBlock[],
  path: string,
  condition: GivenPage['completion_condition'],
  variables: JsonObject,
): ErrorDetail[] {
  if (condition !== 'confirm' && condition !== 'action') return [];
  const links = condition === 'action' ? blocks.filter((block) => blockKindOf(block.type) === 'call') : [];
  if (!blocks.some(asks)) {
    return severalButtons(
      links.filter((block) => isCompleting(block, condition, variables)),
      path,
    );
  }
  const all = blocks.filter((block) => asks(block) || links.includes(block));
  if (all.length < 2) return [];
  const message = `has ${all.length} blocks that ask: ${all.map(titleOf).join(', ')}. The first answer completes the page, and the others can stay open. Put each on a page of its own`;
  return [{ path, message }];
}

/** The same button can be shown twice, and ways to call or to get an app are a choice. */
function severalButtons(buttons: readonly GivenBlock[], path: string): ErrorDetail[] {
  const urls = new Set(buttons.map((block) => callOfBlock(block)?.url));
  if (urls.size < 2 || [...urls].every((url) => url !== undefined && choices.test(url))) return [];
  const message = `has ${buttons.length} buttons: ${buttons.map(titleOf).join(', ')}. Each of them completes the page. If only one is the action, make the others blocks of the type document_link, whose links complete nothing`;
  return [{ path, message }];
}

const choices = /^(?:tel:|mailto:|https:\/\/(?:apps\.apple|play\.google)\.com\/)/i;

/** Whether a survey has a question that must be answered. */
export function hasRequiredQuestion(data: GivenBlock['data']): boolean {
  const questions: JsonValue | undefined = memberOf(data, 'questions');
  return Array.isArray(questions) && questions.some((each) => isJsonObject(each) && each.required === true);
}

/** How a warning names a block. */
function titleOf({ type, data }: GivenBlock): string {
  const title = textOf(data, ['heading', 'name', 'text', 'agreementText']);
  return title === undefined ? `\`${type}\`` : `\`${type}\` "${title.length > 40 ? `${title.slice(0, 40)}…` : title}"`;
}
