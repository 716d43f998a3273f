import { docsPage, docsPolicy } from '../../lib/http/docs.ts';
import { rawHandler } from '../../lib/runtime/base.ts';

export const handler = rawHandler('get-docs', async () => ({
  status: 200,
  content: { type: 'text/html; charset=utf-8', text: docsPage },
  headers: {
    'cache-control': 'public, max-age=300',
    'content-security-policy': docsPolicy,
    'referrer-policy': 'no-referrer',
  },
}));
