import { randomUUID } from 'node:crypto';

const styleSheet = {
  custom: { a: 1 },
  overrides: { b: 2 },
  palette: { main: '#123456' },
  typography: { font: 'Inter' },
};

/** A value of every field in the specification's tables that an administrator sets. */
export const values = {
  template: {
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
    is_cce_enabled: false,
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
    support_owner_options: { phone: '+1 555 010 0199' },
    targeting_account_priority: ['newest'],
    targeting_group_logical_operator: 'OR',
    targeting_order: 30,
    theme_base: 'light',
    theme_overrides: { corner: 4 },
    theme: { name: 'Sea' },
    type: 'tactical',
    use_case: 'Cross-Sell',
  },
  block: {
    css: '.c { margin: 0 }',
    data: {
      ...{ acceptedConfirmationText: 'Thank you', agreementText: 'I agree', customClass: 'wide' },
      ...{ declinedConfirmationText: 'Nothing changes', disagreeText: 'No', documentLinkText: 'The terms' },
      ...{ documentLinkUrl: 'https://bank.example/terms', heading: 'Terms', name: 'terms', signatureBoxText: 'Name' },
    },
    grid: { xs: 12, sm: 6, md: 4, lg: 3, xl: 2 },
    order: 4,
    slug: 'terms',
    styles: { e: 1 },
    type: 'agreement',
  },
  message: {
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
  },
  templateMessage: {
    ...{ content_variables: { greeting: 'Hello' }, order: 2, queue: 'slow' },
    scheduled_at: '2027-01-02T03:04:05.000000Z',
  },
  page: {
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
  },
  templatePage: { content_variables: { limit: 'meta_public.limit' }, is_shared: true, order: 2 },
  container: { css: '.f { margin: 0 }', layout_basis: 'table', styles: { h: 1 } },
  channel: {
    ...{ name: 'Online banking', properties: { height: 300, width: '480px' }, show_navigation: true },
    theme_styles: styleSheet,
  },
  objective: { key: 'online_banking_enrolled', name: 'Enrolled', driver_id: 'driver-7' },
};

/** The values that the specification lists. */
export const enumerations = {
  template: {
    audience: [
      ...['Net New - Direct', 'Net New - Indirect', 'Existing - Direct', 'Existing - Indirect'],
      ...['Attrited/Dormant', 'All', 'Other'],
    ],
    content_block_status: ['draft', 'published'],
    journey_creation_strategy: ['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY'],
    status: ['archived', 'draft', 'live'],
    targeting_group_logical_operator: ['AND', 'OR'],
    type: ['standard', 'tactical'],
    use_case: ['Onboarding', 'Digital Engagement', 'Cross-Sell', 'Operational Efficiency', 'Other'],
  },
  title: ['CONTACT_NAME', 'CUSTOM', 'NONE', 'TEAM_NAME', 'TEMPLATE_NAME'],
  message: { content_block_status: ['draft', 'published'], type: ['email', 'sms'] },
  page: {
    completion_condition: ['action', 'confirm', 'objective', 'open', 'view', null],
    content_block_status: ['draft', 'published', null],
    layout_basis: ['grid', 'none', null],
  },
  container: { layout_basis: ['grid', 'table', 'none'] },
};

/** An object for each value of the longest enumeration, which together have all values. */
export const withEachValue = (fields: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] => {
  const most = Math.max(...Object.values(fields).map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    Object.fromEntries(Object.entries(fields).map(([field, listed]) => [field, listed[at % listed.length]])),
  );
};

