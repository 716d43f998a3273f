import type {
  GivenDocument,
  StoredBlock,
  StoredChannel,
  StoredDocument,
  StoredMessage,
  StoredObjective,
  StoredPage,
  StoredTemplate,
  StoredTemplateMessage,
  StoredTemplatePage,
} from '../domain/campaigns/document.ts';
import type { Team, TeamFeature } from '../domain/teams/team.ts';
import { blockTraits, containerTraits, matched, messageTraits, pageTraits, type Traits } from './match.ts';
import { messagesOf, pagesOf } from './stored-parts.ts';

/** Makes an id for an object without one. The same name always gives the same id. */
export type IdOf = (name: string) => string;

/** What an import depends on, in addition to the document and the stored content. */
export type ImportContext = {
  /** `null` for global content. */
  teamId: string | null;
  features: readonly TeamFeature[];
  /** Objectives that pages, messages and rules may refer to, in addition to those of the team. */
  globalObjectives: readonly { id: string; key: string }[];
  /** What is stored, if the import replaces all of it. */
  before?: StoredDocument;
  /** The team from whose senders messages come; left out without one. */
  team?: Pick<Team, 'senders'> | undefined;
  idOf: IdOf;
  now: string;
};

/** The document with all ids. A page or message may still be only an id. */
export type IdentifiedDocument = {
  objectives: StoredObjective[];
  engagement_channels: StoredChannel[];
  templates: IdentifiedTemplate[];
};
export type IdentifiedTemplate = Omit<StoredTemplate, 'template_pages' | 'template_messages'> & {
  template_pages: (Omit<StoredTemplatePage, 'page'> & { page: StoredPage | null })[];
  template_messages: (Omit<StoredTemplateMessage, 'message'> & { message: StoredMessage | null })[];
};

type Given<List extends keyof GivenDocument> = GivenDocument[List][number];
type GivenPage = NonNullable<Given<'templates'>['template_pages'][number]['page']>;
type WithoutId<T> = Omit<T, 'id'> & { id: string | null };

/**
 * Adds missing ids. An object without one is matched with a stored one (contract, section 6): an objective by its key, a
 * channel or template by its name, any other object within the same parent by {@link matched}. A new object gets an id
 * that no object of its parent has had, so that it does not get the progress of one that was removed.
 */
export function identified(document: GivenDocument, stored: StoredDocument, idOf: IdOf): IdentifiedDocument {
  const byKey = new Map(stored.objectives.map(({ key, id }) => [key, id]));
  const channelIds = idsByName('channel', document.engagement_channels, stored.engagement_channels, idOf);
  const templateIds = idsByName('template', document.templates, stored.templates, idOf);
  return {
    objectives: document.objectives.map((each) => ({
      ...each,
      id: each.id ?? byKey.get(each.key) ?? idOf(`objective:${each.key}`),
    })),
    engagement_channels: document.engagement_channels.map((each, index) => {
      const id = channelIds[index]!;
      const before = stored.engagement_channels.find((other) => other.id === id);
      return channelWithIds(each, id, { before, idOf });
    }),
    templates: document.templates.map((each, index) => templateWithIds(each, templateIds[index]!, stored, idOf)),
  };
}

type Named = { id: string | null; name: string | null };

/** Of several stored objects with the name, it is the first whose id the document does not give to another object. */
function idsByName(kind: string, given: readonly Named[], stored: readonly Named[], idOf: IdOf): string[] {
  const own = new Set(given.map(({ id }) => id));
  const taken = new Set([...own, ...stored.map(({ id }) => id)]);
  return given.map(({ id, name }, index) => {
    const before = stored.find((other) => name !== null && other.name === name && !own.has(other.id));
    return id ?? before?.id ?? freshId(`${kind}:${name ?? index}`, name === null ? new Set() : taken, idOf);
  });
}

/** An id that is not taken. */
function freshId(name: string, taken: ReadonlySet<string | null | undefined>, idOf: IdOf): string {
  const names = [name, ...Array.from(taken, (_, count) => `${name}#${count + 2}`)];
  return names.map(idOf).find((id) => !taken.has(id)) ?? idOf(name);
}

/** The same object as it is stored, if it is, and how ids are made. */
type Context<Stored> = { before: Stored | undefined; idOf: IdOf };

