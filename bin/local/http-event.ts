import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Match } from './routing.ts';

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

export type RequestFacts = { target: Target; match: Match; body: Buffer; requestId: string; at: Date };

/** The event that API Gateway's HTTP API sends to a function (payload format 2.0). */
export function httpEvent(request: IncomingMessage, facts: RequestFacts): APIGatewayProxyEventV2 {
  const { target, match, requestId, at } = facts;
  const { cookies, headers } = headersOf(request);
  const query = joined(new URLSearchParams(target.rawQuery));
  // In HTTP APIs `rawPath` is decoded, despite its name. The query string is not.
  const path = target.segments.join('/');
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: path,
    rawQueryString: target.rawQuery,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: host.split('.', 1)[0] ?? '',
      http: {
        method: request.method ?? '',
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: match.routeKey,
      stage: '$default',
      time: commonLogTime(at),
      timeEpoch: at.getTime(),
    },
    ...(match.parameters ? { pathParameters: match.parameters } : {}),
    ...bodyOf(facts.body, headers),
  };
}

/** Names are in lower case, repeated headers are joined by commas, and cookies are separate. */
function headersOf(request: IncomingMessage): { cookies: string[]; headers: Record<string, string> } {
  const raw = request.rawHeaders;
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => {
    const name = raw[index * 2] as string;
    return [name.toLowerCase(), raw[index * 2 + 1] as string] as const;
  });
  const cookies = pairs.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/;\s*/));
  const sent = joined(pairs.filter(([name]) => name !== 'cookie'));
  const address = request.socket.remoteAddress ?? '';
  const forwarded = sent['x-forwarded-for'];
  return {
    cookies: cookies.filter((cookie) => cookie !== ''),
    headers: {
      ...sent,
      'x-forwarded-for': forwarded === undefined ? address : `${forwarded}, ${address}`,
      'x-forwarded-port': String(request.socket.localPort ?? ''),
      'x-forwarded-proto': 'http',
    },
  };
}

function joined(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(values);
}

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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Example: `12/Mar/2026:19:03:58 +0000`. */
function commonLogTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${two(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}`;
  return `${date}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
}