const names = [
  ...['full', 'bare', 'fullPage', 'barePage', 'fullTemplatePage', 'bareTemplatePage', 'fullMessage', 'bareMessage'],
  ...['fullTemplateMessage', 'bareTemplateMessage', 'fullContainer', 'bareContainer', 'templateBlock', 'pageBlock'],
  ...['messageBlock', 'containerBlock', 'bareBlock', 'objective', 'product', 'channel', 'bareChannel', 'goal', 'odd'],
  ...['welcome', 'view', 'confirm', 'action', 'goalPage', 'openPage', 'archivedPage', 'draftPage', 'deadPage', 'plain'],
  ...['short', 'shortPage', 'survey', 'surveyPage', 'surveyBlock', 'agreement', 'agreementPage', 'agreementBlock'],
  ...['secret', 'secretPage', 'secretBlock', 'openBlock'],
  ...['agreements', 'agreementsPage', 'firstAgreement', 'secondAgreement', 'hiding', 'hidingPage'],
  ...['private', 'privatePage', 'closed', 'closedPage', 'archived', 'draft', 'draftOnly', 'muted', 'mutedPage'],
  ...['expired', 'expiredPage', 'first', 'hidden', 'excluded', 'shown', 'second', 'secondPage', 'notCce'],
  ...['surveyInMessage', 'surveyInContainer', 'surveyInTemplate', 'french', 'frenchPage', 'placeholders', 'arabic'],
  ...['counted', 'countedView', 'countedTerms', 'countedTermsBlock', 'countedSurvey', 'countedSurveyBlock'],
  ...['translated', 'translatedPage', 'translatedBlock'],
  ...[
    'listed',
    'listedPage',
    'answered',
    'answeredTerms',
    'answeredTermsBlock',
    'answeredSurvey',
    'answeredSurveyBlock',
  ],
  ...['byType', 'byTypes', 'byProduct', 'byProductType', 'titled', 'unordered', 'strange', 'strangePage'],
] as const;

export type ContentIds = Record<(typeof names)[number], string>;

export const newIds = () => Object.fromEntries(names.map((name) => [name, randomUUID()])) as ContentIds;

const pages = (...list: object[]) => ({ template_pages: list.map((page, at) => ({ order: at + 1, page })) });
const text = (body: string) => [{ type: 'text', data: { body } }];
const live = { status: 'live', is_cce_enabled: false, is_muted: false };
const question = { key: 'why', text: 'Why did you come?', options: ['A home', 'A car'] };
const survey = (id: string = randomUUID()) => ({
  id,
  type: 'survey',
  data: { questions: [question, 'Anything else?'] },
});
const inSpanish = { es: { 'Why did you come?': '¿Por qué?', 'A home': 'Una casa', 'A car': 'Un coche' } };
const agreement = (id: string) => ({
  ...{ id, type: 'agreement' },
  data: { heading: 'Terms', agreementText: 'I agree to the terms.', disagreeText: 'No, thanks' },
});

/** Each value between brackets, so that a check finds it. */
const bracketed = (fields: readonly string[]) => fields.map((name) => `${name}=[{{${name}}}]`).join('\n');
export const publicFields = [
  'name_first',
  'city',
  'meta_public.branch',
  'account.nickname',
  'account.meta_public.color',
];
export const privateFields = [
  ...['birthdate', 'phone_home', 'phone_mobile', 'phone_work', 'post_code'],
  ...['meta_private.limit', 'account.balance', 'account.account_number'],
];

/** Every field of the specification's tables, with a value and unset. */
function everyField(ids: ContentIds): object[] {
  const block = (id: string) => ({ ...values.block, id });
  const fullPage = {
    ...{ ...values.page, id: ids.fullPage, completion_product_id: ids.product, objective_id: ids.objective },
    content_blocks: [block(ids.pageBlock)],
    content_containers: [
      {
        ...{ ...values.container, id: ids.fullContainer, engagement_channel_id: ids.channel },
        content_blocks: [block(ids.containerBlock)],
      },
    ],
  };
  const fullMessage = {
    ...{ ...values.message, id: ids.fullMessage, objective_id: ids.objective },
    content_blocks: [block(ids.messageBlock)],
  };
  const message = { id: ids.bareMessage };
  return [
    {
      ...{ ...values.template, id: ids.full, content_blocks: [block(ids.templateBlock)] },
      template_pages: [
        { ...values.templatePage, id: ids.fullTemplatePage, page: fullPage },
        {
          ...{ id: ids.bareTemplatePage, order: 1 },
          page: { id: ids.barePage, content_containers: [{ id: ids.bareContainer }] },
        },
      ],
      template_messages: [
        {
          ...{ ...values.templateMessage, id: ids.fullTemplateMessage, template_page_id: ids.fullTemplatePage },
          message: fullMessage,
        },
        { id: ids.bareTemplateMessage, order: 1, send_offset_hours: 8760, send_at: '09:00', message },
      ],
    },
    { id: ids.bare, name: 'A bare one', content_blocks: [{ id: ids.bareBlock }] },
    ...withEachValue(enumerations.template).map((fields, at) => ({
      ...{ ...fields, name: `Values ${at}` },
      ...(at < 5 ? { journey_title_options: { type: enumerations.title[at], custom: 'A title' } } : {}),
      template_pages: withEachValue(enumerations.page).map((page, order) => ({
        order,
        page: {
          ...page,
          content_containers: enumerations.container.layout_basis.map((layout_basis) => ({ layout_basis })),
        },
      })),
      template_messages: withEachValue(enumerations.message).map((each, order) => ({ order, message: each })),
    })),
  ];
}

