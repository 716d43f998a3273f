import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** True if a browser loads the URL as an image of this service's page. Link scanners, which follow URLs, do not count. */
export const isImageOfOwnPage = ({ headers }: APIGatewayProxyEventV2): boolean =>
  headers['sec-fetch-dest'] === 'image' && headers['sec-fetch-site'] === 'same-origin';

/** A GIF with one transparent pixel. */
const pixel = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

export const viewImage = {
  status: 200,
  headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  content: { type: 'image/gif', text: pixel, base64: true },
} as const;
