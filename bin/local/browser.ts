import type { IncomingMessage } from 'node:http';

const ownHost = /^(?:127\.0\.0\.1|localhost):\d+$/i;

/**
 * Whether a web page sent this request. Browsers name the page's origin (`Origin`), or at least how it relates to ours
 * (`Sec-Fetch-Site`); a page whose own host name was made to resolve to this machine still sends that name as `Host`.
 */
export const isFromBrowser = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined || !ownHost.test(headers.host ?? '');
