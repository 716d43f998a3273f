import { type LinkedContent, linked, noContent } from '../../lib/domain/content/link.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { teamFeatures } from '../../lib/domain/team.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { derivedContentId } from '../../lib/store/ids.ts';
import { applyContent } from '../content/apply.ts';
import { readDocument } from '../content/read.ts';
import { contentWarnings } from '../warnings/document.ts';
import { fresh, jsonErrorMessage } from './json-file.ts';

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

export const contentOf = (file: string): PreviewedContent => fresh(file, contentOfText);

function contentOfText(text: string): PreviewedContent {
  try {
    const value = JSON.parse(text);
    const { errors, document } = readDocument(value);
    if (!document) return { content: undefined, errors, warnings: [] };
    const warnings = contentWarnings(value, document);
    const applied = applyContent(noContent, document, {
      ...{ teamId: team.id, features: teamFeatures, globalObjectives: [], now: timestamp(Date.now()) },
      idOf: (name) => derivedContentId(team.id, name),
    });
    if ('errors' in applied) return { content: undefined, errors: [...errors, ...applied.errors], warnings };
    if (errors.length > 0) return { content: undefined, errors, warnings };
    return { content: linked(applied.content, noContent, { teamId: team.id, team }), errors, warnings };
  } catch (error) {
    return { content: undefined, errors: [{ path: '', message: jsonErrorMessage(text, error) }], warnings: [] };
  }
}
