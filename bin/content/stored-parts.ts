import type { StoredDocument, StoredMessage, StoredPage } from '../../lib/domain/content/document.ts';

/** All pages by id, and all messages. Templates may share them. */
export const pagesOf = ({ templates }: StoredDocument): Map<string, StoredPage> =>
  new Map(templates.flatMap(({ template_pages }) => template_pages.map(({ page }) => [page.id, page])));
export const messagesOf = ({ templates }: StoredDocument): Map<string, StoredMessage> =>
  new Map(templates.flatMap(({ template_messages }) => template_messages.map(({ message }) => [message.id, message])));
