import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isFilledText, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';

/** The parts of a document as the import reads it. */
export type GivenTemplate = GivenDocument['templates'][number];
export type GivenPage = NonNullable<GivenTemplate['template_pages'][number]['page']>;
export type GivenBlock = GivenTemplate['content_blocks'][number];

export const memberOf = (data: GivenBlock['data'] | JsonObject, name: string): JsonValue | undefined =>
  data && Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;

/** The first of these members that is a text with something in it. */
export const textOf = (data: GivenBlock['data'] | JsonObject, names: readonly string[]): string | undefined =>
  names.map((name) => memberOf(data, name)).find(isFilledText);
