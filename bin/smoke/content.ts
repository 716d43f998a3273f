import { randomUUID } from 'node:crypto';

/** Fields of contacts that the channel is looked up by: as many as there are lookup indexes. */
export const lookups = [
  { field: 'meta_private[core_id]', contact: (value: string) => ({ meta_private: { core_id: value } }) },
  { field: 'email', contact: (value: string) => ({ email: `${value}@example.com` }) },
  { field: 'address', contact: (value: string) => ({ address: value }) },
  { field: 'name_last', contact: (value: string) => ({ name_last: value }) },
] as const;

/** A contact field that completes an objective. */
const objectiveKey = 'digital_banking_enrolled';

/** The campaign of the throw-away team: one template that anyone with the link can open, and one that needs a proof. */
export type SmokeContent = ReturnType<typeof newContent>;

export function newContent() {
  const ids = {
    ...{ objective: randomUUID(), channel: randomUUID(), open: randomUUID(), closed: randomUUID() },
    ...{ view: randomUUID(), agree: randomUUID(), objectivePage: randomUUID() },
    ...{ agreement: randomUUID(), embeddedAgreement: randomUUID() },
  };
  return { ids, document: documentOf(ids) };
}

type Ids = Record<Page | 'objective' | 'channel' | 'open' | 'closed' | 'agreement' | 'embeddedAgreement', string>;
type Page = 'view' | 'agree' | 'objectivePage';

const live = { status: 'live', is_cce_enabled: true, is_muted: false };

function documentOf(ids: Ids) {
  const container = { engagement_channel_id: ids.channel, layout_basis: 'grid' };
  return {
    objectives: [{ id: ids.objective, key: objectiveKey, name: 'Enrolled in online banking' }],
    engagement_channels: [{ id: ids.channel, name: 'Web', lookup_fields: lookups.map(({ field }) => field) }],
    templates: [
      {
        ...{ id: ids.open, name: 'Welcome', targeting_order: 1, ...live },
        template_pages: [
          {
            order: 1,
            page: { ...objectivePage(ids), content_containers: [{ ...container, content_blocks: [welcome] }] },
          },
          {
            order: 2,
            page: { id: ids.view, navigation_title: 'Look', completion_condition: 'view', layout_basis: 'grid' },
          },
          {
            order: 3,
            page: {
              ...agreePage(ids),
              content_containers: [{ ...container, content_blocks: [agreement(ids.embeddedAgreement)] }],
            },
          },
        ],
      },
      {
        ...{ id: ids.closed, name: 'Your limit', targeting_order: 2, is_auth_required: true },
        template_pages: [
          { order: 1, page: { id: randomUUID(), completion_condition: 'confirm', content: 'Your limit.' } },
        ],
      },
    ],
  };
}

const welcome = { type: 'text', order: 1, data: { body: 'Welcome aboard, {{name_first}}.' } };

/** Completed by the contact's data. A lookup skips it then, and records that it is completed. */
const objectivePage = ({ objectivePage: id, objective }: Ids) => ({
  ...{ id, navigation_title: 'Enroll', completion_condition: 'objective', objective_id: objective },
  ...{ layout_basis: 'grid', hide_when_complete: true },
});

const agreePage = ({ agree: id, agreement: block }: Ids) => ({
  ...{ id, navigation_title: 'Agree', completion_condition: 'confirm', layout_basis: 'grid' },
  content_blocks: [agreement(block)],
});

const agreement = (id: string) => ({
  ...{ id, type: 'agreement', order: 1 },
  data: {
    ...{ heading: 'Terms', agreementText: 'I agree.', disagreeText: 'No, thanks' },
    ...{ declinedConfirmationText: 'Nothing changes.', acceptedConfirmationText: 'Thank you.' },
    signatureBoxText: 'Your full name',
  },
});

/** An image of one pixel. */
export const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
