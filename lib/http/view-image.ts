import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Whether a browser loads the address as an image of a page of ours: following it, as link scanners do, does not count. */
export const isImageOfOwnPage = ({ headers }: APIGatewayProxyEventV2): boolean =>
  headers['sec-fetch-dest'] === 'image' && headers['sec-fetch-site'] === 'same-origin';

/** The smallest image that there is: one pixel of nothing. */
const pixel = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

export const viewImage = {
  status: 200,
  headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  content: { type: 'image/gif', text: pixel, base64: true },
} as const;
