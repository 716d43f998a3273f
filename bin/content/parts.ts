import type { StoredDocument, StoredMessage, StoredPage, StoredTemplate } from '../../lib/domain/content/document.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import type { IdentifiedDocument, IdentifiedTemplate } from './identify.ts';
import { messagesOf, pagesOf } from './stored-parts.ts';

/** A page or message of the document, with the path of its first occurrence. */
type Placed<Part> = { part: Part; path: string };
/** The pages and messages in the document, by id. */
export type GivenParts = { pages: Map<string, Placed<StoredPage>>; messages: Map<string, Placed<StoredMessage>> };

type Mention<Part> = { path: string; kind: 'page' | 'message'; id: string | null; part: Part | null };

/**
 * Collects the pages and messages of the document. Templates may share them. A shared one must be identical everywhere,
 * or be given as an id only.
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
      errors.push({ path: `${path}/${kind}`, message: `must be identical to ${first.path}, which has the same id` });
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
  if (id === null)
    return [{ path: `${path}/${kind}`, message: `is required, unless ${kind}_id is the id of an existing ${kind}` }];
  return given.has(id) || stored.has(id)
    ? []
    : [{ path: `${path}/${kind}_id`, message: `must be the id of an existing ${kind}` }];
}

/** The templates with pages and messages from the document, else from the stored content. Unknown ones are left out. */
export function withParts(
  templates: readonly IdentifiedTemplate[],
  { pages, messages }: GivenParts,
  stored: StoredDocument,
): StoredTemplate[] {
  const [storedPages, storedMessages] = [pagesOf(stored), messagesOf(stored)];
  return templates.map((template) => ({
    ...template,
    template_pages: template.template_pages.flatMap((each) => {
      const page = partOf(each.page_id, pages, storedPages);
      return page ? [{ ...each, page }] : [];
    }),
    template_messages: template.template_messages.flatMap((each) => {
      const message = partOf(each.message_id, messages, storedMessages);
      return message ? [{ ...each, message }] : [];
    }),
  }));
}

const partOf = <Part>(
  id: string | null,
  given: ReadonlyMap<string, Placed<Part>>,
  stored: ReadonlyMap<string, Part>,
): Part | undefined => (id === null ? undefined : (given.get(id)?.part ?? stored.get(id)));
