import type { Event } from '../../../lib/http/request.ts';

type Fields = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
  rawQueryString?: string;
  pathParameters?: Record<string, string>;
  routeKey?: string;
  rawPath?: string;
};

/** A request as API Gateway passes it to a function. */
export const eventOf = ({ method = 'GET', headers = {}, rawQueryString = '', ...others }: Fields = {}): Event =>
  ({
    headers,
    rawQueryString,
    ...(rawQueryString === ''
      ? {}
      : { queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)) }),
    isBase64Encoded: false,
    routeKey: 'GET /v1/contacts/{id}',
    ...others,
    requestContext: { requestId: 'request-1', http: { method } },
  }) as unknown as Event;
