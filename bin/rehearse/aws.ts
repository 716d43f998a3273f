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

/** Ends the running instances of a function: the next call starts a new one, without anything cached. */
export async function restartFunction(name: string): Promise<void> {
  const { Environment } = await configurationOf(name);
  await configure(name, { Environment: { Variables: { ...Environment?.Variables, REHEARSAL: crypto.randomUUID() } } });
}

type Configuration = { Environment?: { Variables?: Record<string, string> }; Timeout?: number };

export const configurationOf = async (name: string): Promise<Configuration> =>
  get('lambda', `${functionPath(name)}/configuration`);

export const configure = (name: string, configuration: Configuration): Promise<void> =>
  put('lambda', `${functionPath(name)}/configuration`, configuration);

/** The only trigger of a function by a queue. */
export async function queueTriggerOf(name: string): Promise<{ UUID: string; EventSourceArn: string }> {
  type List = { EventSourceMappings: { UUID: string; EventSourceArn: string; FunctionArn: string }[] };
  const { EventSourceMappings } = await get<List>('lambda', '/2015-03-31/event-source-mappings/');
  const found = EventSourceMappings.find(({ FunctionArn }) => FunctionArn.split(':')[6] === name);
  if (!found) throw new CannotRun(`The function ${name} has no queue.`);
  return found;
}

export const enableTrigger = (id: string, Enabled: boolean): Promise<void> =>
  put('lambda', `/2015-03-31/event-source-mappings/${id}`, { Enabled });

const get = async <T>(service: string, path: string): Promise<T> =>
  (await (await send(service, path, { method: 'GET' })).json()) as T;

async function put(service: string, path: string, body: object): Promise<void> {
  await send(service, path, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

async function iam(action: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...fields }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await send('iam', '/', { method: 'POST', body, headers })).text();
}

export type Statement = {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
};
export type Policy = { Version: string; Statement: Statement[] };

/** The name of the only policy of each role of a function. */
const PolicyName = 'Function';

export async function policyOf(RoleName: string): Promise<Policy> {
  const text = await iam('GetRolePolicy', { RoleName, PolicyName });
  const document = /<PolicyDocument>([\s\S]*?)<\/PolicyDocument>/.exec(text)?.[1] ?? '';
  return JSON.parse(decodeURIComponent(unescaped(document))) as Policy;
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

export const putPolicy = async (RoleName: string, policy: Policy): Promise<void> =>
  void (await iam('PutRolePolicy', { RoleName, PolicyName, PolicyDocument: JSON.stringify(policy) }));
