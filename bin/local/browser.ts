import type { IncomingMessage } from 'node:http';

const ownHost = /^(?:127\.0\.0\.1|localhost):\d+$/i;

/** False if a web page's own host name resolves to this machine (DNS rebinding): `Host` still has that name. */
export const hasOwnHost = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => ownHost.test(headers.host ?? '');

/**
 * Returns whether a web page sent this request. Browsers send the page's origin (`Origin`) or its relation to the target
 * (`Sec-Fetch-Site`).
 */
export const isFromBrowser = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined || !hasOwnHost(request);
