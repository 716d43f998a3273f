import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { InvalidStoredItem } from './stored-item.ts';

/**
 * Readers of the JSON of a content revision. They check the type of each value and no more. Unlike the schemas of an
 * import, they take no time to create. A value that an earlier release did not store is `null` or an empty list.
 * @throws InvalidStoredItem
 */
export type Reader<Value> = (value: JsonValue | undefined, path: string) => Value;
type Readers<Fields> = { readonly [Name in keyof Fields]: Reader<Fields[Name]> };

function checked<Value extends JsonValue>(
  value: JsonValue | undefined,
  path: string,
  is: (value: JsonValue | undefined) => value is Value,
): Value {
  if (is(value)) return value;
  throw new InvalidStoredItem('content revision', [path]);
}

const isText = <Text extends string>(value: unknown): value is Text => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => typeof value === 'number';

export const nullable =
  <Value>(read: Reader<Value>): Reader<Value | null> =>
  (value, path) =>
    value === undefined || value === null ? null : read(value, path);

/** A text, also one of an enumeration. */
export const text = <Text extends string>(value: JsonValue | undefined, path: string): Text =>
  checked(value, path, isText<Text>);
export const textOrNull = <Text extends string>(value: JsonValue | undefined, path: string): Text | null =>
  nullable(text<Text>)(value, path);
export const flag = nullable((value, path) => checked(value, path, isFlag));
export const number = nullable((value, path) => checked(value, path, isNumber));
export const object = nullable((value, path) => checked(value, path, isJsonObject));
export const json: Reader<JsonValue | null> = (value) => value ?? null;

export const listOf =
  <Value>(read: Reader<Value>): Reader<Value[]> =>
  (value, path) =>
    checked(value ?? [], path, Array.isArray).map((each, index) => read(each, `${path}.${index}`));

export const mapOf =
  <Value>(read: Reader<Value>): Reader<{ [name: string]: Value }> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(checked(value, path, isJsonObject)).map(([name, each]) => [name, read(each, `${path}.${name}`)]),
    );

/** An object with these fields, in their order. Others are left out. */
export const objectOf =
  <Fields>(readers: Readers<Fields>): Reader<Fields> =>
  (value, path) => {
    const given = checked(value, path, isJsonObject);
    const fields: Partial<Fields> = {};
    for (const name in readers) fields[name] = readers[name](given[name], `${path}.${name}`);
    return fields as Fields;
  };

/** An object with these fields first. Others are kept. */
export const openObjectOf = <Fields>(readers: Readers<Fields>): Reader<Fields> => {
  const named = objectOf(readers);
  return (value, path) => ({ ...named(value, path), ...checked(value, path, isJsonObject) });
};
