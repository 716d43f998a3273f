import type { ErrorDetail } from '../../domain/problem.ts';
import { imageTypeOf, pathOfNamedFile } from '../../domain/team-file.ts';
import { isImageData } from '../links.ts';
import type { GivenBlock } from './given.ts';
import { memberOf, textOf } from './members.ts';

/** An image that is missing, cannot be shown or is not described. @param path of the `data` of its block */
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
  const alt = ['altText', 'alt'].map((name) => memberOf(data, name)).find((each) => typeof each === 'string');
  if (typeof alt === 'string' && isFileName(alt)) {
    return [{ path, message: `has the name of a file as its description, \`${alt}\`: describe what the image shows` }];
  }
  const isShown = pathOfNamedFile(file) !== undefined || (source !== undefined && isImageData(source));
  if (pathOfNamedFile(file) === undefined && source !== undefined && !isImageOfItsType(source)) {
    return [
      { path, message: 'has an image that is not complete, or of another type: store the image with `file put`' },
    ];
  }
  if (alt !== undefined || !isShown) return [];
  return [{ path, message: 'has no `altText`: describe the image in it, or write "" if the image is a decoration' }];
}

const isFileName = (text: string): boolean =>
  /^\S+\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|heic)$/i.test(text.trim());

/** The other types have no signature that is known here. */
function isImageOfItsType(source: string): boolean {
  const [, type, data = ''] = /^data:(image\/(?:png|jpeg|gif|webp));base64,(.*)/is.exec(source) ?? [];
  if (type === undefined) return true;
  const bytes = Buffer.from(data.replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/'), 'base64');
  return imageTypeOf(bytes) === type.toLowerCase() && hasEnd(bytes);
}

/** False for an image of which only the beginning was copied. The end of a GIF is not marked clearly. */
function hasEnd(bytes: Buffer): boolean {
  switch (imageTypeOf(bytes)) {
    case 'image/png':
      return bytes.includes('IEND');
    case 'image/jpeg':
      // A small image within it has an end of its own.
      return bytes.lastIndexOf('ffd9', undefined, 'hex') > bytes.lastIndexOf('ffda', undefined, 'hex');
    case 'image/webp':
      return bytes.length >= 12 && bytes.length >= bytes.readUInt32LE(4) + 8;
    default:
      return true;
  }
}
