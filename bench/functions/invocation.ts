import type { LocalDescription } from '../../bin/local/data-directory.ts';

/** A request to a function, and the status of its response. */
export type Invocation = {
  id: string;
  method: string;
  path: string;
  pathParameters?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
  status: number;
};

/** The event of API Gateway for the request. */
export function eventOf({ method, path, pathParameters, headers = {}, body }: Invocation, baseUrl: string) {
  const { host } = new URL(baseUrl);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { host, ...headers },
    pathParameters,
    requestContext: { requestId: 'cold-start', http: { method, path, sourceIp: '127.0.0.1' }, stage: '$default' },
    body,
    isBase64Encoded: false,
  };
}

/** The environment of a function that uses the table of the local service. */
export const environmentOf = (local: LocalDescription) => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: local.dynamodb_endpoint,
  TABLE_NAME: local.table_name,
  ISSUER: local.base_url,
  LOG_LEVEL: 'ERROR',
});
