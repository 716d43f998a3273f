import type { StoredDocument } from '../../../../lib/domain/campaigns/document.ts';
import type { JsonObject } from '../../../../lib/domain/values/json.ts';
import { exportedDocument } from '../../../content/export.ts';

/**
 * The document whose import brings an earlier revision back. Objects that came later stay, because people can have
 * journeys of them. Campaigns among them are archived: no new journey starts, and those under way go on.
 */
export function restoringDocument(earlier: StoredDocument, current: StoredDocument): JsonObject {
  const known = new Set(earlier.templates.map(({ id }) => id));
  const later = current.templates.filter(({ id, is_archived }) => !known.has(id) && is_archived !== true);
  return exportedDocument({
    ...earlier,
    templates: [...earlier.templates.map(withoutTimes), ...later.map((each) => ({ ...each, is_archived: true }))],
  });
}

/** The import gives pages that it changes the time of the change. */
const withoutTimes = (template: StoredDocument['templates'][number]) => ({
  ...template,
  template_pages: template.template_pages.map((each) => ({ ...each, page: { ...each.page, updated_at: null } })),
});
