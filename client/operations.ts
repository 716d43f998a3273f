import type { operations } from './schema.ts';

/** Method and path of each operation that the client calls. */
export const routes = {
  listContacts: 'GET /v1/contacts',
  upsertContacts: 'POST /v1/contacts',
  getContact: 'GET /v1/contacts/{id}',
  updateContactByPatch: 'PATCH /v1/contacts/{id}',
  listContactAccounts: 'GET /v1/contacts/{contact_id}/accounts',
  createBatch: 'POST /v1/batches',
  findBatch: 'GET /v1/batches',
  createJourney: 'POST /v1/templates/{template_id}/journeys',
  confirmJourney: 'PUT /v1/templates/{template_id}/journeys/{journey_id}',
  listJourneys: 'GET /v1/journeys',
  listResponses: 'GET /v1/journeys/{journey_id}/responses',
  listTemplates: 'GET /v1/templates',
  getTemplate: 'GET /v1/templates/{id}',
  listTemplateMessages: 'GET /v1/templates/{id}/template_messages',
  listTemplatePages: 'GET /v1/templates/{id}/template_pages',
  getTemplateResults: 'GET /v1/templates/{template_id}/results',
  listTemplateResponses: 'GET /v1/templates/{template_id}/responses',
  listObjectives: 'GET /v1/objectives',
  listEvents: 'GET /v1/events',
  listEngagementChannels: 'GET /v1/engagement-channels',
  searchContentContainers: 'GET /v1/engagement-channels/{channel_id}/content-containers/search',
} as const satisfies Partial<Record<keyof operations, string>>;

export type Operation = keyof typeof routes;

type Json<Media> = Media extends { content: { 'application/json': infer Data } } ? Data : never;
type Responses<Name extends Operation> = operations[Name]['responses'];

/** The body of a successful response. */
export type Result<Name extends Operation> = Json<Responses<Name>[keyof Responses<Name> & (200 | 201 | 202)]>;

type Body<Name extends Operation> = operations[Name] extends { requestBody: infer Sent }
  ? { body: Json<Sent> }
  : object;
type Path<Name extends Operation> = operations[Name]['parameters'] extends { path: infer Parameters }
  ? { path: Parameters }
  : object;

/** What a call sends. */
export type Input<Name extends Operation> = Body<Name> &
  Path<Name> & {
    query?: Readonly<Record<string, string | number | boolean | undefined>>;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
    /** True if a second attempt could take effect a second time. */
    onlyOnce?: boolean;
  };

/** The parameters of any operation. */
export type Parameters = { path?: Readonly<Record<string, string>>; query?: Input<'listContacts'>['query'] };

/** The URL of the operation. Parameters that are `undefined` are left out. */
export function urlOf(baseUrl: string, route: string, { path = {}, query = {} }: Parameters): string {
  const filled = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, `${value}`);
  return baseUrl + filled + (sent.size > 0 ? `?${sent}` : '');
}
