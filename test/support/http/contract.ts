import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { allContracts } from '../../../functions/contracts.ts';
import { methodsOf } from '../../../lib/http/methods.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import type { Route } from '../../../lib/route.ts';
import { docsRoutes, routes } from '../../../lib/routes.ts';

/** A response of the service, with its request. */
export type Answered = {
  method: string;
  /** The path of the URL, percent-encoded. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
};

type Json = { [key: string]: Json };

const known: readonly Route[] = routes;
/** Responses of the gateway itself, in its own format. */
const gatewayStatuses = [400, 413, 429, 431, 500, 503];

/**
 * Where a response differs from the OpenAPI document: an undescribed status, media type, body or field. `undefined` if
 * it does not differ.
 */
export function contractFault(answered: Answered): string | undefined {
  const { method, path, status } = answered;
  const fault = errorOf(answered);
  return fault && `${method} ${path} answered ${status}, which the document does not describe: ${fault}`;
}

function errorOf(answered: Answered): string | undefined {
  const { method, path, status, headers } = answered;
  if (isGatewayAnswer(answered)) return bodyError(answered, '/components/schemas/GatewayError');
  if (path === '/' || methodsOf(path, docsRoutes).length > 0) return undefined;
  if (!headers.has('x-request-id')) return 'it has no x-request-id';
  const route = known.find((each) => methodsOf(path, [each]).includes(method)) ?? refusing(answered);
  if (!route) return unroutedFault(answered);
  const own = route.methods.find((each) => each === method) ?? route.methods[0]!;
  const described = own.toLowerCase();
  const pointer = `/paths/${escaped(route.path)}/${described}/responses/${status}`;
  const found = at(pointer);
  if (!found) return 'the status';
  const reference = (found.$ref as unknown as string | undefined)?.slice(1);
  return contentError(answered, reference ?? pointer);
}

function isGatewayAnswer({ status, headers, text }: Answered): boolean {
  return gatewayStatuses.includes(status) && !headers.has('x-request-id') && text.startsWith('{"message":');
}

/** The token endpoint rejects credentials in the query string in the same way for every method. */
const refusing = ({ path, status }: Answered): Route | undefined =>
  status === 400 ? known.find((each) => each.seesEveryMethod && methodsOf(path, [each]).length > 0) : undefined;

/** A path or a method that no operation has (contract, section 1). Below the pages it is a page (section 10). */
function unroutedFault(answered: Answered): string | undefined {
  const methods = methodsOf(answered.path);
  if (methods.length === 0 && /^\/[jc](?:\/|$)/i.test(answered.path) && /^(?:GET|HEAD)$/.test(answered.method)) {
    const location = answered.headers.get('location');
    if (answered.status === 302) return location?.startsWith('/j/') ? undefined : 'location';
    const isPage = answered.headers.get('content-type')?.startsWith('text/html');
    return answered.status === 404 && isPage ? undefined : 'it is no page';
  }
  if (answered.status !== (methods.length > 0 ? 405 : 404)) return 'no operation is there';
  if (methods.length > 0 && answered.headers.get('allow') !== methods.join(', ')) return 'Allow';
  return answered.method === 'HEAD' ? undefined : bodyError(answered, '/components/schemas/ErrorResponse');
}

function contentError(answered: Answered, response: string): string | undefined {
  const { content } = at(response)!;
  const type = answered.headers.get('content-type')?.split(';', 1)[0];
  if (answered.method === 'HEAD') return answered.text === '' ? undefined : 'it has a body';
  if (!content) return answered.text === '' ? undefined : 'it has a body';
  const isDescribed = type !== undefined && (type in content || type.replace(/\/.*/, '/*') in content);
  if (!isDescribed) return `the media type ${type}`;
  return type === 'application/json' ? bodyError(answered, `${response}/content/${escaped(type)}/schema`) : undefined;
}

function bodyError({ text }: Answered, schema: string): string | undefined {
  const validate = validatorOf(schema);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (validate(body)) return undefined;
  return validate
    .errors!.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

const at = (pointer: string): Json | undefined =>
  pointer
    .slice(1)
    .split('/')
    .reduce<Json | undefined>((parent, name) => parent?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], strict());

const contracts = await allContracts();
let document: Json | undefined;
/** The document with closed objects, so that an undescribed field is an error. */
const strict = (): Json => {
  document ??= closed(openApiDocument(contracts, 'https://api.example.com', { whole: true }) as Json) as Json;
  return document;
};

function closed(value: unknown, isFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => closed(each));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([word, each]) => [
      word,
      word === 'examples' && !isFields ? each : closed(each, word === 'properties' && !isFields),
    ]),
  );
  const isOpen = isFields || !('properties' in value) || 'additionalProperties' in value;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

// Each function checks few responses, so optimizing it takes longer than it saves.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code: { optimize: false } });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** Compiled when first needed, because a test file uses only a few of them. */
function validatorOf(pointer: string): ValidateFunction {
  if (validators.size === 0) ajv.addSchema(strict(), 'document');
  const uri = `document#${pointer.split('/').map(encodeURIComponent).join('/')}`;
  const compiled = validators.get(pointer) ?? ajv.compile({ $ref: uri });
  validators.set(pointer, compiled);
  return compiled;
}
