import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Whether a form may have come from a page of ours. Browsers say so in `Sec-Fetch-Site`; older ones in `Origin`, which is
 * `null` where the page sends no referrer, as ours do. What says nothing is let pass: it is no browser that a stranger's
 * page could use.
 */
export function isFromOwnPage({ headers }: APIGatewayProxyEventV2, baseAddress: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === new URL(baseAddress).origin;
}

/**
 * Whether another site's page sent the request. Browsers that do not say so by `Sec-Fetch-Site` name the page's origin,
 * which is `null` where it sends no referrer, as ours do not.
 */
export function isFromOtherSite({ headers }: APIGatewayProxyEventV2, baseAddress: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site';
  const { origin } = headers;
  return origin !== undefined && origin !== 'null' && origin !== new URL(baseAddress).origin;
}
