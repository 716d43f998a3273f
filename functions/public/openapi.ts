import { getOpenapi } from '../../lib/http/contracts/public.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { cacheable } from '../../lib/http/reply.ts';
import { handlerFor, runtime } from '../../lib/runtime.ts';

let document: ReturnType<typeof openApiDocument> | undefined;

export const handler = handlerFor(getOpenapi, () => {
  document ??= openApiDocument(runtime().environment.ISSUER);
  return cacheable(document, 300);
});
