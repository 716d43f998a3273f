import type { ContentBlock } from './block.ts';
import type { EngagementChannel } from './channel.ts';
import type {
  StoredBlock,
  StoredContainer,
  StoredDocument,
  StoredMessage,
  StoredPage,
  StoredTemplate,
} from './document.ts';
import type { Message } from './message.ts';
import type { Objective } from './objective.ts';
import type { ContentContainer, Page } from './page.ts';
import type { ShownTeam } from './team.ts';
import type { Template } from './template.ts';

/** The stored content of a team that has none. */
export const noContent: StoredDocument = { objectives: [], engagement_channels: [], templates: [] };

/** All content of a team in the form of responses: references are resolved and lists are sorted. */
export type LinkedContent = {
  /** By `targeting_order`, then by name. */
  templates: Template[];
  /** Objectives of the team and global ones, by key. */
  objectives: Objective[];
  /** By name, with the settings of the administrator. */
  engagement_channels: EngagementChannel[];
};

export type Owner = { teamId: string; team: ShownTeam | null };

type Sources = Owner & { objectives: ReadonlyMap<string, Objective>; channels: ReadonlyMap<string, EngagementChannel> };

/** The ids of the container of a block, and of the objects that contain the container. */
type Place = Pick<
  ContentBlock,
  'container_id' | 'container_type' | 'content_container_id' | 'message_id' | 'page_id' | 'template_id'
>;

/** @param own the stored content of the team @param global the global content, whose objectives all teams have */
export function linked(own: StoredDocument, global: StoredDocument, owner: Owner): LinkedContent {
  const objectives = [
    ...own.objectives.map((each) => ({ ...each, team_id: owner.teamId })),
    ...global.objectives.map((each) => ({ ...each, team_id: null })),
  ];
  const sources: Sources = {
    ...owner,
    objectives: new Map(objectives.map((each) => [each.id, each])),
    channels: new Map(own.engagement_channels.map((each) => [each.id, each])),
  };
  return {
    templates: own.templates
      .map((template) => linkedTemplate(template, sources))
      .sort((a, b) => byNumber(a.targeting_order, b.targeting_order) || byText(a.name, b.name) || byText(a.id, b.id)),
    objectives: objectives.sort((a, b) => byText(a.key, b.key) || byText(a.id, b.id)),
    engagement_channels: own.engagement_channels.toSorted((a, b) => byText(a.name, b.name) || byText(a.id, b.id)),
  };
}

function linkedTemplate(template: StoredTemplate, sources: Sources): Template {
  const { content_blocks, template_pages, template_messages, ...fields } = template;
  const template_id = template.id;
  return {
    ...fields,
    team: sources.team,
    content_blocks: blocksIn(content_blocks, { ...nowhere, template_id }, 'template', template_id),
    template_pages: inOrder(template_pages).map(({ page, ...rest }) => ({
      ...rest,
      template_id,
      page_id: page.id,
      page: linkedPage(page, template_id, sources),
    })),
    template_messages: inOrder(template_messages).map(({ message, ...rest }) => ({
      ...rest,
      template_id,
      message_id: message.id,
      message: linkedMessage(message, template_id, sources),
    })),
  };
}

function linkedPage(page: StoredPage, template_id: string, sources: Sources): Page {
  const within = { ...nowhere, template_id, page_id: page.id };
  return {
    ...page,
    team: sources.team,
    team_id: sources.teamId,
    content_blocks: blocksIn(page.content_blocks, within, 'page', page.id),
    content_containers: page.content_containers.map((each) => linkedContainer(each, page.id, template_id, sources)),
  };
}

function linkedContainer(
  container: StoredContainer,
  page_id: string,
  template_id: string,
  { channels }: Sources,
): ContentContainer {
  const within = { ...nowhere, template_id, page_id, content_container_id: container.id };
  const channel = channels.get(container.engagement_channel_id ?? '');
  return {
    ...container,
    page_id,
    engagement_channel: channel ? shownChannelOf(channel) : null,
    content_blocks: blocksIn(container.content_blocks, within, 'content_container', container.id),
  };
}

function linkedMessage(message: StoredMessage, template_id: string, { objectives }: Sources): Message {
  const within = { ...nowhere, template_id, message_id: message.id };
  return {
    ...message,
    objective: objectives.get(message.objective_id ?? '') ?? null,
    content_blocks: blocksIn(message.content_blocks, within, 'message', message.id),
  };
}

type Within = Omit<Place, 'container_id' | 'container_type'>;
const nowhere: Within = { content_container_id: null, message_id: null, page_id: null, template_id: null };

const blocksIn = (
  blocks: readonly StoredBlock[],
  within: Within,
  container_type: Place['container_type'],
  container_id: string,
): ContentBlock[] => inOrder(blocks).map((block) => ({ ...block, ...within, container_type, container_id }));

export function shownChannelOf({ lookup_fields, frame_ancestors, default_content, ...shown }: EngagementChannel) {
  return shown;
}

/** Sorts by `order`. Objects without one come last, and equal ones keep their order in the document. */
const inOrder = <T extends { order: number | null }>(values: readonly T[]): T[] =>
  values.toSorted((a, b) => byNumber(a.order, b.order));

function byNumber(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

function byText(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}
