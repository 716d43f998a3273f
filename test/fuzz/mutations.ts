import fc from 'fast-check';
import type { JsonValue } from '../../lib/domain/json.ts';
import { type Draft, type Pick, type Trial, written } from './draft.ts';
import {
  type InterfaceDocument,
  notBlank,
  type Operation,
  type Schema,
  type Site,
  sitesOf,
  typesOf,
} from './schema.ts';
import type { Sent } from './transport.ts';

type Broken = Omit<Trial, 'operation'>;

const wrongValues: JsonValue[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 53,
  1e300,
  '',
  ' ',
  'nobody',
  '2023-02-29',
  '12:00',
  [],
  [[]],
  {},
  { a: {} },
];
const surrogates = ['\ud800', 'a\udfff', '\udc00\ud800'];

/** A body with one error: in a declared field, or in the text as a whole. */
export function brokenBody(pick: Pick, draft: Draft, document: InterfaceDocument): Broken | undefined {
  const isJson = draft.mediaType === 'application/json';
  return isJson && pick(fc.nat(2)) === 0 ? brokenText(pick, draft) : brokenField(pick, draft, document);
}

function brokenField(pick: Pick, draft: Draft, document: InterfaceDocument): Broken | undefined {
  const schema = draft.operation.bodies[draft.mediaType!]!;
  const isForm = draft.mediaType !== 'application/json';
  const sites = [...sitesOf(document, schema, draft.body!)].filter(({ path }) => path.length > 0);
  if (sites.length === 0) return undefined;
  const site = pick(fc.constantFrom(...sites));
  const change = changed(draft.body!, site.path, pick(replacements(site)));
  const isBroken = change.breaks || !document.isValid(schema, change.body);
  // A form cannot contain values other than text, or lone surrogates.
  if (!isBroken || (isForm && (change.breaks || !isText(change.body)))) return undefined;
  const place = site.path.join('/');
  return {
    statuses: draft.operation.id === 'createToken' ? [400, 401] : [400, 404, 422],
    sent: written({ ...draft, body: change.body }),
    because: `the document forbids its ${place}`,
  };
}

const isText = (body: JsonValue) => Object.values(body as object).every((value) => typeof value === 'string');

type Replacement = {
  value?: JsonValue /** Breaks a rule that no schema states: well-formed text, and the size of metadata. */;
  breaks?: boolean;
};

/** Values that may be invalid at a position; the document decides whether they are. */
function replacements({ schema, required }: Site): fc.Arbitrary<Replacement> {
  const { maxLength, minimum, maximum, maxItems } = schema;
  const takesText =
    typesOf(schema).includes('string') &&
    !schema.enum &&
    schema.const === undefined &&
    schema.format === undefined &&
    (schema.pattern === undefined || schema.pattern === notBlank);
  const isFreeForm = typesOf(schema).includes('object') && !schema.properties;
  const options: Replacement[] = [
    ...wrongValues.map((value) => ({ value })),
    ...(required ? [{}, {}, {}] : []),
    ...(maxLength === undefined ? [] : [{ value: 'x'.repeat(maxLength + 1) }, { value: '😀'.repeat(maxLength + 1) }]),
    ...(minimum === undefined ? [] : [{ value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ value: maximum + 1 }]),
    ...(maxItems === undefined || maxItems > 1000
      ? []
      : [{ value: Array<JsonValue>(maxItems + 1).fill({ unique_id: 'fuzz-1' }) }]),
    ...(takesText ? surrogates.map((value) => ({ value, breaks: true })) : []),
    ...(isFreeForm
      ? [
          { value: { a: surrogates[0]! }, breaks: true },
          { value: { [surrogates[0]!]: 1 }, breaks: true },
          { value: { a: 'x'.repeat(17_000) }, breaks: true },
          { value: { a: Array<JsonValue>(1001).fill(1) }, breaks: true },
        ]
      : []),
  ];
  return fc.constantFrom(...options);
}

/** A copy with the value at the path set or removed. */
function changed(body: JsonValue, path: Site['path'], { value, breaks = false }: Replacement) {
  const copy = structuredClone(body);
  const parent = path
    .slice(0, -1)
    .reduce((at, name) => (at as Record<string | number, JsonValue>)[name]!, copy) as Record<
    string | number,
    JsonValue
  >;
  const last = path.at(-1)!;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return { body: copy, breaks };
}

const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const texts: ((text: string) => string)[] = [
  () => '',
  () => 'null',
  () => '"text"',
  (text) => `[${text}]`,
  (text) => text.slice(0, -1),
  (text) => `${text}}`,
  (text) => `${text.slice(0, -1)},}`,
  (text) => `\ufeff${text}`,
  (text) => `{'unknown':1,${text.slice(1)}`,
  (text) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}"unknown":${nest(1001)}}`,
  (text) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}"unknown":1e999}`,
  (text) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}"unknown":"\u0001"}`,
  (text) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}"unknown":01}`,
];

function brokenText(pick: Pick, draft: Draft): Broken {
  const sent = written(draft);
  const body = pick(fc.constantFrom(...texts))(sent.body!);
  // Public operations check the object of the path first.
  const statuses = /^\/[jc]\//.test(draft.operation.path) ? [400, 404] : [400];
  return { statuses, sent: { ...sent, body }, because: 'its body is no JSON object' };
}

const wrongParameters = ['', 'x', '-1', '0', '1.5', '101', '1e1', 'ASC', '99999999999999999999', '١', ' 1'];

