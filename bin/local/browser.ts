import type { IncomingMessage } from 'node:http';

const ownHost = /^(?:127\.0\.0\.1|localhost):\d+$/i;

/**
 * Returns whether a web page sent this request. Browsers send the page's origin (`Origin`) or its relation to the target
 * (`Sec-Fetch-Site`). If a page's host name resolves to this machine (DNS rebinding), `Host` still has that name.
 */
export const isFromBrowser = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined || !ownHost.test(headers.host ?? '');
