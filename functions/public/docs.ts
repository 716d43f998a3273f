import { docsHeaders, docsPage } from '../../lib/http/docs.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import { pageReply } from '../../lib/http/reply.ts';
import { requests } from '../../lib/runtime/base.ts';

export const handler = httpHandler(requests, 'get-docs', () =>
  pageReply(200, { html: docsPage, headers: docsHeaders }),
);
