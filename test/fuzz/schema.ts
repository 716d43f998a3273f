import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonValue } from '../../lib/domain/json.ts';

/** The part of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  enum?: JsonValue[];
  const?: JsonValue;
  anyOf?: Schema[];
  not?: Schema;
  dependentRequired?: Record<string, string[]>;
  minProperties?: number;
  maxProperties?: number;
  examples?: JsonValue[];
};

type Parameter = { name: string; in: 'path' | 'query'; style?: string; required?: boolean; schema: Schema };
type Header = { schema: Schema };
export type Response = { headers?: Record<string, Header>; content?: Record<string, { schema: Schema }> };

export type Operation = {
  id: string;
  method: string;
  path: string;
  /** All allowed methods of the path. */
  siblings: string[];
  parameters: Parameter[];
  /** By media type. */
  bodies: Record<string, Schema>;
  needsToken: boolean;
  responses: Record<string, Response>;
};

type Referable = { $ref?: string };
type RawOperation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response & Referable>;
  security?: unknown[];
};

/** The interface as the document describes it, independent of the code of the service. */
export class InterfaceDocument {
  readonly operations: readonly Operation[];
  readonly #document: object;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(document: { paths: Record<string, Record<string, RawOperation>> }) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
    this.operations = Object.entries(document.paths).flatMap(([path, item]) => {
      const siblings = Object.keys(item).map((method) => method.toUpperCase());
      return Object.values(item).map((raw, at) => this.#operation(path, siblings, siblings[at]!, raw));
    });
  }

  /** Resolves references. */
  resolve<T extends object>(part: T & Referable): T {
    if (part.$ref === undefined) return part;
    const names = part.$ref
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/'));
    const named = names.reduce((parent, name) => (parent as Record<string, object>)[name]!, this.#document) as T;
    // Keywords beside the reference apply too.
    const { $ref, ...beside } = part;
    return { ...this.resolve(named), ...beside } as T;
  }

  isValid(schema: Schema, value: unknown): boolean {
    return this.#validator(schema)(value);
  }

  /** The error of the value by the schema, if any. */
  fault(schema: Schema, value: unknown): string | undefined {
    const validate = this.#validator(schema);
    if (validate(value)) return undefined;
    return this.#ajv.errorsText(validate.errors?.slice(0, 3), { dataVar: 'the answer' });
  }

  #validator(schema: Schema): ValidateFunction {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(inDocument(schema));
    this.#compiled.set(schema, validate);
    return validate;
  }

  #operation(path: string, siblings: string[], method: string, raw: RawOperation): Operation {
    const content = Object.entries(raw.requestBody?.content ?? {});
    const responses = Object.entries(raw.responses).map(([status, each]) => [status, this.#withHeaders(each)]);
    return {
      id: raw.operationId,
      method,
      path,
      siblings,
      parameters: raw.parameters ?? [],
      bodies: Object.fromEntries(content.map(([type, { schema }]) => [type, schema])),
      needsToken: raw.security?.length !== 0,
      responses: Object.fromEntries(responses),
    };
  }

  #withHeaders(part: Response): Response {
    const response = this.resolve(part);
    const headers = Object.entries(response.headers ?? {}).map(([name, each]) => [name, this.resolve(each)]);
    return { ...response, headers: Object.fromEntries(headers) };
  }
}

/** Rewrites references inside the document for a separate validator. */
const inDocument = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

/** A declared position in a value, with its schema. */
export type Site = { path: readonly (string | number)[]; schema: Schema; required: boolean };

/** Every declared position in a valid value. Values in unknown fields and free-form objects have none. */
export function* sitesOf(
  document: InterfaceDocument,
  part: Schema,
  value: JsonValue,
  path: Site['path'] = [],
  required = false,
): Generator<Site> {
  const schema = document.resolve(part);
  for (const each of schema.anyOf ?? []) {
    if (document.isValid(each, value)) yield* sitesOf(document, each, value, path, required);
  }
  if (!schema.anyOf) yield { path, schema, required };
  if (Array.isArray(value) && schema.items) {
    for (const [at, item] of value.entries()) yield* sitesOf(document, schema.items, item, [...path, at]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const child = (value as Record<string, JsonValue>)[name]!;
    yield* sitesOf(document, inner, child, [...path, name], schema.required?.includes(name));
  }
}

export const typesOf = ({ type = [] }: Schema): readonly string[] => (Array.isArray(type) ? type : [type]);

/** The only pattern that nearly every text matches. */
export const notBlank = '\\S';
