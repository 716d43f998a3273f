import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { methodsOf } from '../../lib/http/methods.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { docsRoutes, type Route, routes } from '../../lib/routes.ts';

/** An answer of the service, and what it answered. */
export type Answered = {
  method: string;
  /** Path of the address, still percent-encoded. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
};

type Json = { [key: string]: Json };

const known: readonly Route[] = routes;
/** What the gateway can say by itself, in its own shape. */
const gatewayStatuses = [400, 413, 429, 500, 503];

/**
 * What the OpenAPI document has against an answer: a status, a media type or a body that it does not describe, a field
 * that it does not name. `undefined` when it has nothing.
 */
export function contractFault(answered: Answered): string | undefined {
  const { method, path, status } = answered;
  const fault = errorOf(answered);
  return fault && `${method} ${path} answered ${status}, which the document does not describe: ${fault}`;
}

function errorOf(answered: Answered): string | undefined {
  const { method, path, status, headers } = answered;
  if (isGatewayAnswer(answered)) return bodyError(answered, '/components/schemas/GatewayError');
  if (methodsOf(path, docsRoutes).length > 0) return undefined;
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

/** The token endpoint refuses credentials in the query string alike, whatever the method. */
const refusing = ({ path, status }: Answered): Route | undefined =>
  status === 400 ? known.find((each) => each.seesEveryMethod && methodsOf(path, [each]).length > 0) : undefined;

/** An address or a method that no operation has (contract, section 1). */
function unroutedFault(answered: Answered): string | undefined {
  const methods = methodsOf(answered.path);
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

let document: Json | undefined;
/** The document, but closed: a field that it does not name is a fault. */
const strict = (): Json => {
  document ??= closed(openApiDocument('https://api.example.com', { whole: true }) as Json) as Json;
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

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** Compiled when it is first needed: a test file meets few of them. */
function validatorOf(pointer: string): ValidateFunction {
  if (validators.size === 0) ajv.addSchema(strict(), 'document');
  const uri = `document#${pointer.split('/').map(encodeURIComponent).join('/')}`;
  const compiled = validators.get(pointer) ?? ajv.compile({ $ref: uri });
  validators.set(pointer, compiled);
  return compiled;
}
