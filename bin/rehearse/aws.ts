import { CannotRun } from './cannot-run.ts';

/** Requests to the emulator for which the project needs no AWS client. The root user's signature is not checked. */

const authorization = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=none`;

async function send(service: string, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), authorization: authorization(service) };
  const response = await fetch(`${process.env.AWS_ENDPOINT_URL}${path}`, { ...init, headers });
  if (!response.ok)
    throw new CannotRun(`${service} ${path.split('?')[0]}: ${response.status} ${await response.text()}`);
  return response;
}

const functionPath = (name: string) => `/2015-03-31/functions/${encodeURIComponent(name)}`;

/** Invokes a function and waits for its end. @throws Error with the message of the function */
export async function invokeFunction(name: string, event: object): Promise<unknown> {
  const init = { method: 'POST', body: JSON.stringify(event), headers: { 'content-type': 'application/json' } };
  const response = await send('lambda', `${functionPath(name)}/invocations`, init);
  const result = await response.text();
  if (response.headers.has('x-amz-function-error')) throw new Error(`the function failed: ${result.slice(0, 300)}`);
  return result === '' ? undefined : JSON.parse(result);
}
