import type {
  GivenDocument,
  StoredBlock,
  StoredChannel,
  StoredContainer,
  StoredDocument,
  StoredMessage,
  StoredObjective,
  StoredPage,
  StoredTemplate,
  StoredTemplateMessage,
  StoredTemplatePage,
} from '../../lib/domain/content/document.ts';
import type { TeamFeature } from '../../lib/domain/team.ts';

/** Makes an id for an object without one. The same name always gives the same id. */
export type IdOf = (name: string) => string;

/** What an import depends on, in addition to the document and the stored content. */
export type ImportContext = {
  /** `null` for global content. */
  teamId: string | null;
  features: readonly TeamFeature[];
  /** Objectives that pages and messages may refer to, in addition to those of the team. */
  globalObjectives: readonly { id: string }[];
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
type GivenTemplatePage = Given<'templates'>['template_pages'][number];
type GivenTemplateMessage = Given<'templates'>['template_messages'][number];
type GivenPage = NonNullable<GivenTemplatePage['page']>;
type GivenMessage = NonNullable<GivenTemplateMessage['message']>;
type WithoutId<T> = Omit<T, 'id'> & { id: string | null };

/**
 * Adds missing ids. They are made from values that do not change between imports of one file: the key of an objective,
 * the name of a channel or template, or the position in the containing object. A file without ids can therefore be
 * imported again.
 */
export function identified(document: GivenDocument, stored: StoredDocument, idOf: IdOf): IdentifiedDocument {
  const byKey = new Map(stored.objectives.map(({ key, id }) => [key, id]));
  return {
    objectives: document.objectives.map((each) => ({
      ...each,
      id: each.id ?? byKey.get(each.key) ?? idOf(`objective:${each.key}`),
    })),
    engagement_channels: document.engagement_channels.map((each, index) =>
      channelWithIds(each, each.id ?? idOf(`channel:${each.name ?? index}`), idOf),
    ),
    templates: document.templates.map((each, index) => templateWithIds(each, index, idOf)),
  };
}

const channelWithIds = (channel: Given<'engagement_channels'>, id: string, idOf: IdOf): StoredChannel => ({
  ...channel,
  id,
  default_content: channel.default_content && {
    ...channel.default_content,
    content_blocks: blocksWithIds(channel.default_content.content_blocks, `${id}/default_content`, idOf),
  },
});

function templateWithIds(template: Given<'templates'>, index: number, idOf: IdOf): IdentifiedTemplate {
  const id = template.id ?? idOf(`template:${template.name ?? index}`);
  return {
    ...template,
    id,
    content_blocks: blocksWithIds(template.content_blocks, id, idOf),
    template_pages: template.template_pages.map((each, place) => {
      const own = each.id ?? idOf(`${id}/template_pages/${place}`);
      const page = each.page && pageWithIds(each.page, each.page.id ?? each.page_id ?? idOf(`${own}/page`), idOf);
      return { ...each, id: own, page_id: each.page_id ?? page?.id ?? null, page };
    }),
    template_messages: template.template_messages.map((each, place) => {
      const own = each.id ?? idOf(`${id}/template_messages/${place}`);
      const message =
        each.message &&
        messageWithIds(each.message, each.message.id ?? each.message_id ?? idOf(`${own}/message`), idOf);
      return { ...each, id: own, message_id: each.message_id ?? message?.id ?? null, message };
    }),
  };
}

function pageWithIds(page: GivenPage, id: string, idOf: IdOf): StoredPage {
  return {
    ...page,
    id,
    completion_product_ids: distinct(page.completion_product_ids),
    completion_standardized_types: distinct(page.completion_standardized_types),
    content_blocks: blocksWithIds(page.content_blocks, id, idOf),
    content_containers: page.content_containers.map((each, place): StoredContainer => {
      const own = each.id ?? idOf(`${id}/content_containers/${place}`);
      return { ...each, id: own, content_blocks: blocksWithIds(each.content_blocks, own, idOf) };
    }),
  };
}

const messageWithIds = (message: GivenMessage, id: string, idOf: IdOf): StoredMessage => ({
  ...message,
  id,
  content_blocks: blocksWithIds(message.content_blocks, id, idOf),
});

const blocksWithIds = (blocks: readonly WithoutId<StoredBlock>[], owner: string, idOf: IdOf): StoredBlock[] =>
  blocks.map((block, place) => ({ ...block, id: block.id ?? idOf(`${owner}/content_blocks/${place}`) }));

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
