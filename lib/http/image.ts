import type { ImageType } from '../domain/team-file.ts';

/** An SVG that is opened by itself is a document: it runs nothing, loads nothing and has an origin of its own. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The id is that of the content, so it is the entity tag too, and nothing of the response ever changes. */
export const imageReply = <Type extends ImageType>(fileId: string, type: Type, bytes: Uint8Array) => ({
  status: 200 as const,
  headers: {
    etag: `"${fileId}"`,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
  },
  content: { type, text: Buffer.from(bytes).toString('base64'), base64: true },
});
