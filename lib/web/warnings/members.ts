import { isFilledText, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { GivenBlock } from './given.ts';

/** The first of these that is a text with something in it. */
export const textOf = (data: GivenBlock['data'] | JsonObject, names: readonly string[]): string | undefined =>
  names.map((name) => memberOf(data, name)).find(isFilledText);

export const memberOf = (data: GivenBlock['data'] | JsonObject, name: string): JsonValue | undefined =>
  data && Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;
