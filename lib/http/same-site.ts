import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * True if a form may come from a page of this service. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`.
 * `Origin` is `null` if the page sends no referrer, as the pages of this service do. A request with neither header is
 * accepted: it is not from a browser, so no other site can have caused it.
 */
export function isFromOwnPage({ headers }: APIGatewayProxyEventV2, baseAddress: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === new URL(baseAddress).origin;
}

/**
 * True if a page of another site sent the request. Browsers without `Sec-Fetch-Site` send the origin of the page, which
 * is `null` if the page sends no referrer, as the pages of this service do.
 */
export function isFromOtherSite({ headers }: APIGatewayProxyEventV2, baseAddress: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site';
  const { origin } = headers;
  return origin !== undefined && origin !== 'null' && origin !== new URL(baseAddress).origin;
}
