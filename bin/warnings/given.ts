import type { GivenDocument } from '../../lib/domain/campaigns/document.ts';
import { isFilledText, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';

/** The parts of a document as the import reads it. */
export type GivenTemplate = GivenDocument['templates'][number];
export type GivenPage = NonNullable<GivenTemplate['template_pages'][number]['page']>;
export type GivenBlock = GivenTemplate['content_blocks'][number];

export const memberOf = (data: GivenBlock['data'] | JsonObject, name: string): JsonValue | undefined =>
  data && Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;

/** The first of these members that is a text with something in it. */
export const textOf = (data: GivenBlock['data'] | JsonObject, names: readonly string[]): string | undefined =>
  names.map((name) => memberOf(data, name)).find(isFilledText);

/** A warning at this place, if there is a reason for one. */
export const warnIf = (isWrong: boolean, path: string, message: string): ErrorDetail[] =>
  isWrong ? [{ path, message }] : [];

/** The same for the text of a reason, if there is one. */
export const warning = (path: string, message: string | undefined): ErrorDetail[] =>
  message === undefined ? [] : [{ path, message }];