/** Campaigns whose journeys and channels the checks use. */
function campaigns(ids: ContentIds): object[] {
  const confirm = { completion_condition: 'confirm' };
  const container = (body: string) => ({
    content_containers: [{ engagement_channel_id: ids.channel, content_blocks: text(body) }],
  });
  const cce = { ...live, is_cce_enabled: true };
  return [
    {
      ...{ ...live, id: ids.welcome, name: 'Welcome', targeting_order: 1 },
      ...pages(
        { id: ids.view, completion_condition: 'view', content: 'Look' },
        { id: ids.confirm, ...confirm, content: 'Confirm' },
        { id: ids.action, completion_condition: 'action', content: 'Act' },
        { id: ids.goalPage, completion_condition: 'objective', objective_id: ids.goal, content: 'Install' },
        { id: ids.openPage, completion_condition: 'open', completion_product_type: 'lease', content: 'Open' },
        { id: ids.plain, content: 'Plain' },
        { id: ids.archivedPage, ...confirm, is_archived: true },
        { id: ids.draftPage, ...confirm, content_block_status: 'draft' },
        { id: ids.deadPage, ...confirm, is_live: false },
      ),
    },
    { ...live, id: ids.short, name: 'Short', ...pages({ id: ids.shortPage, ...confirm, content: 'Shortly' }) },
    {
      ...{ ...live, id: ids.survey, name: 'Survey' },
      ...pages({ id: ids.surveyPage, ...confirm, content_blocks: [survey(ids.surveyBlock)] }),
    },
    {
      ...{ ...live, id: ids.secret, name: 'Secret' },
      ...pages({
        ...{ id: ids.secretPage, ...confirm },
        content_blocks: [
          {
            ...{ id: ids.secretBlock, type: 'survey' },
            data: { questions: [{ text: 'How much?', options: ['Less', '{{meta_private.limit}}'] }] },
          },
          survey(ids.openBlock),
        ],
      }),
    },
    {
      ...{ ...live, id: ids.agreement, name: 'Agreement' },
      ...pages({ id: ids.agreementPage, ...confirm, content_blocks: [agreement(ids.agreementBlock)] }),
    },
    {
      ...{ ...live, id: ids.agreements, name: 'Agreements' },
      ...pages({
        ...{ id: ids.agreementsPage, ...confirm },
        content_blocks: [agreement(ids.firstAgreement), agreement(ids.secondAgreement)],
      }),
    },
    {
      ...{ ...live, id: ids.private, name: 'Private' },
      ...pages({ id: ids.privatePage, ...confirm, content: bracketed([...publicFields, ...privateFields]) }),
    },
    {
      ...{ ...live, id: ids.closed, name: 'Closed', is_auth_required: true },
      ...pages({ id: ids.closedPage, ...confirm, content: 'Hello {{name_first}}' }),
    },
    {
      ...{ ...live, id: ids.counted, name: 'Counted', language: 'en' },
      translations: inSpanish,
      ...pages(
        { id: ids.countedView, content_name: 'Look', completion_condition: 'view' },
        { id: ids.countedTerms, ...confirm, content_blocks: [agreement(ids.countedTermsBlock)] },
        { id: ids.countedSurvey, ...confirm, content_blocks: [survey(ids.countedSurveyBlock)] },
      ),
    },
    {
      ...{ ...live, id: ids.translated, name: 'Translated', language: 'en', translations: inSpanish },
      ...pages({ id: ids.translatedPage, ...confirm, content_blocks: [survey(ids.translatedBlock)] }),
    },
    {
      ...{ ...live, id: ids.listed, name: 'Listed' },
      ...pages({ id: ids.listedPage, completion_condition: 'view' }),
    },
    {
      ...{ ...live, id: ids.answered, name: 'Answered' },
      ...pages(
        { id: ids.answeredTerms, ...confirm, content_blocks: [agreement(ids.answeredTermsBlock)] },
        { id: ids.answeredSurvey, ...confirm, content_blocks: [survey(ids.answeredSurveyBlock)] },
      ),
    },
    { id: ids.archived, name: 'Archived', is_archived: true, ...pages({ ...confirm, content: 'Old' }) },
    {
      ...{ ...cce, id: ids.draft, name: 'Draft', status: 'draft' },
      ...pages({ id: ids.draftOnly, ...confirm, content: 'Soon', ...container('Of a draft') }),
    },
    {
      ...{ ...cce, id: ids.muted, name: 'Muted', is_muted: true },
      ...pages({ id: ids.mutedPage, ...confirm, content: 'Hush', ...container('Of a muted one') }),
    },
    {
      ...{ ...cce, id: ids.expired, name: 'Expired', journey_duration_hours: 0 },
      ...pages({ id: ids.expiredPage, ...confirm, content: 'Late', ...container('Of an expired one') }),
    },
    {
      ...{ ...cce, id: ids.first, name: 'First', targeting_order: 2 },
      ...pages(
        { id: ids.excluded, exclude_from_cce: true, ...confirm, ...container('Excluded') },
        { id: ids.hidden, ...confirm, hide_when_complete: true, content: 'Hide', ...container('For {{name_first}}') },
        { id: ids.shown, ...confirm, content: 'Show', ...container('Second page') },
      ),
    },
    {
      ...{ ...cce, id: ids.second, name: 'Second', targeting_order: 10 },
      ...pages({ id: ids.secondPage, ...confirm, content: 'Two', ...container('Of the second') }),
    },
    {
      ...{ ...cce, id: ids.hiding, name: 'Hiding' },
      ...pages({ id: ids.hidingPage, ...confirm, hide_when_complete: true, content: 'Hide', ...container('Once') }),
    },
    {
      ...live,
      id: ids.notCce,
      name: 'Not in channels',
      ...pages({ ...confirm, content: 'No', ...container('Not cce') }),
    },
    { id: ids.surveyInTemplate, name: 'S1', status: 'draft', content_blocks: [{ ...survey(), type: 'Survey' }] },
    {
      ...{ id: ids.surveyInContainer, name: 'S2', status: 'draft' },
      ...pages({ content_containers: [{ content_blocks: [survey()] }] }),
    },
    {
      ...{ id: ids.surveyInMessage, name: 'S3', status: 'draft' },
      template_messages: [{ order: 1, message: { type: 'email', content_blocks: [survey()] } }],
    },
    {
      ...{ ...live, id: ids.french, name: 'En français', language: 'fr' },
      ...pages({ id: ids.frenchPage, ...confirm, content: 'Bonjour' }),
    },
    { ...live, id: ids.arabic, name: 'عربي', language: 'ar', ...pages({ ...confirm, content: 'مرحبا' }) },
  ];
}

