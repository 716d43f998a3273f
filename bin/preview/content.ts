import { readFileSync, statSync } from 'node:fs';
import { applyContent } from '../../lib/content/apply.ts';
import type { IdentifiedDocument } from '../../lib/content/identify.ts';
import { readDocument } from '../../lib/content/read.ts';
import { type LinkedContent, linked, noContent } from '../../lib/domain/campaigns/link.ts';
import { teamFeatures } from '../../lib/domain/teams/team.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { jsonErrorPosition } from '../../lib/domain/values/json-position.ts';
import { type ErrorDetail, namesInPointer } from '../../lib/domain/values/problem.ts';
import { timestamp } from '../../lib/domain/values/timestamp.ts';
import { derivedContentId } from '../../lib/store/table/ids.ts';
import { contentWarnings } from '../warnings/document.ts';
import { lineOf, placeIn } from './places.ts';

/** An error or a warning, with its line and the title of its page. */
export type PlacedDetail = ErrorDetail & { line?: number; page?: string };

/** What a file holds: its content as an import would make it, or the errors that prevent the import. */
export type PreviewedContent = {
  /** Of the file, see `versionOf`. */
  version: string;
  /** While the file has errors, the content that it had before. */
  content: LinkedContent | undefined;
  isStale?: boolean;
  errors: PlacedDetail[];
  warnings: PlacedDetail[];
  /** The JSON Pointers of the pages and blocks by their ids. */
  places: ReadonlyMap<string, string>;
};

/** The team of the preview. It exists nowhere. */
export const team = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Your institution',
  privacy_policy_url: 'https://example.com/privacy',
  terms_of_service_url: 'https://example.com/terms',
  updated_at: '2026-01-01T00:00:00Z',
};

const known = new Map<string, PreviewedContent>();

/** Reads the file again only when it has changed. @throws if there is no such file */
export function contentOf(file: string): PreviewedContent {
  const version = versionOf(file) ?? '';
  const before = known.get(file);
  if (before?.version === version) return before;
  const found = contentOfText(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  const kept =
    found.content || !before?.content ? {} : { content: before.content, places: before.places, isStale: true };
  const shown = { ...found, ...kept, version };
  known.set(file, shown);
  return shown;
}

/** Differs after each change of the file. @returns `undefined` while there is no such file */
export function versionOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.mtimeMs}-${found.size}`;
}

function contentOfText(text: string): Omit<PreviewedContent, 'version'> {
  const failed = { content: undefined, warnings: [], places: new Map() };
  try {
    const value = JSON.parse(text);
    const placed = (details: ErrorDetail[]) => details.map((each) => placedIn(text, value, each));
    const { errors, document } = readDocument(value);
    if (!document) return { ...failed, errors: placed(errors) };
    const warnings = placed(contentWarnings(value, document));
    // Rules can name campaigns of the team that are not in the file, and no page depends on them. The import checks them.
    const templates = document.templates.map((each) => ({ ...each, targeting_groups: null }));
    const applied = applyContent(
      noContent,
      { ...document, templates },
      {
        ...{ teamId: team.id, features: teamFeatures, globalObjectives: [], now: timestamp(Date.now()) },
        idOf: (name) => derivedContentId(team.id, name),
      },
    );
    const refused = 'errors' in applied ? applied.errors : [];
    if ('errors' in applied || errors.length > 0) {
      return { ...failed, errors: placed([...errors, ...refused]), warnings };
    }
    const content = linked(applied.content, noContent, { teamId: team.id, team });
    return { content, errors: [], warnings, places: placesIn(applied.given) };
  } catch (error) {
    const at = jsonErrorPosition(text);
    if (!at) return { ...failed, errors: [{ path: '', message: (error as Error).message }] };
    const message = `The file is not a JSON document: see line ${at.line}, column ${at.column}`;
    return { ...failed, errors: [{ path: '', message, line: at.line }] };
  }
}

const placesIn = ({ templates }: IdentifiedDocument): Map<string, string> =>
  new Map(
    templates.flatMap(({ content_blocks, template_pages }, index) => [
      ...blocksAt(content_blocks, `/templates/${index}`),
      ...template_pages.flatMap(({ page }, at) => {
        const place = `/templates/${index}/template_pages/${at}/page`;
        return page ? [[page.id, place] as const, ...blocksAt(page.content_blocks, place)] : [];
      }),
    ]),
  );

const blocksAt = (blocks: readonly { id: string }[], owner: string) =>
  blocks.map(({ id }, index) => [id, `${owner}/content_blocks/${index}`] as const);

function placedIn(text: string, value: JsonValue, detail: ErrorDetail): PlacedDetail {
  const names = namesInPointer(detail.path);
  const [, , list, , , ...rest] = names;
  const page = list === 'template_pages' && rest.length > 0 ? valueAt(value, names.slice(0, 5)) : undefined;
  const title = isJsonObject(page) ? [page.navigation_title, page.content_name].find(isFilledText) : undefined;
  const line = lineOf(text, placeIn(text, names).start);
  return { ...detail, line, ...(title === undefined ? {} : { page: title }) };
}

const valueAt = (value: JsonValue, names: readonly string[]): JsonValue | undefined =>
  names.reduce<JsonValue | undefined>((inner, name) => (inner as JsonObject | undefined)?.[name], value);
