import * as z from 'zod';
import { isUuid, uuid } from '../values/uuid.ts';

/** The types of image that a team can use on its pages. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The types of files that a team can keep: images, and fonts for its pages. */
const fileTypes = [...imageTypes, 'font/woff2'] as const;
export type FileType = (typeof fileTypes)[number];

/** With base64 and headers, an image of this size fits into a function's response of 6 MB. */
export const maxImageBytes = 2 * 1024 * 1024;

/** An image or font of a team. Anyone who has its id can read it. */
export const teamFileSchema = z.object({
  file_id: uuid(),
  team_id: uuid(),
  type: z.enum(fileTypes),
  bytes: z.int(),
  /** The name of the file that was stored, without its folder. */
  name: z.string(),
  inserted_at: z.string(),
});
export type TeamFile = z.output<typeof teamFileSchema>;

export const filePath = (fileId: string): string => `/files/${fileId}`;

/** The path of the file that content names. Undefined if the value cannot be the id of a file. */
export function pathOfNamedFile(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : '';
  return isUuid(id) ? filePath(id) : undefined;
}

const startsWith = (bytes: Uint8Array, signature: readonly number[], offset = 0): boolean =>
  signature.every((byte, at) => bytes[offset + at] === byte);
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const signatures: readonly (readonly [ImageType, (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => startsWith(bytes, ascii('GIF87a')) || startsWith(bytes, ascii('GIF89a'))],
  ['image/webp', (bytes) => startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)],
  ['image/svg+xml', isMarkup],
];

/** The type by the content, not by the name. Any markup is SVG here; `svgError` checks whether it is allowed. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined =>
  signatures.find(([, matches]) => matches(bytes))?.[0];

const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The type of a file that a team can keep: an image or a font. */
export const fileTypeOf = (bytes: Uint8Array): FileType | undefined =>
  startsWith(bytes, ascii('wOF2')) ? 'font/woff2' : imageTypeOf(bytes);

/** True if the first character, after a byte order mark and spaces, opens an element. */
function isMarkup(bytes: Uint8Array): boolean {
  const from = startsWith(bytes, [0xef, 0xbb, 0xbf]) ? 3 : 0;
  const first = bytes.subarray(from).find((byte) => !blanks.has(byte));
  return first === 0x3c;
}

const extensions: Record<FileType, readonly string[]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
  'font/woff2': ['woff2'],
};

/** True if the extension of the name matches the type. */
export const hasExtensionOf = (type: FileType, name: string): boolean =>
  extensions[type].includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
