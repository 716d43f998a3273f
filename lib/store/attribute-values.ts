import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { setMember } from '../domain/json.ts';

/**
 * Translates the values of items into the JSON of DynamoDB's API and back. It supports the types that items of the
 * service have: no sets, and no number that a JavaScript number cannot hold exactly.
 */
export type AttributeMap = { [name: string]: AttributeValue };

/** @throws TypeError if an item cannot hold such a value. The message names only its type. */
export function attributeValue(value: unknown): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('an item cannot hold a number that is not finite');
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (value === null) return { NULL: true };
      if (value instanceof Uint8Array) return { B: base64(value) };
      return Array.isArray(value) ? { L: value.map(attributeValue) } : { M: attributeMap(value) };
    default:
      throw new TypeError(`an item cannot hold a value of type ${typeof value}`);
  }
}

/** Properties whose value is `undefined` are left out. */
export function attributeMap(properties: object): AttributeMap {
  const map: AttributeMap = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined) setMember(map, name, attributeValue(value));
  }
  return map;
}

/** @throws TypeError if the value has another type, or is a number that would lose digits */
export function nativeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return nativeNumber(value.N);
  if (value.B !== undefined) return bytesOf(value.B);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(nativeValue);
  if (value.M !== undefined) return nativeMap(value.M);
  throw new TypeError(`an item has an attribute of type ${Object.keys(value).join()}`);
}

export function nativeMap(map: AttributeMap): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const name of Object.keys(map)) setMember(properties, name, nativeValue(map[name]!));
  return properties;
}

function nativeNumber(text: string): number {
  const number = Number(text);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new TypeError('an item has a number that is too large');
  return number;
}

// The types of the SDK have bytes in `B`. `TableClient` sends and receives the JSON itself, where they are base64 text.
const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64') as unknown as Uint8Array;
const bytesOf = (text: Uint8Array): Buffer => Buffer.from(text as unknown as string, 'base64');
