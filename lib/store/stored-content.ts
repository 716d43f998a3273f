import type { StoredContainer, StoredDocument, StoredTemplate } from '../domain/content/document.ts';
import { readJson } from '../domain/json.ts';

/** Fields of campaign content that earlier releases did not store. A new field of the content is added here. */
const laterFields = {
  template: { language: null, translations: null, words: null, ending: null },
  container: { show_until: null },
} satisfies { template: Partial<StoredTemplate>; container: Partial<StoredContainer> };

/**
 * The content of a revision, from the JSON that a release stored. It is not parsed by the schemas: only the import
 * writes content, after the schemas have checked it, the compression has a checksum, and most functions would need a
 * fifth of the CPU of their module load to create the schemas.
 */
export function storedContentOf(json: string): StoredDocument {
  const read: unknown = readJson(json);
  const document = read as StoredDocument;
  return { ...document, templates: document.templates.map(templateOf) };
}

const templateOf = (template: StoredTemplate): StoredTemplate => ({
  ...laterFields.template,
  ...template,
  template_pages: template.template_pages.map(({ page, ...rest }) => ({
    ...rest,
    page: {
      ...page,
      content_containers: page.content_containers.map((container) => ({ ...laterFields.container, ...container })),
    },
  })),
});
