import { randomUUID } from 'node:crypto';
import { accountFieldNames } from '../../lib/domain/account-fields.ts';
import { channelValues, everyField, everyFieldIds, objectiveValues } from './campaign-fields.ts';

export type CampaignIds = ReturnType<typeof newIds>;

const newIds = () => ({
  ...everyFieldIds(),
  ...{ channel: randomUUID(), bareChannel: randomUUID() },
  ...{
    welcome: randomUUID(),
    view: randomUUID(),
    confirm: randomUUID(),
    action: randomUUID(),
    agreement: randomUUID(),
  },
  ...{ goal: randomUUID(), goalPage: randomUUID(), product: randomUUID(), productPage: randomUUID() },
  ...{ private: randomUUID(), privatePage: randomUUID(), archived: randomUUID(), survey: randomUUID() },
  ...{
    closed: randomUUID(),
    short: randomUUID(),
    shortPage: randomUUID(),
    expired: randomUUID(),
    closedPage: randomUUID(),
  },
});

const live = { status: 'live', is_cce_enabled: true, is_muted: false };
const text = (body: string) => [{ type: 'text', data: { body } }];

/** Account fields that a page can show after the person has proved the identity. */
export const shownAccountFields = [
  ...['account_number', 'role', 'product.id', 'product.code', 'product.type', 'product.standardized_type'],
  ...['product.name', 'product.description', ...accountFieldNames],
  ...['meta_public.branch.code', 'meta_private.scores.0'],
];

/** Writes each value between brackets, so that a check finds it. */
const bracketed = (names: readonly string[]): string => names.map((name) => `${name}=[{{${name}}}]`).join('\n');

/** The campaigns of the first team, as the admin command imports them. */
export function campaigns() {
  const ids = newIds();
  const objectives = [
    { ...objectiveValues, id: ids.objective },
    { id: ids.goal, key: 'app_installed' },
  ];
  const lookup_fields = ['email', 'meta_private[core_id]'];
  const engagement_channels = [
    { ...channelValues, id: ids.channel, lookup_fields, default_content: { content_blocks: text('For everyone') } },
    { id: ids.bareChannel },
  ];
  return { ids, document: { objectives, engagement_channels, templates: templatesOf(ids) } };
}

function templatesOf(ids: CampaignIds): object[] {
  const container = { engagement_channel_id: ids.channel, content_blocks: text('Content of {{name_first}}') };
  const page = (id: string, condition: string | null, more: object = {}) => ({
    page: { id, completion_condition: condition, navigation_title: `Page ${condition}`, ...more },
  });
  return [
    ...everyField(ids, ids.channel),
    {
      ...{ id: ids.welcome, name: 'Welcome', targeting_order: 1, ...live },
      template_pages: [
        { order: 1, ...page(ids.view, 'view', { content_containers: [container] }) },
        { order: 2, ...page(ids.confirm, 'confirm', { content_blocks: [agreement(ids.agreement)] }) },
        { order: 3, ...page(ids.action, 'action') },
        { order: 4, ...page(ids.goalPage, 'objective', { objective_id: ids.goal }) },
        { order: 5, ...page(ids.productPage, 'open', { completion_product_type: 'lease' }) },
      ],
    },
    {
      ...{ id: ids.private, name: 'Private', targeting_order: 2, ...live, is_cce_enabled: false },
      template_pages: [page(ids.privatePage, 'confirm', { content: privateText })],
    },
    {
      ...{ id: ids.short, name: 'Short', ...live, is_cce_enabled: false },
      template_pages: [page(ids.shortPage, 'confirm')],
    },
    { id: ids.archived, name: 'Archived', is_archived: true },
    {
      ...{ id: ids.closed, name: 'Closed', ...live, is_cce_enabled: false, is_auth_required: true },
      template_pages: [page(ids.closedPage, 'confirm', { content: 'Hello {{name_first}}' })],
    },
    {
      ...{ id: ids.survey, name: 'Survey', status: 'draft' },
      template_pages: [page(randomUUID(), null, { content_blocks: [{ type: 'survey' }] })],
    },
    {
      ...{ id: ids.expired, name: 'Expired', ...live, is_cce_enabled: false, journey_duration_hours: 0 },
      template_pages: [page(randomUUID(), 'confirm')],
    },
  ];
}

const agreement = (id: string) => ({ id, type: 'agreement', data: { heading: 'Terms', agreementText: 'I agree.' } });

const privateText = bracketed([
  ...['meta_public.car.0.make', 'meta_public.branch', 'meta_private.limit', 'meta_private.cards.1.name'],
  ...shownAccountFields.map((name) => `account.${name}`),
]);

/** The campaign of the second team, which has the two reporting features. */
export function featured() {
  const ids = {
    template: randomUUID(),
    byType: randomUUID(),
    product: randomUUID(),
    byProduct: randomUUID(),
    channel: randomUUID(),
  };
  const condition = { completion_condition: 'open' };
  const document = {
    engagement_channels: [{ id: ids.channel, name: 'Other' }],
    templates: [
      {
        ...{ id: ids.template, name: 'Products', ...live },
        template_pages: [
          { order: 1, page: { id: ids.byType, ...condition, completion_standardized_types: ['ira_cd', 'heloc'] } },
          { order: 2, page: { id: ids.byProduct, ...condition, completion_product_ids: [ids.product] } },
        ],
      },
    ],
  };
  return { ids, document };
}
