import type { Grants } from './grants.ts';
import type { Method, Route } from './route.ts';

/**
 * The list of endpoints, as data. The CDK stack, the local gateway and the OpenAPI document are built from it. A new
 * endpoint needs a file under `functions/` and a row here: its id, methods, path, file and grants. This file imports only
 * types.
 */

type Options = Pick<Route, 'seesEveryMethod' | 'servedBy' | 'ships' | 'isFramed' | 'needs'>;

const row =
  <const Access extends Route['access']>(access: Access) =>
  <const Id extends string, const Path extends string>(
    id: Id,
    methods: readonly [Method, ...Method[]],
    path: Path,
    file: string,
    grants: Grants,
    options: Options = {},
  ) => ({ id, methods, path, file: `functions/${file}.ts`, access, grants, ...options });

/** For callers with an access token. */
const bearer = row('bearer');
/** For everyone. */
const open = row('public');

const nothing: Grants = { read: [] };
const publicKeys: Grants = { read: ['signingKey'] };
/** What every function with bearer access reads (the state of the client and the public signing keys), and the team's. */
const team = { read: ['client', 'signingKey', 'team'] } as const;
/** A page also finds its journey by the slug. */
const journeyPage = { read: ['slug', 'team'], queries: ['team'] } as const;
const channelPage = { read: ['team'], queries: ['team'] } as const;

const upserts = ['PartiQLInsert', 'PartiQLUpdate'] as const;
const anyWay = [...upserts, 'PutItem', 'UpdateItem'] as const;
/** Counts the read units of scans, per client. */
const countsScans = { items: ['scanUse'], by: upserts } as const;
/** Inserts completions, on the condition that the journey exists, and for its own that it has not ended. */
const completes = { write: { items: ['action'], by: ['PutItem'] }, checks: ['journeyId'], ends: true } as const;
/** The first view of a page is an insert, a later one an update. */
const views = { ...completes, write: { items: ['action'], by: ['PartiQLUpdate', 'PutItem'] } } as const;
/** Also answers, in one transaction with the completion. */
const acts = {
  ...completes,
  write: { items: ['action', 'journey', 'response'], by: ['PartiQLUpdate', 'PutItem', 'UpdateItem'] },
} as const;
/** Queries the journey with its recorded actions. An act is a change in one transaction with the item of the id. */
const changesJourneys = {
  ...team,
  queries: ['team'],
  write: { items: ['journey'], by: ['PartiQLUpdate', 'UpdateItem'] },
  ends: true,
  records: true,
} as const;
/**
 * A new journey is written on the condition that the contact exists. Of a template with a journey for each account, the
 * ones of the contact are queried.
 */
const starts = { checks: ['contact'], queries: ['accountJourney'] } as const;

/** The results of a template. */
const ofResults = { ...team, queries: ['counters'], directory: true } as const;
/** The team's webhooks, what waits for them, and the log of events. */
const readsEvents = { ...team, queries: ['webhook', 'retryEvent', 'eventPack'] } as const;
const ofWebhooks = ['webhook', 'retryEvent', 'failedEvent', 'testEvent', 'webhookSecrets'] as const;
/** Also reads the secret that a rotation keeps for a day. */
const writesWebhooks = {
  read: [...team.read, 'webhookSecrets'],
  queries: ['webhook', 'retryEvent'],
  write: { items: ofWebhooks, by: ['PartiQLInsert', 'PartiQLUpdate', 'PutItem'] },
  remove: ofWebhooks,
  records: true,
  notifies: true,
} as const;
/** Writes the contact with its address, and the address also without it. */
const changesConsent = {
  write: { items: ['contact', 'suppressed', 'listSecret'], by: ['PartiQLInsert', 'PutItem', 'UpdateItem'] },
  hashes: true,
  journals: true,
} as const;
const consent = {
  ...{ ...team, ...changesConsent, mails: true },
  write: { items: ['contact', 'suppressed', 'listSecret', 'verificationWork'], by: changesConsent.write.by },
} as const;
const mailLink = {
  ...changesConsent,
  ...({ read: ['team'], queries: ['team'], remove: ['suppressed'], mails: true } as const),
  // What waited for the verification.
  write: { items: ['contact', 'suppressed', 'listSecret', 'messageWork'], by: changesConsent.write.by },
} as const;
const listsJourneys = { ...team, ...completes, queries: ['team'], directory: true } as const;
const ofMessages = { needs: 'messages' } as const;

const ofEventReads = { servedBy: 'list-events' } as const;
const ofWebhookWrites = { servedBy: 'create-webhook' } as const;