/** The content of the first team. */
export const documentOf = (ids: ContentIds) => ({
  objectives: [
    { ...values.objective, id: ids.objective },
    { id: ids.goal, key: 'app_installed', name: 'App installed' },
    { id: ids.odd, key: '__proto__', name: 'Odd' },
    { key: 'city', name: 'A contact field of the same name' },
  ],
  engagement_channels: [
    {
      ...{ ...values.channel, id: ids.channel, lookup_fields: ['email', 'meta_private[core_id]'] },
      default_content: { content_blocks: text('For everyone') },
    },
    { id: ids.bareChannel, name: 'A bare channel' },
  ],
  templates: [...everyField(ids), ...campaigns(ids), oddGoal(ids)],
});

const oddGoal = (ids: ContentIds) => ({
  ...{ ...live, id: ids.strange, name: 'Strange' },
  ...pages({ id: ids.strangePage, completion_condition: 'objective', objective_id: ids.odd, content: 'Odd' }),
});

/** The content of the second team, which has both reporting features. */
export const otherDocument = (ids: ContentIds) => ({
  objectives: [{ id: ids.goal, key: 'app_installed', name: 'Of the other team' }],
  engagement_channels: [{ id: ids.channel, name: 'Other' }],
  templates: [
    {
      ...{ ...live, id: ids.short, name: 'Products' },
      ...pages(
        {
          ...{ id: ids.byTypes, completion_condition: 'open', content: 'By types' },
          completion_standardized_types: ['ira_cd', 'heloc'],
        },
        {
          ...{ id: ids.byProduct, completion_condition: 'open', content: 'By product' },
          completion_product_ids: [ids.product],
        },
      ),
    },
  ],
});
