import { type Middleware, onResponse } from './middleware.ts';

/** Adds the headers of every response (contract, section 1). A header that the reply sets has precedence. */
export const responseHeaders = (dependencies: () => { baseUrl: string }, isPrivate: boolean): Middleware =>
  onResponse((response, { event }) => {
    const isSecure = dependencies().baseUrl.startsWith('https:');
    const headers = {
      'x-request-id': event.requestContext.requestId,
      'x-content-type-options': 'nosniff',
      ...(isPrivate ? { 'cache-control': 'no-store' } : {}),
      ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    };
    return { ...response, headers: { ...headers, ...response.headers } };
  });
