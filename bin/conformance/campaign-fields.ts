import { randomUUID } from 'node:crypto';

/** A value for every field that the administrator sets in campaign content, by object of the specification. */

const styleSheet = {
  custom: { a: 1 },
  overrides: { b: [2] },
  palette: { main: '#123456' },
  typography: { font: 'Inter' },
};

export const templateValues = {
  name: 'Every field',
  analytics: { opened: 3 },
  archived_at: '2026-01-02T03:04:05.000000Z',
  audience: 'Existing - Direct',
  content_block_status: 'published',
  css: '.a { color: red }',
  custom_css: '.b { color: blue }',
  editor_styles: { branding_styles: { c: 1 }, template_styles: { d: 2 } },
  email_sender_address: 'bank@example.com',
  email_sender_name: 'The bank',
  facts: [{ fact: 'one' }],
  footer_content: { text: 'Member' },
  hide_progress_ring: true,
  inserted_at: '2025-01-02T03:04:05.000000Z',
  is_archived: false,
  is_auth_required: false,
  is_cce_enabled: true,
  is_muted: false,
  is_targeting_priority: true,
  journey_creation_strategy: 'ONE_FOR_ALL',
  journey_duration_hours: 720,
  journey_title_options: { type: 'CUSTOM', custom: 'Your start' },
  layout_basis: 'grid',
  logo_file_id: 'logo-7',
  owner_id: 'owner-7',
  status: 'live',
  styles: styleSheet,
  support_owner_options: { phone: true },
  targeting_account_priority: ['newest'],
  targeting_group_logical_operator: 'OR',
  targeting_order: 30,
  theme_base: 'light',
  theme_overrides: { corner: 4 },
  theme: { name: 'Sea' },
  type: 'tactical',
  use_case: 'Cross-Sell',
};

export const blockTexts = {
  acceptedConfirmationText: 'Thank you',
  agreementText: 'I agree',
  customClass: 'wide',
  declinedConfirmationText: 'Nothing changes',
  disagreeText: 'No, thanks',
  documentLinkText: 'The terms',
  documentLinkUrl: 'https://bank.example/terms',
  heading: 'Terms',
  name: 'terms',
  signatureBoxText: 'Your full name',
};

export const blockGrid = { xs: 12, sm: 6, md: 4, lg: 3, xl: 2 };

export const blockValues = {
  css: '.c { margin: 0 }',
  data: blockTexts,
  grid: blockGrid,
  order: 4,
  slug: 'terms',
  styles: { e: 1 },
  type: 'agreement',
};

export const messageValues = {
  content_block_status: 'draft',
  content_name: 'Welcome email',
  css: '.d { margin: 0 }',
  is_archived: false,
  is_shared: true,
  is_transactional: true,
  layout_basis: 'grid',
  payload: { subject: 'Welcome' },
  styles: { f: 1 },
  type: 'email',
};

export const templateMessageValues = {
  content_variables: { greeting: 'Hello' },
  order: 2,
  queue: 'slow',
  scheduled_at: '2027-01-02T03:04:05.000000Z',
};

export const pageValues = {
  benchmark: 0.4,
  completion_condition: 'objective',
  completion_message: 'Done',
  completion_product_type: 'savings',
  content: { text: 'Body' },
  content_block_status: 'published',
  content_name: 'Start page',
  css: '.e { margin: 0 }',
  cta: { text: 'Go' },
  exclude_from_cce: true,
  hide_when_complete: true,
  is_archived: false,
  is_live: true,
  is_shared: true,
  layout_basis: 'none',
  navigation_title: 'Start',
  new_slug: 'start-2',
  old_slug: 'start-0',
  slug: 'start-1',
  styles: { g: 1 },
};

export const templatePageValues = { content_variables: { limit: 'meta_public.limit' }, is_shared: true, order: 2 };

export const containerValues = { css: '.f { margin: 0 }', layout_basis: 'table', styles: { h: 1 } };

export const channelValues = {
  name: 'Online banking',
  properties: { height: 300, width: '480px' },
  show_navigation: true,
  theme_styles: styleSheet,
};

export const objectiveValues = { key: 'online_banking_enrolled', name: 'Enrolled', driver_id: 'driver-7' };

/** The template with all of these values, and one in which nothing is set. */
export function everyField(ids: EveryFieldIds, channel: string) {
  const block = (id: string) => ({ ...blockValues, id });
  return [
    {
      ...templateValues,
      id: ids.full,
      content_blocks: [block(ids.templateBlock)],
      template_pages: [
        {
          ...templatePageValues,
          id: ids.fullTemplatePage,
          page: {
            ...pageValues,
            id: ids.fullPage,
            completion_product_id: ids.product,
            objective_id: ids.objective,
            content_blocks: [block(ids.pageBlock)],
            content_containers: [
              {
                ...containerValues,
                id: ids.fullContainer,
                engagement_channel_id: channel,
                content_blocks: [block(ids.containerBlock)],
              },
            ],
          },
        },
        {
          id: ids.bareTemplatePage,
          order: 1,
          page: { id: ids.barePage, content_containers: [{ id: ids.bareContainer }] },
        },
      ],
      template_messages: [
        {
          ...templateMessageValues,
          id: ids.fullTemplateMessage,
          template_page_id: ids.fullTemplatePage,
          message: {
            ...messageValues,
            id: ids.fullMessage,
            objective_id: ids.objective,
            content_blocks: [block(ids.messageBlock)],
          },
        },
        { id: ids.bareTemplateMessage, order: 1, message: { id: ids.bareMessage } },
      ],
    },
    { id: ids.bare, content_blocks: [{ id: ids.bareBlock }] },
  ];
}

export type EveryFieldIds = ReturnType<typeof everyFieldIds>;

export const everyFieldIds = () => ({
  ...{ full: randomUUID(), bare: randomUUID(), objective: randomUUID(), product: randomUUID() },
  ...{ fullPage: randomUUID(), barePage: randomUUID(), fullTemplatePage: randomUUID(), bareTemplatePage: randomUUID() },
  ...{ fullMessage: randomUUID(), bareMessage: randomUUID() },
  ...{ fullTemplateMessage: randomUUID(), bareTemplateMessage: randomUUID() },
  ...{ fullContainer: randomUUID(), bareContainer: randomUUID() },
  ...{ templateBlock: randomUUID(), pageBlock: randomUUID(), messageBlock: randomUUID() },
  ...{ containerBlock: randomUUID(), bareBlock: randomUUID() },
});
