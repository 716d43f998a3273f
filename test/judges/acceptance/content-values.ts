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