/** A query with one error in a declared parameter. */
export function brokenQuery(pick: Pick, draft: Draft, document: InterfaceDocument): Broken | undefined {
  const { operation } = draft;
  const { name, schema, required } = pick(
    fc.constantFrom(...operation.parameters.filter((each) => each.in === 'query')),
  );
  const others = draft.query.filter(([each]) => each !== name);
  const value = pick(fc.constantFrom(...wrongParameters, ...(required ? [undefined] : [])));
  if (value !== undefined && document.isValid(schema, coerced(schema, value))) return undefined;
  const query: Draft['query'] = value === undefined ? others : [...others, [name, value]];
  return { statuses: [400, 404], sent: written({ ...draft, query }), because: `the document forbids its ${name}` };
}

const coerced = (schema: Schema, text: string): string | number =>
  typesOf(schema).includes('integer') && /^-?\d+$/.test(text) ? Number(text) : text;

/** A request with an error outside its body fields: path, method, token, media type, size. */
export function brokenEnvelope(pick: Pick, draft: Draft): Broken {
  const sent = written(draft);
  const options = [
    ...wrongAddresses(draft, sent),
    ...(draft.operation.needsToken ? [() => wrongToken(pick, draft, sent)] : []),
    ...(sent.body === undefined
      ? []
      : [() => wrongType(pick, draft, sent), ...(pick(fc.nat(60)) === 0 ? [() => tooLarge(draft, sent)] : [])]),
    () => wrongMethod(pick, draft, sent),
  ];
  return pick(fc.constantFrom(...options))();
}

function wrongAddresses({ operation }: Draft, sent: Sent): (() => Broken)[] {
  const hasParameter = operation.path.includes('{');
  const uuid = operation.parameters.find((each) => each.in === 'path' && each.schema.format === 'uuid');
  const [path, query] = sent.target.split(/(?=\?)/, 2) as [string, string?];
  // The view image is returned for any path, and records views only for the journey page.
  const unknown = operation.id === 'recordView' ? [200, 404] : [404];
  const first = (replacement: string) =>
    operation.path.replace(`{${uuid?.name}}`, replacement).replace(/\{\w+\}/g, crypto.randomUUID());
  const to =
    (target: string, statuses: readonly number[], isUnrouted = false) =>
    () => ({
      isUnrouted,
      statuses,
      sent: { ...sent, target: target + (query ?? '') },
      because: 'nothing can have that address',
    });
  return [
    to(`${path}/no/such/thing`, [404], true),
    to(`${path.slice(0, path.lastIndexOf('/'))}/no/such/thing/at/all`, [404], true),
    ...(hasParameter ? [to(path.replace(/\/[^/]*$/, '/%zz'), [400]), to(`${path}%`, [400])] : []),
    ...(uuid
      ? ['1', '%00', '..%2f..', 'x'.repeat(2000), '%20', `${crypto.randomUUID()}%0a`, 'null'].map((each) =>
          to(first(each), unknown),
        )
      : []),
  ];
}

const wrongTokens = (token: string): (string | string[] | undefined)[] => [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  token,
  `Basic ${token}`,
  `Bearer ${token}x`,
  `Bearer ${token.slice(0, -2)}`,
  `Bearer ${token} ${token}`,
  `Bearer ${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`,
  `Bearer \u00ff`,
  [`Bearer ${token}`, `Bearer ${token}`],
];

function wrongToken(pick: Pick, { headers }: Draft, sent: Sent): Broken {
  const token = headers[0]![1].slice('Bearer '.length);
  const wrong = [pick(fc.constantFrom(...wrongTokens(token)))].flat();
  const others = sent.headers.filter(([name]) => name !== 'authorization');
  const shown = wrong.filter((value) => value !== undefined).map((value): [string, string] => ['authorization', value]);
  return { statuses: [401], sent: { ...sent, headers: [...shown, ...others] }, because: 'its token is not good' };
}

function wrongType(pick: Pick, { operation, leads }: Draft, sent: Sent): Broken {
  const wrong = pick(
    fc.constantFrom<[string, string]>(
      ['content-type', 'text/plain'],
      ['content-type', 'application/xml; charset=utf-8'],
      ['content-type', 'multipart/form-data; boundary=x'],
      ['content-type', '/'],
      ['content-encoding', 'gzip'],
      ['content-encoding', 'br, gzip'],
    ),
  );
  const headers = [...sent.headers.filter(([name]) => name !== wrong[0]), wrong];
  const status = refusalBy(operation, 415);
  const missing = leads ? [] : [404];
  return {
    statuses: [status, ...missing],
    sent: { ...sent, headers },
    because: 'it declares a body that the operation does not take',
  };
}

/** The token endpoint has its own error format, and pages show every error as an unknown URL. */
function refusalBy({ id, responses }: Operation, usual: number): number {
  return responses['415'] ? usual : id === 'createToken' ? 400 : 404;
}

function tooLarge({ operation }: Draft, sent: Sent): Broken {
  const body = sent.body!.padEnd(4 * 1024 * 1024 + 1);
  const status = refusalBy(operation, 413);
  return { statuses: [status], sent: { ...sent, body }, because: 'its body is over 4 MB' };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

function wrongMethod(pick: Pick, { operation, params }: Draft, sent: Sent): Broken {
  // The gateway decodes the path first, so an encoded slash separates segments.
  const isParted = Object.values(params).some((value) => value.includes('/'));
  const taken = operation.siblings.includes('GET') ? [...operation.siblings, 'HEAD'] : operation.siblings;
  const method = pick(fc.constantFrom(...methods.filter((each) => !taken.includes(each))));
  return {
    isUnrouted: true,
    statuses: isParted ? [404, 405] : [405],
    sent: { ...sent, method },
    because: 'its address does not take that method',
  };
}
