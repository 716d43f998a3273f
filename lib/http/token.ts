import type { ExposedCredentials } from '../domain/access/client.ts';
import type { JsonValue } from '../domain/values/json.ts';
import { Problem } from '../domain/values/problem.ts';
import { bodyText, formType, jsonBody, maxPublicBodyBytes, mediaType, refuseLargeBody } from './body.ts';
import { reply } from './reply.ts';
import type { Event } from './request.ts';

/** The sent credentials. A missing part is empty, which matches no client. */
export type ShownCredentials = { clientId: string; clientSecret: string };

/** A signed assertion (RFC 7523, section 2.2), empty if its type is unknown, and the `client_id` sent with it. */
export type ShownAssertion = { assertion: string; clientId: string | undefined };

export type TokenRequest = {
  credentials: ShownCredentials | ShownAssertion;
  /** The requested scopes, as sent. Without it the token gets all scopes of the client. */
  scope: string | undefined;
};

type Parameters = ReadonlyMap<string, string>;

const invalid = (description: string) => new TokenRefusal('invalid_request', description);

/**
 * A well-formed request for a token by the client credentials grant (RFC 6749, section 4.4.2).
 * @throws TokenRefusal, or Problem for a body that cannot be read.
 */
export function tokenRequest(event: Event): TokenRequest {
  const parameters = bodyParameters(event);
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) throw invalid('grant_type is missing.');
  if (grantType !== 'client_credentials') {
    throw new TokenRefusal('unsupported_grant_type', 'grant_type must be client_credentials.');
  }
  return { credentials: credentialsIn(parameters, basicCredentials(event)), scope: parameters.get('scope') };
}

/** The only supported type of assertion. */
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

function credentialsIn(parameters: Parameters, basic: ShownCredentials | undefined): ShownCredentials | ShownAssertion {
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  const type = parameters.get('client_assertion_type');
  const assertion = parameters.get('client_assertion');
  if (type !== undefined || assertion !== undefined) {
    // A client must not use more than one authentication method in a request (RFC 6749, section 2.3).
    if (basic || clientSecret !== undefined) throw invalid('Send an assertion or a secret, not both.');
    return { assertion: (type === jwtBearer && assertion) || '', clientId };
  }
  if (!basic) return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
  // A client_id alone is not a credential, so it may be sent together with Basic (section 3.2.1).
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw invalid('Send the credentials by Basic authentication or in the body, not both.');
  }
  return basic;
}

const credentialParameters = ['client_id', 'client_secret', 'client_assertion'];

/**
 * The credentials in the URL of this request, or `undefined` if it has none. A secret in the URL is exposed also if its
 * `client_id` is in the body or in the `Authorization` header.
 */
export function credentialsInQuery(event: Event): ExposedCredentials | undefined {
  const query = new URLSearchParams(event.rawQueryString);
  if (!credentialParameters.some((name) => query.has(name))) return undefined;
  const distinct = (name: string, more: readonly string[] = []) => [...new Set([...query.getAll(name), ...more])];
  return {
    clientIds: distinct('client_id', idsElsewhere(event)),
    secrets: distinct('client_secret'),
    assertions: distinct('client_assertion'),
  };
}

function idsElsewhere(event: Event): string[] {
  const sources = [() => bodyParameters(event).get('client_id'), () => basicCredentials(event)?.clientId];
  return sources.flatMap((source) => {
    try {
      return source() ?? [];
    } catch {
      return [];
    }
  });
}

/**
 * Parameters without a value count as absent, and unknown ones are ignored, also repeated ones. Of the others, none may be
 * repeated (section 3.2). A name such as `scope[]` is not one of them, but was meant to limit the token.
 */
function bodyParameters(event: Event): Parameters {
  refuseLargeBody(event, maxPublicBodyBytes);
  const hasForm = isForm(event);
  const sent = hasForm ? formEntries(bodyText(event)) : Object.entries(jsonBody(event, formType));
  if (sent.some(([name]) => name.startsWith('scope['))) {
    throw invalid('Send the scopes as one parameter with the name scope, separated by spaces.');
  }
  const isKnown = (name: string) => parameterNames.includes(name);
  const names = (hasForm ? sent.map(([name]) => name) : memberNames(bodyText(event))).filter(isKnown);
  if (new Set(names).size < names.length) throw invalid('No known parameter may be sent more than once.');
  const entries = sent.filter(([name]) => isKnown(name)).flatMap(textEntry);
  return new Map(entries.filter(([, value]) => value !== ''));
}

/** Without `Content-Type`, the body is read as a form, as RFC 6749 requires, unless it begins with `{`. */
function isForm(event: Event): boolean {
  const type = mediaType(event);
  if (type !== undefined) return type === formType;
  return !bodyText(event).trimStart().startsWith('{');
}

const parameterNames = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion_type',
  'client_assertion',
  'scope',
];

/** The names of the members of a JSON object, also of repeated ones. */
function memberNames(json: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [token, name, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (name === undefined) depth += /[{[]/.test(token) ? 1 : -1;
    else if (depth === 1 && colon) names.push(JSON.parse(name));
  }
  return names;
}

function textEntry([name, value]: [string, JsonValue]): [string, string][] {
  if (value === null) return [];
  if (typeof value !== 'string') throw invalid(`${name} must be a string.`);
  return [[name, value]];
}

function formEntries(text: string): [string, string][] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [formDecoded(name), formDecoded(value.join('='))];
    });
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The form encoding is malformed.');
  }
}

const basicScheme = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Basic credentials, each half form-decoded (section 2.3.1). Another scheme does not authenticate a client here. */
function basicCredentials(event: Event): ShownCredentials | undefined {
  const header = event.headers.authorization;
  if (header === undefined || !/^Basic\b/i.test(header)) return undefined;
  const encoded = basicScheme.exec(header)?.[1];
  const pair = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon === -1) throw invalid('The Authorization header is malformed.');
  return { clientId: formDecoded(pair.slice(0, colon)), clientSecret: formDecoded(pair.slice(colon + 1)) };
}

/** The errors of the token endpoint (RFC 6749, section 5.2) that this service gives. */
export type TokenErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unsupported_grant_type';

/** An error in the format of OAuth. Its description contains no sent value. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

export const tokenReply = (accessToken: string, expiresIn: number, scope: string) =>
  reply(200, { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn, scope });

/** The response to a rejected token request. Rethrows every other error. */
export function refusalReply(error: unknown) {
  const { code, message } = refusalOf(error);
  if (code !== 'invalid_client') return reply(400, { error: code, error_description: message });
  const challenge = { 'www-authenticate': 'Basic realm="onboarding"' };
  return reply(401, { error: code, error_description: message }, challenge);
}

/** A malformed request is `invalid_request` in the format of OAuth too (contract, section 2). */
function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof TokenRefusal) return error;
  if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
  return new TokenRefusal('invalid_request', 'The body must be a form or a JSON object.');
}