export const routes = [
  // Credentials in the query string revoke their client with every method.
  open(
    'create-token',
    ['POST'],
    '/oauth2/token',
    'oauth2/create-token',
    { read: ['client'], write: { items: ['client'], by: upserts }, records: true, signs: true },
    { seesEveryMethod: true },
  ),

  bearer('list-contacts', ['GET'], '/v1/contacts', 'contacts/list', { ...team, write: countsScans, directory: true }),
  bearer('upsert-contacts', ['POST'], '/v1/contacts', 'contacts/upsert', {
    ...team,
    ...starts,
    write: { items: ['contact', 'journey', 'journeyId', 'slug', 'dueJourney'], by: anyWay },
    hashes: true,
  }),
  bearer('get-contact', ['GET'], '/v1/contacts/{id}', 'contacts/get', team),
  bearer('update-contact', ['PUT', 'PATCH'], '/v1/contacts/{id}', 'contacts/update', {
    ...team,
    ...starts,
    write: {
      items: ['contact', 'journey', 'journeyId', 'slug', 'dueJourney'],
      by: ['PartiQLUpdate', 'PutItem', 'UpdateItem'],
    },
    hashes: true,
  }),
  // Both write the contact, and the list or the limit of its address, in one transaction.
  bearer('opt-out', ['POST'], '/v1/contacts/{id}/opt-outs', 'contacts/consent', consent, ofMessages),
  bearer('verify-contact', ['POST'], '/v1/contacts/{id}/verifications', 'contacts/consent', consent, {
    ...ofMessages,
    servedBy: 'opt-out',
  }),
  // The request to erase is an item in a list of all teams. The function `erasure-worker` completes it.
  bearer('erase-contact', ['DELETE'], '/v1/contacts/{id}', 'contacts/erase', {
    read: [...team.read, 'erasureRequest'],
    write: { items: ['erasureRequest'], by: upserts },
    records: true,
  }),
  bearer('list-contact-accounts', ['GET'], '/v1/contacts/{contact_id}/accounts', 'contacts/accounts', {
    ...team,
    queries: ['team'],
  }),

  // A repeated request redrives a failed chunk and removes it from the list of failed chunks.
  bearer('create-batch', ['POST'], '/v1/batches', 'batches/create', {
    ...team,
    write: {
      items: ['orderCounter', 'batch', 'chunk', 'payload', 'openChunk', 'importState'],
      by: ['PartiQLInsert', 'PutItem', 'UpdateItem'],
    },
    remove: ['failedChunk'],
    sends: true,
  }),
  // A single chunk is read by key, a batch is queried.
  bearer('find-batch', ['GET'], '/v1/batches', 'batches/find', { ...team, queries: ['team'], directory: true }),
  bearer('get-batch', ['GET'], '/v1/batches/{batch_id}', 'batches/get', { ...team, queries: ['team'] }),

  bearer('create-journey', ['POST'], '/v1/templates/{template_id}/journeys', 'journeys/create', {
    ...team,
    ...starts,
    write: { items: ['contact', 'journey', 'journeyId', 'slug', 'dueJourney'], by: anyWay },
    hashes: true,
  }),
  bearer(
    'confirm-journey',
    ['PUT'],
    '/v1/templates/{template_id}/journeys/{journey_id}',
    'journeys/change',
    changesJourneys,
  ),
  bearer('cancel-journey', ['POST'], '/v1/journeys/{journey_id}/cancel', 'journeys/change', changesJourneys, {
    servedBy: 'confirm-journey',
  }),
  // Queries the contact aggregate, or the list of a template. A completion that is shown for the first time is recorded.
  bearer('list-journeys', ['GET'], '/v1/journeys', 'journeys/list', listsJourneys),
  bearer('list-messages', ['GET'], '/v1/journeys/{journey_id}/messages', 'journeys/list', listsJourneys, {
    ...ofMessages,
    servedBy: 'list-journeys',
  }),
  bearer('list-responses', ['GET'], '/v1/journeys/{journey_id}/responses', 'journeys/responses', {
    ...team,
    queries: ['team'],
  }),

  // The pages of journeys, with the requests that they send. They query the contact aggregate. A completion that is shown
  // for the first time is recorded.
  open('record-action', ['POST'], '/j/{slug}/actions', 'journeys/record-action', { ...journeyPage, ...acts }),
  open('show-journey', ['GET'], '/j/{slug}', 'journeys/show', { ...journeyPage, ...completes }),
  open('ask-identity', ['GET'], '/j/{slug}/identity', 'journeys/ask-identity', journeyPage),
  // Writes the count of identity attempts, on the condition that the contact exists.
  open('check-identity', ['POST'], '/j/{slug}/identity', 'journeys/check-identity', {
    ...journeyPage,
    write: { items: ['identityAttempts'], by: ['PutItem', 'UpdateItem'] },
    checks: ['contact'],
  }),
  open('record-view', ['GET'], '/j/{slug}/pages/{page_id}/viewed.gif', 'journeys/record-view', {
    ...journeyPage,
    ...views,
  }),

  // The page of a link in a message. Only its buttons, and the one-click unsubscription of mail programs, write.
  open('show-mail-link', ['GET'], '/m/{token}', 'messages/link', mailLink, ofMessages),
  open('use-mail-link', ['POST'], '/m/{token}', 'messages/link', mailLink, {
    ...ofMessages,
    servedBy: 'show-mail-link',
  }),

  bearer('list-templates', ['GET'], '/v1/templates', 'templates/list', team),
  bearer('get-template', ['GET'], '/v1/templates/{id}', 'templates/get', team),
  bearer('list-template-messages', ['GET'], '/v1/templates/{id}/template_messages', 'templates/messages', team),
  bearer('list-template-pages', ['GET'], '/v1/templates/{id}/template_pages', 'templates/pages', team),
  // Query the counters, or the list of responses.
  bearer('get-template-results', ['GET'], '/v1/templates/{template_id}/results', 'templates/results', ofResults),
  bearer('list-template-responses', ['GET'], '/v1/templates/{template_id}/responses', 'templates/results', ofResults, {
    servedBy: 'get-template-results',
  }),
  bearer('list-objectives', ['GET'], '/v1/objectives', 'objectives/list', team),
  bearer('list-engagement-channels', ['GET'], '/v1/engagement-channels', 'engagement-channels/list', team),
  bearer('list-events', ['GET'], '/v1/events', 'events/read', readsEvents),
  bearer('list-webhooks', ['GET'], '/v1/webhooks', 'events/read', readsEvents, ofEventReads),
  bearer('get-webhook', ['GET'], '/v1/webhooks/{id}', 'events/read', readsEvents, ofEventReads),
  bearer('create-webhook', ['POST'], '/v1/webhooks', 'webhooks/write', writesWebhooks),
  bearer('delete-webhook', ['DELETE'], '/v1/webhooks/{id}', 'webhooks/write', writesWebhooks, ofWebhookWrites),
  bearer('rotate-webhook', ['POST'], '/v1/webhooks/{id}/rotate', 'webhooks/write', writesWebhooks, ofWebhookWrites),
  bearer('test-webhook', ['POST'], '/v1/webhooks/{id}/test', 'webhooks/write', writesWebhooks, ofWebhookWrites),
  // Queries a contact with its journeys. Uses the directory if no lookup index has the field. A page that is skipped
  // because it is completed is recorded as completed.
  bearer(
    'search-content-containers',
    ['GET'],
    '/v1/engagement-channels/{channel_id}/content-containers/search',
    'engagement-channels/search',
    {
      ...team,
      queries: ['team'],
      ...completes,
      write: { items: ['action', 'scanUse'], by: [...upserts, 'PutItem'] },
      lookup: true,
      directory: true,
    },
  ),

  // The content of engagement channels, with the requests that it sends, as of the pages of journeys.
  open(
    'show-channel-content',
    ['GET'],
    '/c/{channel_id}/{reference}',
    'engagement-channels/show-content',
    { ...channelPage, ...completes },
    { isFramed: true },
  ),
  open(
    'record-content-action',
    ['POST'],
    '/c/{channel_id}/{reference}/actions',
    'engagement-channels/record-content-action',
    { ...channelPage, ...acts },
  ),
  open(
    'record-content-view',
    ['GET'],
    '/c/{channel_id}/{reference}/viewed.gif',
    'engagement-channels/record-content-view',
    { ...channelPage, ...views },
  ),

  open('get-file', ['GET'], '/files/{id}', 'public/file', { read: [], images: true }),
  open('get-openapi', ['GET'], '/openapi.json', 'public/openapi', nothing),
  open('get-jwks', ['GET'], '/.well-known/jwks.json', 'public/authorization-server', publicKeys),
  open(
    'get-oauth-metadata',
    ['GET'],
    '/.well-known/oauth-authorization-server',
    'public/authorization-server',
    publicKeys,
    { servedBy: 'get-jwks' },
  ),
] as const satisfies readonly Route[];

/** The routes with a function of their own. */
export const ownFunctions: readonly Route[] = (routes as readonly Route[]).filter(({ servedBy }) => !servedBy);

/**
 * The API reference for a browser. It is not part of the API, so it has no contract and is not in the OpenAPI document.
 * The local service always has it. A stack has it only with the setting `docs`.
 */
export const docsRoutes = [
  open('get-docs', ['GET'], '/docs', 'public/docs', nothing),
  open('get-docs-file', ['GET'], '/docs/{file}', 'public/docs-file', nothing, {
    ships: [
      ...['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'],
      ...['authentication', 'contacts-and-identity', 'imports', 'journeys', 'events', 'results', 'reference'].map(
        (guide) => `onboarding-service/docs/${guide}.md`,
      ),
    ],
  }),
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
