import type { standardizedTypes } from '../domain/account-fields.ts';
import type {
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
} from '../domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import {
  flag,
  json,
  listOf,
  mapOf,
  nullable,
  number,
  object,
  objectOf,
  openObjectOf,
  type Reader,
  text,
  textOrNull,
} from './stored-json.ts';

/**
 * Readers of stored campaign content. They do not use the schemas of the import: most functions read content, and would
 * need a fifth of the CPU of their module load to create these schemas. Only the import writes content, after it has
 * applied all rules. The order of fields is that of the schemas, because the import compares content as JSON text.
 */

const word: Reader<string | { [form: string]: string }> = (value, path) =>
  isJsonObject(value) ? mapOf(text)(value, path) : text(value, path);

const block = objectOf<StoredBlock>({
  id: text,
  css: textOrNull,
  data: nullable(
    openObjectOf<NonNullable<StoredBlock['data']>>({
      acceptedConfirmationText: textOrNull,
      agreementText: textOrNull,
      customClass: textOrNull,
      declinedConfirmationText: textOrNull,
      disagreeText: textOrNull,
      documentLinkText: textOrNull,
      documentLinkUrl: textOrNull,
      heading: textOrNull,
      name: textOrNull,
      signatureBoxText: textOrNull,
    }),
  ),
  grid: nullable(objectOf<NonNullable<StoredBlock['grid']>>({ xs: json, sm: json, md: json, lg: json, xl: json })),
  order: number,
  slug: textOrNull,
  styles: object,
  type: textOrNull,
});

const styleSheet = nullable(
  objectOf<NonNullable<StoredTemplate['styles']>>({
    custom: object,
    overrides: object,
    palette: object,
    typography: object,
  }),
);

const objective = objectOf<StoredObjective>({
  id: text,
  team_id: textOrNull,
  key: text,
  name: textOrNull,
  driver_id: textOrNull,
});

const channel = objectOf<StoredChannel>({
  id: text,
  name: textOrNull,
  properties: nullable(objectOf<NonNullable<StoredChannel['properties']>>({ height: json, width: json })),
  show_navigation: flag,
  theme_styles: styleSheet,
  lookup_fields: listOf(text),
  frame_ancestors: listOf(text),
  default_content: nullable(
    objectOf<NonNullable<StoredChannel['default_content']>>({
      css: textOrNull,
      layout_basis: textOrNull,
      styles: object,
      content_blocks: listOf(block),
    }),
  ),
});

const container = objectOf<StoredContainer>({
  id: text,
  css: textOrNull,
  engagement_channel_id: textOrNull,
  layout_basis: textOrNull,
  styles: object,
  show_until: textOrNull,
  content_blocks: listOf(block),
});

const page = objectOf<StoredPage>({
  id: text,
  benchmark: json,
  completion_condition: textOrNull,
  completion_message: textOrNull,
  completion_product_id: textOrNull,
  completion_product_type: textOrNull,
  content: json,
  content_block_status: textOrNull,
  content_name: textOrNull,
  css: textOrNull,
  cta: json,
  exclude_from_cce: flag,
  hide_when_complete: flag,
  is_archived: flag,
  is_live: flag,
  is_shared: flag,
  layout_basis: textOrNull,
  navigation_title: textOrNull,
  new_slug: textOrNull,
  old_slug: textOrNull,
  slug: textOrNull,
  objective_id: textOrNull,
  styles: object,
  completion_product_ids: listOf(text),
  completion_standardized_types: listOf(text<(typeof standardizedTypes)[number]>),
  content_blocks: listOf(block),
  content_containers: listOf(container),
  updated_at: textOrNull,
});

const message = objectOf<StoredMessage>({
  id: text,
  content_block_status: textOrNull,
  content_name: textOrNull,
  css: textOrNull,
  is_archived: flag,
  is_shared: flag,
  is_transactional: flag,
  layout_basis: textOrNull,
  objective_id: textOrNull,
  payload: json,
  styles: object,
  type: textOrNull,
  content_blocks: listOf(block),
});

const template = objectOf<StoredTemplate>({
  id: text,
  name: textOrNull,
  analytics: json,
  archived_at: textOrNull,
  audience: textOrNull,
  content_block_status: textOrNull,
  css: textOrNull,
  custom_css: textOrNull,
  editor_styles: nullable(
    objectOf<NonNullable<StoredTemplate['editor_styles']>>({ branding_styles: object, template_styles: object }),
  ),
  email_sender_address: textOrNull,
  email_sender_name: textOrNull,
  facts: json,
  footer_content: json,
  hide_progress_ring: flag,
  inserted_at: textOrNull,
  is_archived: flag,
  is_auth_required: flag,
  is_cce_enabled: flag,
  is_muted: flag,
  is_targeting_priority: flag,
  journey_creation_strategy: textOrNull,
  journey_duration_hours: number,
  journey_title_options: nullable(
    objectOf<NonNullable<StoredTemplate['journey_title_options']>>({ type: textOrNull, custom: textOrNull }),
  ),
  layout_basis: textOrNull,
  logo_file_id: textOrNull,
  owner_id: textOrNull,
  status: textOrNull,
  styles: styleSheet,
  support_owner_options: json,
  targeting_account_priority: json,
  targeting_group_logical_operator: textOrNull,
  targeting_order: number,
  theme_base: json,
  theme_overrides: json,
  theme: json,
  type: textOrNull,
  use_case: textOrNull,
  language: textOrNull,
  translations: nullable(mapOf(mapOf(text))),
  words: nullable(mapOf(mapOf(word))),
  ending: nullable(
    objectOf<NonNullable<StoredTemplate['ending']>>({
      heading: textOrNull,
      body: textOrNull,
      next: textOrNull,
      cta: json,
    }),
  ),
  content_blocks: listOf(block),
  template_pages: listOf(
    objectOf<StoredTemplatePage>({
      id: text,
      content_variables: object,
      is_shared: flag,
      order: number,
      page_id: textOrNull,
      page,
    }),
  ),
  template_messages: listOf(
    objectOf<StoredTemplateMessage>({
      id: text,
      content_variables: object,
      order: number,
      queue: textOrNull,
      scheduled_at: textOrNull,
      template_page_id: textOrNull,
      message_id: textOrNull,
      message,
    }),
  ),
});

const document = objectOf<StoredDocument>({
  objectives: listOf(objective),
  engagement_channels: listOf(channel),
  templates: listOf(template),
});

/** @throws InvalidStoredItem */
export const storedContentOf = (value: JsonValue): StoredDocument => document(value, 'document');
