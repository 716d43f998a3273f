import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import type { StoredDocument } from '../../../lib/domain/campaigns/document.ts';
import type { TeamFeature } from '../../../lib/domain/teams/team.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { teamId } from '../../support/samples/content-documents.ts';

export const firstImport = '2026-01-01T00:00:00.000000Z';
export const laterImport = '2026-02-02T00:00:00.000000Z';

type Options = {
  features?: TeamFeature[];
  now?: string;
  team?: string | null;
  globalObjectives?: { id: string; key: string }[];
  idOf?: (name: string) => string;
  senders?: string[];
  /** What is stored, if all of it is replaced. */
  before?: StoredDocument;
};

function attempt(stored: StoredDocument, document: object, options: Options = {}) {
  const { features = [], now = firstImport, team = teamId, globalObjectives = [] } = options;
  const { idOf = (name: string) => `id:${name}`, senders = [], before = stored } = options;
  const { document: given } = readDocument(document as JsonValue);
  const context = { teamId: team, features, globalObjectives, idOf, now, before, team: { senders } };
  return applyContent(stored, given!, context);
}

/** The new content and the counts of an import without errors. */
export function apply(stored: StoredDocument, document: object, options?: Options) {
  const applied = attempt(stored, document, options);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return applied;
}

/** The errors of an import, without those of fields that are invalid by themselves. */
export function errorsOf(stored: StoredDocument, document: object, options?: Options): string[] {
  const applied = attempt(stored, document, options);
  return 'errors' in applied ? applied.errors.map(({ path, message }) => `${path} ${message}`) : [];
}
