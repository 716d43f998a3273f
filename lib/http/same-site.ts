import type { Event } from './request.ts';

/**
 * Browsers name the site of the page that sends a request in `Sec-Fetch-Site`, older ones in `Origin`, which is `null` if
 * the page sends no referrer, as the pages of this service do. A request with neither header is not from a browser, so
 * no other site can have caused it.
 */
const hasOwnOrigin = ({ headers: { origin } }: Event, baseUrl: string): boolean =>
  origin === undefined || origin === 'null' || origin === new URL(baseUrl).origin;

/** False for a HEAD request, and for what a browser loads before a visit. These record nothing (contract, section 10). */
export const isVisit = ({ headers, requestContext }: Event): boolean =>
  requestContext.http.method !== 'HEAD' && headers['sec-purpose'] === undefined && headers.purpose === undefined;

/** True if a form may come from a page of this service. */
export function isFromOwnPage(event: Event, baseUrl: string): boolean {
  const site = event.headers['sec-fetch-site'];
  return site === undefined ? hasOwnOrigin(event, baseUrl) : site === 'same-origin';
}

/** True if a page of another site sent the request. */
export function isFromOtherSite(event: Event, baseUrl: string): boolean {
  const site = event.headers['sec-fetch-site'];
  return site === undefined ? !hasOwnOrigin(event, baseUrl) : site === 'cross-site';
}
