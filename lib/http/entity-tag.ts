import type { Event, Result } from './request.ts';

/**
 * Entity tags (RFC 9110, section 8.8.3; contract, section 1). All are strong. The compressed form of a response is
 * another representation, so its tag ends in `-gzip`.
 */

/** The tag of a contact. The time distinguishes a contact from one that was deleted and created again. */
export const contactTag = (version: number, { updated_at }: { updated_at: string }): string =>
  `"${version}-${updated_at.replaceAll(/\D/g, '')}"`;

/** True if `If-Match` is absent or matches the current tag. */
export function isExpected({ headers }: Event, current: string): boolean {
  const header = headers['if-match'];
  return header === undefined || names(header, current, { weakly: false });
}

/** Adds a tag to a response that has none. Responds 304 if the client already has this representation. */
export async function tagged(response: Result, event: Event): Promise<Result> {
  if (response.statusCode !== 200) return response;
  const tag = String(response.headers?.etag ?? (await textTag(response.body ?? '')));
  const headers: Result['headers'] = { ...response.headers, etag: tag };
  const sent = event.headers['if-none-match'];
  const isRead = ['GET', 'HEAD'].includes(event.requestContext.http.method);
  if (!isRead || sent === undefined || !names(sent, tag, { weakly: true })) return { ...response, headers };
  const { 'content-type': _, ...kept } = headers;
  return { statusCode: 304, headers: kept };
}

/** The tag of a compressed representation. */
export const compressedTag = (tag: string): string => tag.replace(/"$/, '-gzip"');

async function textTag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `"${Buffer.from(digest).toString('base64url').slice(0, 27)}"`;
}

/** True if the header is `*` or lists the tag, as such or with `-gzip`. */
function names(header: string, tag: string, { weakly }: { weakly: boolean }): boolean {
  if (header.trim() === '*') return true;
  const sent = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return sent.some((each) => {
    const strong = weakly ? each.replace(/^W\//, '') : each;
    return strong === tag || strong === compressedTag(tag);
  });
}
