import { blockKindOf } from '../../domain/content/block-types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { asks } from '../blocks/blocks.ts';
import { callOfBlock } from './calls.ts';
import { isCompleting } from './completion.ts';
import type { GivenBlock, GivenPage } from './given.ts';
import { memberOf, textOf } from './members.ts';
import { questionNames } from './questions.ts';

/** Several blocks of a page that the first of them completes. @param path of the blocks */
export function severalWarnings(
  blocks: readonly GivenBlock[],
  path: string,
  condition: GivenPage['completion_condition'],
  variables: JsonObject,
): ErrorDetail[] {
  if (!isCompletedByAnswer(condition)) return [];
  const links = condition === 'action' ? blocks.filter((block) => blockKindOf(block.type) === 'call') : [];
  const asking = blocks.filter(asks);
  if (asking.length === 0) {
    const buttons = links.filter((block) => isCompleting(block, condition, variables));
    return severalButtons(buttons, path);
  }
  const all = blocks.filter((block) => asking.includes(block) || links.includes(block));
  if (all.length < 2) return [];
  const message = `has ${all.length} blocks that ask: ${all.map(titleOf).join(', ')}. The first answer completes the page, and the others can stay open. Put each on a page of its own`;
  return [{ path, message }];
}

/** The same button can be shown twice, and ways to call or to get an app are meant as a choice. */
function severalButtons(buttons: readonly GivenBlock[], path: string): ErrorDetail[] {
  const urls = new Set(buttons.map((block) => callOfBlock(block)?.url));
  if (urls.size < 2 || [...urls].every((url) => url !== undefined && choices.test(url))) return [];
  const message = `has ${buttons.length} buttons: ${buttons.map(titleOf).join(', ')}. Each of them completes the page. If only one is the action, make the others blocks of the type document_link, whose links complete nothing`;
  return [{ path, message }];
}

const choices = /^(?:tel:|mailto:|https:\/\/(?:apps\.apple|play\.google)\.com\/)/i;

const isCompletedByAnswer = (condition: string | null): boolean => condition === 'confirm' || condition === 'action';

/**
 * The content of a channel that completes a page whose own questions stay open. A container that asks the same is the
 * normal case. @param path of the blocks of the container
 */
export function bypassWarnings(
  page: GivenPage,
  blocks: readonly GivenBlock[],
  path: string,
  variables: JsonObject,
): ErrorDetail[] {
  const { completion_condition: condition, content_blocks } = page;
  const own = isCompletedByAnswer(condition) ? content_blocks.filter(mustBeAnswered) : [];
  const completing = blocks.filter((block) => isCompleting(block, condition, variables));
  const isSeveral = completing.length > 1 && completing.some(asks);
  const [first] = completing;
  // Several blocks that ask have a warning of their own.
  if (own.length === 0 || first === undefined || isSeveral || own.some((each) => asksSame(each, first))) return [];
  const how = asks(first) ? 'answered' : 'followed';
  const message = `completes the page when it is ${how}, and ${own.map(titleOf).join(', ')} of the page itself can stay open: ask the same here, or write a button with the \`url\` "{{journey_url}}"`;
  return [{ path: `${path}/${blocks.indexOf(first)}`, message }];
}

/** A survey without required questions can be left out. */
const mustBeAnswered = (block: GivenBlock): boolean =>
  asks(block) && (blockKindOf(block.type) !== 'survey' || requiredQuestions(block.data).length > 0);

/** Whether the answer to one block is also that to the other: the same words and signature, or the required questions. */
function asksSame(own: GivenBlock, other: GivenBlock): boolean {
  const isSurvey = blockKindOf(own.type) === 'survey';
  if (!asks(other) || isSurvey !== (blockKindOf(other.type) === 'survey')) return false;
  if (isSurvey) return requiredQuestions(own.data).every((text) => requiredQuestions(other.data).includes(text));
  return consentOf(own) === consentOf(other);
}

/** What is agreed to, and whether a name is typed. A confirmation that only has a button agrees to nothing. */
const consentOf = ({ type, data }: GivenBlock): string => {
  const names = blockKindOf(type) === 'agreement' ? ['agreementText', 'body'] : ['agreementText'];
  return JSON.stringify([textOf(data, names)?.trim(), textOf(data, ['signatureBoxText']) !== undefined]);
};

/** The texts of the questions of a survey that must be answered. */
export const requiredQuestions = (data: GivenBlock['data']): (string | undefined)[] => {
  const questions: JsonValue | undefined = memberOf(data, 'questions');
  return (Array.isArray(questions) ? questions : []).flatMap((each) =>
    isJsonObject(each) && each.required === true ? [textOf(each, questionNames)?.trim()] : [],
  );
};

/** How a warning names a block. */
function titleOf({ type, data }: GivenBlock): string {
  const title = textOf(data, ['heading', 'name', 'text', 'agreementText']);
  return title === undefined ? `\`${type}\`` : `\`${type}\` "${title.length > 40 ? `${title.slice(0, 40)}…` : title}"`;
}
