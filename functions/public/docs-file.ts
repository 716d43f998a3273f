import { notFound } from '../../lib/domain/problem.ts';
import { type DocsFile, docsFiles } from '../../lib/http/docs.ts';
import type { Reply } from '../../lib/http/reply.ts';
import { rawHandler } from '../../lib/runtime/base.ts';
import { packageFile } from '../../lib/runtime/package-files.ts';

/** `gzip;q=0` asks not to be sent it. */
const gzipWelcome = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

export const handler = rawHandler('get-docs-file', async ({ pathParameters, headers }) => {
  const file = docsFiles.get(pathParameters?.file ?? '');
  if (!file) throw notFound();
  return {
    status: 200,
    ...contentOf(file, gzipWelcome.test(headers['accept-encoding'] ?? '')),
  };
});

/** The gateway compresses nothing by itself; in base64 the renderer is still a third of its plain text. */
function contentOf(file: DocsFile, gzip: boolean): Pick<Reply, 'content' | 'headers'> {
  const { type, keptFor } = file;
  const headers = { 'cache-control': `public, max-age=${keptFor}`, 'x-content-type-options': 'nosniff' };
  if ('text' in file) return { headers, content: { type, text: file.text } };
  const stored = packageFile(file.packageFile);
  const varying = { ...headers, vary: 'accept-encoding' };
  if (!gzip) return { headers: varying, content: { type, text: stored.text } };
  return {
    headers: { ...varying, 'content-encoding': 'gzip' },
    content: { type, text: stored.gzip.toString('base64'), base64: true },
  };
}
