import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { pathOfNamedFile } from '../../lib/domain/team-file.ts';
import { isImageData } from '../../lib/web/links.ts';
import { type GivenBlock, memberOf, textOf } from './given.ts';

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
