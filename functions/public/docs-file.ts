import { notFound } from '../../lib/domain/values/problem.ts';
import { acceptsGzip } from '../../lib/http/compression.ts';
import { type DocsFile, docsFiles, docsHeaders, guides } from '../../lib/http/docs.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import { cachedFor, pageReply, type Reply } from '../../lib/http/reply.ts';
import { requests } from '../../lib/runtime/base.ts';
import { packageFile } from '../../lib/runtime/package-files.ts';

export const handler = httpHandler(requests, 'get-docs-file', async (event) => {
  const name = event.pathParameters?.file ?? '';
  if (guides.has(name)) {
    const { guidePage } = await import('../../lib/http/guides.ts');
    return pageReply(200, { html: guidePage(name, (path) => packageFile(path).text), headers: docsHeaders });
  }
  const file = docsFiles.get(name);
  if (!file) throw notFound();
  return replyWith(file, acceptsGzip(event));
});

/** API Gateway does not compress responses. Compressed and in base64, the renderer has a third of its original size. */
function replyWith(file: DocsFile, gzip: boolean): Reply {
  const { type, keptFor } = file;
  const headers = cachedFor(keptFor);
  if ('text' in file) return { status: 200, headers, content: { type, text: file.text } };
  const stored = packageFile(file.packageFile);
  const varying = { ...headers, vary: 'accept-encoding' };
  if (!gzip) return { status: 200, headers: varying, content: { type, text: stored.text } };
  return {
    status: 200,
    headers: { ...varying, 'content-encoding': 'gzip' },
    content: { type, text: stored.gzip.toString('base64'), base64: true },
  };
}
