import type { StoredDocument, StoredTemplate } from '../../lib/domain/content/document.ts';

/** One template, with the objectives and the channels that it needs. */
export function documentOfTemplate(document: StoredDocument, template: StoredTemplate): StoredDocument {
  const pages = template.template_pages.map(({ page }) => page);
  const messages = template.template_messages.map(({ message }) => message);
  const objectives = new Set([...pages, ...messages].map(({ objective_id }) => objective_id));
  const channels = new Set(
    pages.flatMap(({ content_containers }) => content_containers.map((each) => each.engagement_channel_id)),
  );
  return {
    objectives: document.objectives.filter(({ id }) => objectives.has(id)),
    engagement_channels: document.engagement_channels.filter(({ id }) => channels.has(id)),
    templates: [template],
  };
}
