import { readFileSync, statSync } from 'node:fs';
import type { Contact } from '../../lib/domain/contact.ts';
import { applyContent } from '../../lib/domain/content/apply.ts';
import { noContent } from '../../lib/domain/content/document.ts';
import { type LinkedContent, linked } from '../../lib/domain/content/link.ts';
import { readDocument } from '../../lib/domain/content/read.ts';
import { isJsonObject, type JsonObject } from '../../lib/domain/json.ts';
import { flatten, mergeMetadata } from '../../lib/domain/metadata.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { teamFeatures } from '../../lib/domain/team.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { sampleContact } from '../../lib/operations/preview-content.ts';
import { derivedContentId } from '../../lib/store/ids.ts';
import { contentWarnings } from '../../lib/web/warnings/document.ts';
import { jsonErrorPosition } from '../admin/json-position.ts';
import { repeatedKeys } from '../admin/repeated-keys.ts';

/** What a file holds: its content as an import would make it, or the errors that prevent the import. */
export type PreviewedContent = {
  content: LinkedContent | undefined;
  errors: ErrorDetail[];
  warnings: ErrorDetail[];
};

/** The team of the preview. It exists nowhere. */
export const team = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Your institution',
  privacy_policy_url: 'https://example.com/privacy',
  terms_of_service_url: 'https://example.com/terms',
  updated_at: '2026-01-01T00:00:00Z',
};

const known = new Map<string, { version: number; value: unknown }>();

/** What `read` makes of the file, made again only when the file has changed. */
function fresh<Value>(file: string, read: (text: string) => Value): Value {
  const version = statSync(file).mtimeMs;
  const before = known.get(file);
  if (before?.version === version) return before.value as Value;
  const value = read(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  known.set(file, { version, value });
  return value;
}

export const contentOf = (file: string): PreviewedContent => fresh(file, contentOfText);

function contentOfText(text: string): PreviewedContent {
  try {
    const value = JSON.parse(text);
    const { errors, document } = readDocument(value);
    const repeated = repeatedKeys(text);
    if (!document) return { content: undefined, errors, warnings: repeated };
    const warnings = [...repeated, ...contentWarnings(value, document)];
    const applied = applyContent(noContent, document, {
      ...{ teamId: team.id, features: teamFeatures, globalObjectives: [], now: timestamp(Date.now()) },
      idOf: (name) => derivedContentId(team.id, name),
    });
    if ('errors' in applied) return { content: undefined, errors: [...errors, ...applied.errors], warnings };
    if (errors.length > 0) return { content: undefined, errors, warnings };
    return { content: linked(applied.content, noContent, { teamId: team.id, team }), errors, warnings };
  } catch (error) {
    const at = jsonErrorPosition(text);
    const message = at
      ? `The file is not a JSON document: see line ${at.line}, column ${at.column}`
      : (error as Error).message;
    return { content: undefined, errors: [{ path: '', message }], warnings: [] };
  }
}

/** The contact of a file with the fields of the API, over those of a sample person. */
export function contactOf(file: string | undefined): Contact {
  const sample = sampleContact('2026-01-01T00:00:00Z');
  if (file === undefined) return sample;
  const { meta_public, meta_private, ...fields } = fresh(file, (text) => JSON.parse(text) as JsonObject);
  return { ...sample, ...fields, meta_public: metadataOf(meta_public), meta_private: metadataOf(meta_private) };
}

const metadataOf = (value: JsonObject[string] | undefined): Contact['meta_public'] =>
  isJsonObject(value) ? mergeMetadata(null, flatten(value) ?? null) : null;
