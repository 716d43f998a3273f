import type { FileType } from '../domain/team-file.ts';

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
