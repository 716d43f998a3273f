import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { gatewayMethods, groupOf, type Route, type RouteGroup } from '../../../lib/route.ts';

/** What API Gateway's HTTP API and its functions send each other (payload format 2.0). */

export type Match = {
  /** The id of the function. */
  id: string;
  routeKey: string;
  group: RouteGroup;
  parameters?: Record<string, string>;
};
export type Router = (method: string, path: readonly string[]) => Match;

/**
 * Finds routes as API Gateway does: a literal segment has priority over a parameter, from left to right, and the
 * fallback is `$default`. Each method of a path is a route of its own.
 */
export function createRouter(routes: readonly Route[], fallback: string): Router {
  const entries = routes
    .flatMap((route) => gatewayMethods(route).map((method) => ({ route, method, segments: route.path.split('/') })))
    .sort((left, right) => rank(left.segments).localeCompare(rank(right.segments)));
  return (method, path) => {
    const entry = entries.find((each) => ['ANY', method].includes(each.method) && matches(each.segments, path));
    if (!entry) return { id: fallback, routeKey: '$default', group: 'public' };
    const { route, segments } = entry;
    const parameters = segments.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), path[at]!]] : [],
    );
    return {
      id: route.id,
      routeKey: `${entry.method} ${route.path}`,
      group: groupOf(route),
      ...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
    };
  };
}

const isParameter = (segment: string) => segment.startsWith('{');
const rank = (segments: readonly string[]) => segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

const matches = (segments: readonly string[], path: readonly string[]) =>
  segments.length === path.length &&
  segments.every((segment, at) => (isParameter(segment) ? path[at] !== '' : segment === path[at]));

export type Target = {
  /** Decoded segments of the path. The first one is empty. */
  segments: string[];
  rawQuery: string;
};

/** `undefined` if the path is not percent-encoded UTF-8. */
export function targetOf(url: string): Target | undefined {
  // A request through a proxy has the absolute form, with scheme and host.
  const origin = /^https?:\/\/[^/?]*/i.exec(url)?.[0] ?? '';
  const [path = '', ...rest] = url.slice(origin.length).split('?');
  try {
    return { segments: (path || '/').split('/').map(decodeURIComponent), rawQuery: rest.join('?') };
  } catch {
    return undefined;
  }
}

export type EventRequest = Pick<IncomingMessage, 'method' | 'httpVersion' | 'headersDistinct'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>;
};
export type RequestFacts = { target: Target; match: Match; body: Buffer; requestId: string };

/** The event for a function. Names of headers are in lower case, what is repeated is joined by commas. */
export function httpEvent(request: EventRequest, { target, match, body, requestId }: RequestFacts) {
  const { cookie = [], ...sent } = request.headersDistinct;
  const address = request.socket.remoteAddress ?? '';
  const headers: Record<string, string> = {
    ...joined(Object.entries(sent).map(([name, values]) => [name, values!])),
    'x-forwarded-for': [...(sent['x-forwarded-for'] ?? []), address].join(', '),
    'x-forwarded-port': String(request.socket.localPort ?? ''),
    'x-forwarded-proto': 'http',
  };
  const cookies = cookie.flatMap((value) => value.split(/;\s*/)).filter((each) => each !== '');
  const search = new URLSearchParams(target.rawQuery);
  // In HTTP APIs `rawPath` is decoded, despite its name. The query string is not.
  const path = target.segments.join('/');
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const at = new Date();
  const { routeKey, parameters } = match;
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: target.rawQuery,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(search.size > 0
      ? { queryStringParameters: joined([...search.keys()].map((name) => [name, search.getAll(name)])) }
      : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: host.split('.', 1)[0] ?? '',
      http: {
        method: request.method ?? '',
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: address,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(at),
      timeEpoch: at.getTime(),
    },
    ...(parameters ? { pathParameters: parameters } : {}),
    ...bodyOf(body, headers),
  } satisfies APIGatewayProxyEventV2;
}

const joined = (pairs: (readonly [string, readonly string[]])[]): Record<string, string> =>
  Object.fromEntries(pairs.map(([name, values]) => [name, values.join(',')]));

const textType = /^(text\/.*|application\/(.*\+)?(json|xml)|application\/javascript)$/;

/**
 * Text is passed as text, everything else (also a form) in base64. Text with invalid UTF-8 is passed in base64 too, which
 * loses nothing; what API Gateway does with it is not documented.
 */
function bodyOf(
  body: Buffer,
  headers: Record<string, string>,
): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body.length === 0) return { isBase64Encoded: false };
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isDeclared = type !== undefined && textType.test(type);
  const isText = isDeclared && (headers['content-encoding'] ?? 'identity') === 'identity' && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** Example: `12/Mar/2026:19:03:58 +0000`. */
function commonLogTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

export type GatewayResponse = { status: number; headers: Headers; body: Buffer };

/** A response of API Gateway itself, in its own format. */
export const gatewayResponse = (status: number, message: string): GatewayResponse => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: Buffer.from(JSON.stringify({ message })),
});

/** The maximum size of a function's response as JSON. */
const maxResponseBytes = 6 * 1024 * 1024;

/** Headers of the connection, which the gateway sets. */
const notForwarded = ['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade'];

/**
 * Interprets a function's response as API Gateway does: without a `statusCode` the whole value is the body of a 200. Of
 * two names of headers that differ only in case, the later one is used.
 * @throws if the response is invalid
 */
export function responseOf(result: unknown): GatewayResponse {
  const text = JSON.stringify(result) ?? 'null';
  if (Buffer.byteLength(text) > maxResponseBytes) throw new Error('the response is too large');
  if (!isStructured(result)) {
    const body = Buffer.from(typeof result === 'string' ? result : text);
    return { status: 200, headers: new Headers({ 'content-type': 'application/json' }), body };
  }
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error('the response has no valid status');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const headers = new Headers();
  for (const [name, value] of Object.entries(result.headers ?? {})) headers.set(name, String(value));
  for (const name of notForwarded) headers.delete(name);
  for (const cookie of result.cookies ?? []) headers.append('set-cookie', cookie);
  if (body.length > 0 && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  return { status, headers, body };
}

type Structured = {
  statusCode: unknown;
  headers?: Record<string, unknown>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
};

const isStructured = (result: unknown): result is Structured =>
  typeof result === 'object' && result !== null && 'statusCode' in result;
