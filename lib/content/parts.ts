import type { StoredDocument, StoredMessage, StoredPage, StoredTemplate } from '../domain/campaigns/document.ts';
import type { ErrorDetail } from '../domain/values/problem.ts';
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
  const all = templates.map(({ template_pages, template_messages }, index) => {
    const at = `/templates/${index}/template_`;
    return {
      pages: template_pages.map(({ page_id: id, page: part }, place): Mention<StoredPage> => {
        return { path: `${at}pages/${place}`, kind: 'page', id, part };
      }),
      messages: template_messages.map(({ message_id: id, message: part }, place): Mention<StoredMessage> => {
        return { path: `${at}messages/${place}`, kind: 'message', id, part };
      }),
    };
  });
  const pages = gathered(
    all.flatMap((each) => each.pages),
    pagesOf(stored),
  );
  const messages = gathered(
    all.flatMap((each) => each.messages),
    messagesOf(stored),
  );
  return { parts: { pages: pages.parts, messages: messages.parts }, errors: [...pages.errors, ...messages.errors] };
}

function gathered<Part extends { id: string }>(
  mentions: readonly Mention<Part>[],
  stored: ReadonlyMap<string, unknown>,
) {
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
  return { parts, errors: [...errors, ...mentions.flatMap((each) => mentionErrors(each, parts, stored))] };
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
