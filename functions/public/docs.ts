import { docsPage, docsPolicy } from '../../lib/http/docs.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import { cachedFor, pageReply } from '../../lib/http/reply.ts';
import { requests } from '../../lib/runtime/base.ts';

const headers = { ...cachedFor(300), 'content-security-policy': docsPolicy, 'referrer-policy': 'no-referrer' };

export const handler = httpHandler(requests, 'get-docs', () => pageReply(200, { html: docsPage, headers }));
