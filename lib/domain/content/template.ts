import * as z from 'zod';
import { flag } from '../fields.ts';
import { blockOf, contentBlock } from './block.ts';
import { styleSheet } from './channel.ts';
import type { TemplateMessage } from './message.ts';
import type { TemplatePage } from './page.ts';
import { shownTeam } from './team.ts';
import { anyJson, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf, uuid } from './values.ts';

export const audiences = [
  'Net New - Direct',
  'Net New - Indirect',
  'Existing - Direct',
  'Existing - Indirect',
  'Attrited/Dormant',
  'All',
  'Other',
] as const;
export const useCases = ['Onboarding', 'Digital Engagement', 'Cross-Sell', 'Operational Efficiency', 'Other'] as const;
export const titleTypes = ['CONTACT_NAME', 'CUSTOM', 'NONE', 'TEAM_NAME', 'TEMPLATE_NAME'] as const;

const fields = {
  name: optional(prose()),
  analytics: optional(anyJson()),
  archived_at: optional(moment()),
  audience: optional(oneOf(audiences)),
  content_block_status: optional(oneOf(['draft', 'published'])),
  css: optional(prose()),
  custom_css: optional(prose()),
  editor_styles: optional(
    shapeOf({ branding_styles: optional(jsonObject()), template_styles: optional(jsonObject()) }),
  ),
  email_sender_address: optional(prose()),
  email_sender_name: optional(prose()),
  facts: optional(anyJson()),
  footer_content: optional(anyJson()),
  hide_progress_ring: optional(flag()),
  inserted_at: optional(moment()),
  is_archived: optional(flag()),
  is_auth_required: optional(flag()),
  is_cce_enabled: optional(flag()),
  is_muted: optional(flag()),
  is_targeting_priority: optional(flag()),
  journey_creation_strategy: optional(oneOf(['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY'])),
  journey_duration_hours: optional(number()),
  journey_title_options: optional(shapeOf({ type: optional(oneOf(titleTypes)), custom: optional(prose()) })),
  layout_basis: optional(prose()),
  logo_file_id: optional(prose()),
  owner_id: optional(prose()),
  status: optional(oneOf(['archived', 'draft', 'live'])),
  styles: optional(styleSheet()),
  support_owner_options: optional(anyJson()),
  targeting_account_priority: optional(anyJson()),
  targeting_group_logical_operator: optional(oneOf(['AND', 'OR'])),
  targeting_order: optional(number()),
  theme_base: optional(anyJson()),
  theme_overrides: optional(anyJson()),
  theme: optional(anyJson()),
  type: optional(oneOf(['standard', 'tactical'])),
  use_case: optional(oneOf(useCases)),
};

/** A template as it is imported and stored, with all that it consists of. */
export const templateOf = <Id extends z.ZodType, Page extends z.ZodType, Message extends z.ZodType>(
  id: Id,
  templatePage: Page,
  templateMessage: Message,
) =>
  shapeOf({
    id,
    ...fields,
    content_blocks: list(blockOf(id)),
    template_pages: list(templatePage),
    template_messages: list(templateMessage),
  });

/** Specification, "Template (campaign)". `has_survey_content_blocks` is there only where it is asked for. */
export const shownTemplate = z
  .object({
    id: uuid(),
    ...fields,
    content_blocks: z.array(contentBlock),
    team: shownTeam.nullable(),
  })
  .meta({ id: 'Template' });
export type ShownTemplate = z.output<typeof shownTemplate>;

/** A template with all that it consists of, pages and messages in their order. */
export type Template = ShownTemplate & { template_pages: TemplatePage[]; template_messages: TemplateMessage[] };

/** Whether no journey may start from it any more, whichever field says so. */
export const isArchived = ({
  is_archived,
  status,
  archived_at,
}: Pick<Template, 'is_archived' | 'status' | 'archived_at'>): boolean =>
  is_archived === true || status === 'archived' || (archived_at !== null && is_archived === null);

export function shownTemplateOf({ template_pages, template_messages, ...shown }: Template): ShownTemplate {
  return shown;
}

/** Whether any block of the template, wherever it stands, is a survey (contract, section 7). */
export function hasSurvey({ content_blocks, template_pages, template_messages }: Template): boolean {
  const blocks = [
    content_blocks,
    ...template_messages.map(({ message }) => message.content_blocks),
    ...template_pages.flatMap(({ page }) => [
      page.content_blocks,
      ...page.content_containers.map((container) => container.content_blocks),
    ]),
  ];
  return blocks.flat().some(({ type }) => type === 'survey');
}
