import { asks, blockKindOf, blockTypeName } from '../../lib/domain/content/block-types.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { pathOfNamedFile } from '../../lib/domain/team-file.ts';
import { isImageData } from '../../lib/web/links.ts';
import { type GivenBlock, type GivenPage, memberOf, textOf } from './given.ts';

/** Several blocks of a page that the first of them completes. @param path of the blocks */
export function severalWarnings(
  blocks: readonly GivenBlock[],
  path: string,
  condition: GivenPage['completion_condition'],
): ErrorDetail[] {
  if (condition !== 'confirm' && condition !== 'action') return [];
  const links = condition === 'action' ? blocks.filter((block) => blockKindOf(block.type) === 'call') : [];
  const all = blocks.filter((block) => asks(block.type) || links.includes(block));
  if (all.length < 2 || !blocks.some(({ type }) => asks(type))) return [];
  const message = `has ${all.length} blocks that ask: ${all.map(titleOf).join(', ')}. The first answer completes the page, and the others can stay open. Put each on a page of its own`;
  return [{ path, message }];
}

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

/** A signature that anybody with the link can give, because no proof of identity is asked for. @param path of the block */
export function unprovedWarnings({ type }: GivenBlock, path: string): ErrorDetail[] {
  const message =
    'asks for a signature, but anybody with the link can sign in the name of the person: set `is_auth_required` of the template to true, or show a private value such as `{{birthdate}}` on the page';
  return blockTypeName(type) === 'signature' ? [{ path: `${path}/type`, message }] : [];
}

/** What is missing in an agreement or a signature. @param path of its `data` */
export function consentWarnings({ type, data }: GivenBlock, path: string): ErrorDetail[] {
  const isUnsaid = blockKindOf(type) === 'agreement' && !textOf(data, ['agreementText', 'body']);
  const isUnnamed = blockTypeName(type) === 'signature' && !textOf(data, ['signatureBoxText']);
  return [
    ...(isUnsaid ? ['has no `agreementText`: the page does not say what the person agrees to'] : []),
    ...(isUnnamed ? ['has no `signatureBoxText`, so no name is asked: write the label of the field'] : []),
  ].map((message) => ({ path, message }));
}

/** An image that is missing or not described. @param path of the `data` of its block */
export function imageWarnings(data: GivenBlock['data'], path: string): ErrorDetail[] {
  const [file, source] = [memberOf(data, 'file_id'), textOf(data, ['src', 'url', 'data'])];
  if (source === undefined && (file ?? null) === null) {
    return [
      {
        path,
        message: 'has no image: store it with `file put`, and write the id that the command prints into `file_id`',
      },
    ];
  }
  const isDescribed = ['altText', 'alt'].some((name) => typeof memberOf(data, name) === 'string');
  const isShown = pathOfNamedFile(file) !== undefined || (source !== undefined && isImageData(source));
  if (isDescribed || !isShown) return [];
  return [{ path, message: 'has no `altText`: describe the image in it, or write "" if the image is a decoration' }];
}
