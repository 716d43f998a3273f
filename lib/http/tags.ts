/** The groups of operations in the OpenAPI document, in its order, with their descriptions. */
export const tags = {
  Authentication:
    'OAuth 2.0 with the client credentials grant. Keep an access token until it expires, or until a request gets a 401, and then request a new one. Revoke credentials and tokens that were sent over plain HTTP.',
  Contacts: 'The consumers of an institution. The caller identifies each contact by a `unique_id`.',
  Accounts:
    'Accounts and their products. An account can belong to several contacts, and a contact can have several accounts.',
  Batches: 'Import of accounts, in the background and in order.',
  Journeys: 'A journey is one contact’s instance of a template (campaign), with the progress of the contact.',
  Templates: 'A template is a campaign: its settings, pages, messages and content.',
  Objectives: 'Goals that contacts can complete. A contact field with the key of an objective completes it.',
  'Engagement channels': 'Places outside the service, such as online banking, that show content for a contact.',
  Events:
    'What happened in the team. An event names ids, and never contains data of a person. Events can repeat, with the same `id`.',
  Webhooks: 'URLs to which the events of the team are sent.',
  'Public documents': 'Documents that need no token.',
} as const;

export type Tag = keyof typeof tags;
