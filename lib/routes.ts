import type { Grants } from './grants.ts';
import { channelPageRoutes, journeyPageRoutes, recordsCompletions } from './page-routes.ts';
import type { Route } from './route.ts';

/**
 * The list of endpoints, as data. The CDK stack, the local gateway and the OpenAPI document are built from it. A new
 * endpoint needs a file under `functions/` and a row here or in `page-routes.ts`. This file imports only data and types.
 */

/** What every function with bearer access reads: the state of the client and the public signing keys. */
const verifies = ['CLIENT#*', 'KEYS'] as const;
const nothing: Grants = { read: [] };
/** Counts the read units of scans, per client. */
const countsScans = { partitions: ['T#*#M#*'], by: ['PartiQLInsert', 'PartiQLUpdate'] } as const;
const anyWay = ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'] as const;

export const routes = [
  {
    id: 'create-token',
    methods: ['POST'],
    path: '/oauth2/token',
    file: 'functions/oauth2/create-token.ts',
    access: 'public',
    // Credentials in the query string revoke their client with every method.
    seesEveryMethod: true,
    grants: {
      read: ['CLIENT#*'],
      write: { partitions: ['CLIENT#*'], by: ['PartiQLInsert', 'PartiQLUpdate'] },
      records: true,
      signs: true,
    },
  },
  {
    id: 'list-contacts',
    methods: ['GET'],
    path: '/v1/contacts',
    file: 'functions/contacts/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], write: countsScans, directory: true },
  },
  {
    id: 'upsert-contacts',
    methods: ['POST'],
    path: '/v1/contacts',
    file: 'functions/contacts/upsert.ts',
    access: 'bearer',
    // A contact can start a journey, which has a slug.
    grants: { read: [...verifies, 'T#*'], write: { partitions: ['T#*', 'S#*'], by: anyWay } },
  },
  {
    id: 'get-contact',
    methods: ['GET'],
    path: '/v1/contacts/{id}',
    file: 'functions/contacts/get.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'update-contact',
    methods: ['PUT', 'PATCH'],
    path: '/v1/contacts/{id}',
    file: 'functions/contacts/update.ts',
    access: 'bearer',
    // A contact can start a journey, which has a slug.
    grants: {
      read: [...verifies, 'T#*'],
      write: { partitions: ['T#*', 'S#*'], by: ['PartiQLUpdate', 'PutItem', 'UpdateItem'] },
    },
  },
  {
    id: 'list-contact-accounts',
    methods: ['GET'],
    path: '/v1/contacts/{contact_id}/accounts',
    file: 'functions/contacts/accounts.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'] },
  },
  {
    id: 'create-batch',
    methods: ['POST'],
    path: '/v1/batches',
    file: 'functions/batches/create.ts',
    access: 'bearer',
    grants: {
      read: [...verifies, 'T#*'],
      write: { partitions: ['T#*'], by: ['PartiQLInsert', 'PutItem', 'UpdateItem'] },
      // A repeated request redrives a failed chunk and removes it from the list of failed chunks.
      remove: ['T#*#Q'],
      sends: true,
    },
  },
  {
    id: 'find-batch',
    methods: ['GET'],
    path: '/v1/batches',
    file: 'functions/batches/find.ts',
    access: 'bearer',
    // A single chunk is read by key, a batch is queried.
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'], directory: true },
  },
  {
    id: 'get-batch',
    methods: ['GET'],
    path: '/v1/batches/{batch_id}',
    file: 'functions/batches/get.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'] },
  },
  {
    id: 'create-journey',
    methods: ['POST'],
    path: '/v1/templates/{template_id}/journeys',
    file: 'functions/journeys/create.ts',
    access: 'bearer',
    // Writes the contact with its journey, and the items that find the journey by its id and by its slug.
    grants: { read: [...verifies, 'T#*'], write: { partitions: ['T#*#C#*', 'T#*#J#*', 'S#*'], by: anyWay } },
  },
  {
    id: 'confirm-journey',
    methods: ['PUT'],
    path: '/v1/templates/{template_id}/journeys/{journey_id}',
    file: 'functions/journeys/confirm.ts',
    access: 'bearer',
    // Queries the journey with its recorded actions.
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'], write: { partitions: ['T#*#C#*'], by: ['PartiQLUpdate'] } },
  },
  {
    id: 'list-journeys',
    methods: ['GET'],
    path: '/v1/journeys',
    file: 'functions/journeys/list.ts',
    access: 'bearer',
    // Queries the contact aggregate, or the list of a template. A completion that is shown for the first time is recorded.
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'], write: recordsCompletions, directory: true },
  },
  {
    id: 'list-responses',
    methods: ['GET'],
    path: '/v1/journeys/{journey_id}/responses',
    file: 'functions/journeys/responses.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: ['T#*'] },
  },
  ...journeyPageRoutes,
  {
    id: 'list-templates',
    methods: ['GET'],
    path: '/v1/templates',
    file: 'functions/templates/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'get-template',
    methods: ['GET'],
    path: '/v1/templates/{id}',
    file: 'functions/templates/get.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'list-template-messages',
    methods: ['GET'],
    path: '/v1/templates/{id}/template_messages',
    file: 'functions/templates/messages.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'list-template-pages',
    methods: ['GET'],
    path: '/v1/templates/{id}/template_pages',
    file: 'functions/templates/pages.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'get-template-results',
    methods: ['GET'],
    path: '/v1/templates/{template_id}/results',
    file: 'functions/templates/results.ts',
    access: 'bearer',
    // Queries the counters.
    grants: { read: [...verifies, 'T#*'], queries: ['T#*#S#*'] },
  },
  {
    id: 'list-template-responses',
    methods: ['GET'],
    path: '/v1/templates/{template_id}/responses',
    file: 'functions/templates/responses.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], directory: true },
  },
  {
    id: 'list-objectives',
    methods: ['GET'],
    path: '/v1/objectives',
    file: 'functions/objectives/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'list-engagement-channels',
    methods: ['GET'],
    path: '/v1/engagement-channels',
    file: 'functions/engagement-channels/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'] },
  },
  {
    id: 'list-events',
    methods: ['GET'],
    path: '/v1/events',
    file: 'functions/events/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: ['T#*#E'] },
  },
  {
    id: 'search-content-containers',
    methods: ['GET'],
    path: '/v1/engagement-channels/{channel_id}/content-containers/search',
    file: 'functions/engagement-channels/search.ts',
    access: 'bearer',
    // Queries a contact with its journeys. Uses the directory if no lookup index has the field. A page that is skipped
    // because it is completed is recorded as completed.
    grants: {
      read: [...verifies, 'T#*'],
      queries: ['T#*'],
      write: { partitions: ['T#*#C#*', 'T#*#M#*'], by: ['PartiQLInsert', 'PartiQLUpdate'] },
      lookup: true,
      directory: true,
    },
  },
  ...channelPageRoutes,
  {
    id: 'get-file',
    methods: ['GET'],
    path: '/files/{id}',
    file: 'functions/public/file.ts',
    access: 'public',
    grants: { read: [], images: true },
  },
  {
    id: 'get-openapi',
    methods: ['GET'],
    path: '/openapi.json',
    file: 'functions/public/openapi.ts',
    access: 'public',
    grants: nothing,
  },
  {
    id: 'get-oauth-metadata',
    methods: ['GET'],
    path: '/.well-known/oauth-authorization-server',
    file: 'functions/public/oauth-metadata.ts',
    access: 'public',
    grants: nothing,
  },
  {
    id: 'get-jwks',
    methods: ['GET'],
    path: '/.well-known/jwks.json',
    file: 'functions/public/jwks.ts',
    access: 'public',
    grants: { read: ['KEYS'] },
  },
] as const satisfies readonly Route[];

/**
 * The API reference for a browser. It is not part of the API, so it has no contract and is not in the OpenAPI document.
 * The local service always has it. A stack has it only with the setting `docs`.
 */
export const docsRoutes = [
  {
    id: 'get-docs',
    methods: ['GET'],
    path: '/docs',
    file: 'functions/public/docs.ts',
    access: 'public',
    grants: nothing,
  },
  {
    id: 'get-docs-file',
    methods: ['GET'],
    path: '/docs/{file}',
    file: 'functions/public/docs-file.ts',
    access: 'public',
    grants: nothing,
    ships: ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'],
  },
] as const satisfies readonly Route[];

/** Handles requests that match no route, with 404 or 405 in the form of the contract. */
export const defaultRoute = {
  id: 'no-route',
  file: 'functions/public/no-route.ts',
  grants: nothing,
} as const;

/** The authorizer of all routes of a stack with the setting `edge`. It reads no item and is not in the local service. */
export const originCheck = {
  id: 'check-origin',
  file: 'functions/edge/check-origin.ts',
  grants: nothing,
} as const;

export type RouteId = (typeof routes)[number]['id'];
