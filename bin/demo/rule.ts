import type { StoredDocument } from '../../lib/domain/campaigns/document.ts';
import type { JsonObject } from '../../lib/domain/values/json.ts';
import { type ImportContentService, importContent } from '../../lib/operations/publishing/import-content.ts';
import { contentToExport } from '../admin/operations/campaigns/content.ts';
import { documentOfTemplate, exportedDocument } from '../content/export.ts';
import { sample } from './journeys.ts';

/** Everyone who opens a checking account and has an email address. The demo gives one to the people of its journeys. */
const rule = {
  targeting_account_priority: 'newest',
  targeting_groups: [
    {
      name: 'Opens a checking account',
      conditions: [
        { field: 'product.type', operator: 'equals', value: 'checking' },
        { field: 'contact.email', operator: 'is_set' },
      ],
    },
  ],
};

/** The document, with the rule in its first campaign. */
export function withRule({ templates, ...document }: JsonObject): JsonObject {
  const [first, ...others] = templates as JsonObject[];
  return { ...document, templates: [{ ...first, ...rule }, ...others] };
}

/** Gives the sample campaign of a team the rule of the demo, unless it has a rule already. */
export async function giveRule(service: ImportContentService, teamId: string): Promise<void> {
  const content = (await contentToExport(service.database, teamId)) as StoredDocument;
  const template = content.templates.find(({ id }) => id === sample().templates[0]?.id);
  if (!template || (template.targeting_groups ?? []).length > 0) return;
  await importContent(service, teamId, withRule(exportedDocument(documentOfTemplate(content, template))));
}
