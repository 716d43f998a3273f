import recorded from '../../examples/exchanges.json' with { type: 'json' };
import { getOpenapi } from '../../lib/http/contracts/public.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';

let document: ReturnType<typeof openApiDocument> | undefined;

export const handler = publicEndpoint(getOpenapi, () => {
  document ??= openApiDocument(environment().ISSUER, { recorded });
  return reply(200, document, cachedFor(300));
});
