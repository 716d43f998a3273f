import type { FileType } from '../domain/teams/team-file.ts';
import type { Event } from './request.ts';
import { isVisit } from './same-site.ts';

/** True if a browser loads the URL as an image of this service's page. Link scanners, which follow URLs, do not count. */
export const isImageOfOwnPage = (event: Event): boolean =>
  event.headers['sec-fetch-dest'] === 'image' && event.headers['sec-fetch-site'] === 'same-origin' && isVisit(event);

/** A GIF with one transparent pixel. */
const pixel = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

export const viewImage = {
  status: 200,
  headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  content: { type: 'image/gif', text: pixel, base64: true },
} as const;

/** For an SVG that is opened as a document: it runs nothing, loads nothing and has a separate origin. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The id identifies the content, so it is also the entity tag, and the response never changes. */
export const imageReply = <Type extends FileType>(fileId: string, type: Type, bytes: Uint8Array) => ({
  status: 200 as const,
  headers: {
    etag: `"${fileId}"`,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
  },
  content: { type, text: Buffer.from(bytes).toString('base64'), base64: true },
});
