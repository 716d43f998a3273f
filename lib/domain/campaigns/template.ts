import * as z from 'zod';
import { flag } from '../values/fields.ts';
import type { JsonValue } from '../values/json.ts';
import { uuid } from '../values/uuid.ts';
import { blockOf, contentBlock } from './block.ts';
import { styleSheet } from './channel.ts';
import type { TemplateMessage } from './message.ts';
import type { TemplatePage } from './page.ts';
import type { TargetingGroup } from './targeting-rule.ts';
import { shownTeam } from './team.ts';
import {
  anyJson,
  jsonObject,
  language,
  list,
  moment,
  number,
  type OwnWords,
  oneOf,
  optional,
  ownWords,
  prose,
  shapeOf,
  type Translations,
  translations,
} from './values.ts';

export const audiences = [
  'Net New - Direct',
  'Net New - Indirect',
  'Existing - Direct',
  'Existing - Indirect',
  'Attrited/Dormant',
  'All',
  'Other',
] as const;
const useCases = ['Onboarding', 'Digital Engagement', 'Cross-Sell', 'Operational Efficiency', 'Other'] as const;
const titleTypes = ['CONTACT_NAME', 'CUSTOM', 'NONE', 'TEAM_NAME', 'TEMPLATE_NAME'] as const;

const fields = {
  name: optional(prose(), 'Campaign name'),
  analytics: optional(anyJson(), 'Campaign analytics'),
  archived_at: optional(moment(), 'Time at which the campaign was archived'),
  audience: optional(oneOf(audiences), 'Audience of the campaign'),
  content_block_status: optional(oneOf(['draft', 'published']), 'State of the content blocks'),
  css: optional(prose(), 'CSS'),
  custom_css: optional(prose(), 'Custom CSS'),
  editor_styles: optional(
    shapeOf({
      branding_styles: optional(jsonObject(), 'Styles of the brand'),
      template_styles: optional(jsonObject(), 'Styles of the template'),
    }),
    'Styles that the editor offers',
  ),
  email_sender_address: optional(prose(), 'Email address of the sender'),
  email_sender_name: optional(prose(), 'Name of the sender'),
  facts: optional(anyJson(), 'Campaign facts'),
  footer_content: optional(anyJson(), 'Footer content'),
  hide_progress_ring: optional(flag(), 'True if the progress ring is hidden'),
  inserted_at: optional(moment(), 'Time of creation'),
  is_archived: optional(flag(), 'True if the campaign is archived'),
  is_auth_required: optional(flag(), 'True if contacts must prove their identity for the campaign'),
  is_cce_enabled: optional(flag(), 'True if cross-channel engagement is enabled'),
  is_muted: optional(flag(), 'True if the campaign is muted'),
  is_targeting_priority: optional(flag(), 'True if the campaign has priority in targeting'),
  journey_creation_strategy: optional(
    oneOf(['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY']),
    'How targeting creates journeys',
  ),
  journey_duration_hours: optional(number(), 'Hours that a journey lasts'),
  journey_title_options: optional(
    shapeOf({
      type: optional(oneOf(titleTypes), 'Source of the title of a journey'),
      custom: optional(prose(), 'The title, if `type` is `CUSTOM`'),
    }),
    'Title of journeys',
  ),
  layout_basis: optional(prose(), 'Layout direction'),
  logo_file_id: optional(prose(), 'Id of the logo file'),
  owner_id: optional(prose(), 'Id of the owner'),
  status: optional(oneOf(['archived', 'draft', 'live']), 'State of the campaign'),
  styles: optional(styleSheet(), 'Style objects'),
  support_owner_options: optional(anyJson(), 'Options of the support owner'),
  targeting_account_priority: optional(anyJson(), 'Priority by which targeting filters accounts'),
  targeting_group_logical_operator: optional(oneOf(['AND', 'OR']), 'How targeting groups are combined'),
  targeting_order: optional(number(), 'Position in the order of targeting'),
  theme_base: optional(anyJson(), 'Base theme'),
  theme_overrides: optional(anyJson(), 'Theme overrides'),
  theme: optional(anyJson(), 'Theme'),
  type: optional(oneOf(['standard', 'tactical']), 'Kind of campaign'),
  use_case: optional(oneOf(useCases), 'What the campaign is used for'),
};

/** A template as it is imported and stored, with its pages, messages and blocks. */
export const templateOf = <
  Id extends z.ZodType,
  Page extends z.ZodType,
  Message extends z.ZodType,
  Groups extends z.ZodType,
>(
  id: Id,
  templatePage: Page,
  templateMessage: Message,
  targetingGroups: Groups,
) =>
  shapeOf({
    id: id.describe('Template id'),
    ...fields,
    // Our addition: the template of the specification has no language, so responses do not contain it.
    language: optional(language(), "Language of the pages' own words, BCP 47"),
    // Our addition too: the texts of the template in other languages.
    translations: optional(translations(), 'For each language (BCP 47): the translation of each text'),
    // Our addition too: what shows that a translation is older than its text.
    translated_from: optional(
      translations(),
      'For each language: the earlier text that a translation was made from, by the text as it is now',
    ),
    // Our addition too: texts of the pages themselves.
    words: optional(ownWords(), "Other words for the pages' own texts: by language, the keys of the words"),
    // Our addition too: the page that is shown when the journey is completed.
    ending: optional(
      shapeOf({
        heading: optional(prose(), 'Heading; the words of the page by default'),
        body: optional(prose(), 'What was achieved'),
        next: optional(prose(), 'What comes next'),
        cta: optional(anyJson(), 'Call to action: `text` and `url`'),
      }),
      'The page that is shown when the journey is completed',
    ),
    // Our addition too: the rule by which targeting starts journeys.
    targeting_groups: targetingGroups,
    content_blocks: list(blockOf(id), 'Content blocks of the template itself'),
    template_pages: list(templatePage, 'Pages of the template'),
    template_messages: list(templateMessage, 'Messages of the template'),
  });

/** Specification, "Template (campaign)". Responses have `has_survey_content_blocks` only on request. */
export const shownTemplate = z
  .object({
    id: uuid().describe('Template id'),
    ...fields,
    content_blocks: z.array(contentBlock).describe('Content blocks of the template itself'),
    team: shownTeam.nullable().describe('Owning team'),
  })
  .meta({ id: 'Template', description: 'A campaign' });
export type ShownTemplate = z.output<typeof shownTemplate>;

/** A template with its pages and messages in order. */
export type Template = ShownTemplate & {
  /** Language (BCP 47) of the built-in texts of pages. `null` means the language of the team. */
  language: string | null;
  /** The texts in other languages. `null` if there is only one language. */
  translations: Translations | null;
  /** The text that a translation was made from, by language and text, if it is not the text. Absent in older content. */
  translated_from?: Translations | null;
  /** The pages' own words that the template replaces. */
  words: OwnWords | null;
  /** The page that is shown when the journey is completed. `null` means the words of the page. */
  ending: { heading: string | null; body: string | null; next: string | null; cta: JsonValue | null } | null;
  /** Whom targeting starts journeys for. `null` means nobody. */
  targeting_groups: TargetingGroup[] | null;
  template_pages: TemplatePage[];
  template_messages: TemplateMessage[];
};
