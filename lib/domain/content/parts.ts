import type { ErrorDetail } from '../problem.ts';
import type { StoredDocument, StoredMessage, StoredPage, StoredTemplate } from './document.ts';
import type { IdentifiedDocument, IdentifiedTemplate } from './identify.ts';

/** A page or message of the document and where it stands first. */
type Placed<Part> = { part: Part; path: string };
/** By id, the pages and messages that the document gives. */
export type GivenParts = { pages: Map<string, Placed<StoredPage>>; messages: Map<string, Placed<StoredMessage>> };

type Mention<Part> = { path: string; kind: 'page' | 'message'; id: string | null; part: Part | null };

/**
 * Templates may share pages and messages: one that stands at several places must be the same everywhere, and may be
 * named by its id alone.
 */
export function givenParts(
  { templates }: IdentifiedDocument,
  stored: StoredDocument,
): { parts: GivenParts; errors: ErrorDetail[] } {
  const pages = templates.flatMap(({ template_pages }, t) =>
    template_pages.map(({ page_id, page }, place): Mention<StoredPage> => {
      return { path: `/templates/${t}/template_pages/${place}`, kind: 'page', id: page_id, part: page };
    }),
  );
  const messages = templates.flatMap(({ template_messages }, t) =>
    template_messages.map(({ message_id, message }, place): Mention<StoredMessage> => {
      return { path: `/templates/${t}/template_messages/${place}`, kind: 'message', id: message_id, part: message };
    }),
  );
  const [givenPages, givenMessages] = [gathered(pages), gathered(messages)];
  const errors = [
    ...givenPages.errors,
    ...pages.flatMap((each) => mentionErrors(each, givenPages.parts, pagesOf(stored))),
    ...givenMessages.errors,
    ...messages.flatMap((each) => mentionErrors(each, givenMessages.parts, messagesOf(stored))),
  ];
  return { parts: { pages: givenPages.parts, messages: givenMessages.parts }, errors };
}

function gathered<Part extends { id: string }>(mentions: readonly Mention<Part>[]) {
  const parts = new Map<string, Placed<Part>>();
  const errors: ErrorDetail[] = [];
  for (const { path, kind, part } of mentions) {
    if (!part) continue;
    const first = parts.get(part.id);
    if (!first) parts.set(part.id, { part, path: `${path}/${kind}` });
    else if (JSON.stringify(first.part) !== JSON.stringify(part)) {
      errors.push({ path: `${path}/${kind}`, message: `must be the same as at ${first.path}, which has the same id` });
    }
  }
  return { parts, errors };
}

function mentionErrors<Part extends { id: string }>(
  { path, kind, id, part }: Mention<Part>,
  given: ReadonlyMap<string, unknown>,
  stored: ReadonlyMap<string, unknown>,
): ErrorDetail[] {
  if (part) return part.id === id ? [] : [{ path: `${path}/${kind}_id`, message: `must be the id of the ${kind}` }];
  if (id === null) return [{ path: `${path}/${kind}`, message: `is required, or the ${kind}_id of one that exists` }];
  return given.has(id) || stored.has(id) ? [] : [{ path: `${path}/${kind}_id`, message: `there is no such ${kind}` }];
}

/** Every page by its id; so with messages. */
export const pagesOf = ({ templates }: StoredDocument): Map<string, StoredPage> =>
  new Map(templates.flatMap(({ template_pages }) => template_pages.map(({ page }) => [page.id, page])));
const messagesOf = ({ templates }: StoredDocument): Map<string, StoredMessage> =>
  new Map(templates.flatMap(({ template_messages }) => template_messages.map(({ message }) => [message.id, message])));

/** The templates with each page and message as the document gives it, else as it is stored; unknown ones left out. */
export function withParts(
  templates: readonly IdentifiedTemplate[],
  { pages, messages }: GivenParts,
  stored: StoredDocument,
): StoredTemplate[] {
  const [storedPages, storedMessages] = [pagesOf(stored), messagesOf(stored)];
  return templates.map((template) => ({
    ...template,
    template_pages: template.template_pages.flatMap((each) => {
      const page = pages.get(each.page_id ?? '')?.part ?? storedPages.get(each.page_id ?? '');
      return page ? [{ ...each, page }] : [];
    }),
    template_messages: template.template_messages.flatMap((each) => {
      const message = messages.get(each.message_id ?? '')?.part ?? storedMessages.get(each.message_id ?? '');
      return message ? [{ ...each, message }] : [];
    }),
  }));
}