const channelWithIds = (
  channel: Given<'engagement_channels'>,
  id: string,
  { before, idOf }: Context<StoredChannel>,
): StoredChannel => ({
  ...channel,
  id,
  default_content: channel.default_content && {
    ...channel.default_content,
    content_blocks: blocksWithIds(channel.default_content.content_blocks, `${id}/default_content`, {
      before: before && (before.default_content?.content_blocks ?? []),
      idOf,
    }),
  },
});

function templateWithIds(
  template: Given<'templates'>,
  id: string,
  stored: StoredDocument,
  idOf: IdOf,
): IdentifiedTemplate {
  const before = stored.templates.find((each) => each.id === id);
  const [storedPages, storedMessages] = [pagesOf(stored), messagesOf(stored)];
  const pages = { before: before?.template_pages, idOf, guesses: true };
  const messages = { before: before?.template_messages, idOf };
  return {
    ...template,
    id,
    content_blocks: blocksWithIds(template.content_blocks, id, { before: before?.content_blocks, idOf }),
    template_pages: withIds(template.template_pages, `${id}/template_pages`, pageTraits, pages, (each, own, same) => {
      const pageId = each.page?.id ?? each.page_id ?? same?.page.id ?? idOf(`${own}/page`);
      const page = each.page && pageWithIds(each.page, pageId, { before: storedPages.get(pageId), idOf });
      return { ...each, id: own, page_id: each.page_id ?? page?.id ?? null, page };
    }),
    template_messages: withIds(
      template.template_messages,
      `${id}/template_messages`,
      messageTraits,
      messages,
      (each, own, same) => {
        const messageId = each.message?.id ?? each.message_id ?? same?.message.id ?? idOf(`${own}/message`);
        const context = { before: storedMessages.get(messageId)?.content_blocks, idOf };
        const message = each.message && {
          ...each.message,
          id: messageId,
          content_blocks: blocksWithIds(each.message.content_blocks, messageId, context),
        };
        return { ...each, id: own, message_id: each.message_id ?? message?.id ?? null, message };
      },
    ),
  };
}

function pageWithIds(page: GivenPage, id: string, { before, idOf }: Context<StoredPage>): StoredPage {
  const containers = { before: before?.content_containers, idOf };
  return {
    ...page,
    id,
    completion_product_ids: distinct(page.completion_product_ids),
    completion_standardized_types: distinct(page.completion_standardized_types),
    content_blocks: blocksWithIds(page.content_blocks, id, { before: before?.content_blocks, idOf }),
    content_containers: withIds(
      page.content_containers,
      `${id}/content_containers`,
      containerTraits,
      containers,
      (each, own, same) => {
        const content_blocks = blocksWithIds(each.content_blocks, own, { before: same?.content_blocks, idOf });
        return { ...each, id: own, content_blocks };
      },
    ),
  };
}

const blocksWithIds = (
  blocks: readonly WithoutId<StoredBlock>[],
  owner: string,
  context: Context<readonly StoredBlock[]>,
): StoredBlock[] => withIds(blocks, `${owner}/content_blocks`, blockTraits, context, (block, id) => ({ ...block, id }));

/**
 * Makes each object of a list with its id, and the stored object that it is. In a new list a new id is made from the
 * place. In a stored one it is made from the content, because another object may have had the place.
 */
function withIds<Given extends { id: string | null }, Stored extends { id: string }, Made>(
  given: readonly Given[],
  list: string,
  traitsOf: (each: Given | Stored) => Traits,
  { before, idOf, guesses = false }: Context<readonly Stored[]> & { guesses?: boolean },
  make: (each: Given, id: string, before: Stored | undefined) => Made,
): Made[] {
  const traits = given.map(traitsOf);
  const found = matched(traits, before?.map(traitsOf) ?? [], { guesses });
  const known = given.map(({ id }, place) => id ?? before?.[found[place] ?? -1]?.id);
  const taken = new Set(known);
  return given.map((each, place) => {
    const { kind, titles, content } = traits[place]!;
    const name = before ? `${list}/${JSON.stringify([kind, titles, content])}` : `${list}/${place}`;
    const id = known[place] ?? freshId(name, taken, idOf);
    taken.add(id);
    return make(each, id, before?.[found[place] ?? -1]);
  });
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
