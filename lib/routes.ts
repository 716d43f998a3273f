/**
 * The list of endpoints, as data: the CDK stack, the local gateway and the OpenAPI document are all made from it.
 * Adding an endpoint is one file under `functions/` and one row here. Imports nothing.
 */

/** Partition keys of the table that a function may touch, as IAM `dynamodb:LeadingKeys` patterns. */
export type Partition = 'T#*' | 'T#*#C#*' | 'T#*#J#*' | 'T#*#Q' | 'S#*' | 'TEAMS' | 'CLIENT#*' | 'KEYS';

/** Keys of the drop box, as IAM patterns of a resource. */
export type FilePattern = '*/accounts/*' | '*/contacts/*' | '*.report.json' | '*.rejected.csv' | 'work/*';

/** What a function may do. Everything that is not named here is denied to it. */
export type Grants = {
  /** By key; the lists (`KEYS`, `TEAMS`) whole. */
  readonly read: readonly Partition[];
  /** Queries within a team's partitions too: a contact's accounts, the chunks of a batch. */
  readonly queries?: boolean;
  /** Insert and update. */
  readonly write?: readonly Partition[];
  readonly remove?: readonly Partition[];
  /** Uses the directory index. */
  readonly directory?: boolean;
  /** Uses the lookup indexes. */
  readonly lookup?: boolean;
  /** Sends to the import queue. */
  readonly sends?: boolean;
  /** Sends to the queue of dropped files. */
  readonly forwards?: boolean;
  /** Reads, and writes, objects of the drop box whose keys match. */
  readonly files?: { readonly read: readonly FilePattern[]; readonly write: readonly FilePattern[] };
  /** Reads the images of teams from their bucket. */
  readonly images?: boolean;
  /** May read the private signing keys. */
  readonly signs?: boolean;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

export type Route = {
  /** Name of the function, and the `operationId` of the document in kebab case. */
  readonly id: string;
  readonly methods: readonly Method[];
  /** API Gateway's path template. */
  readonly path: string;
  readonly file: string;
  /** `bearer`: needs an access token. `public`: needs none. */
  readonly access: 'bearer' | 'public';
  /** Its function is called for every method, and refuses by itself those that are not among `methods`. */
  readonly seesEveryMethod?: boolean;
  readonly grants: Grants;
  /** Files of packages that the function reads while it runs, as `package/path`; its bundle carries them. */
  readonly ships?: readonly string[];
  /** Sites of others may show its page in a frame, as the setting of the deployment says. */
  readonly isFramed?: boolean;
};

/** What every function behind a bearer token reads: the client's state and the public signing keys. */
const verifies = ['CLIENT#*', 'KEYS'] as const;
const nothing: Grants = { read: [] };

export const routes = [
  {
    id: 'create-token',
    methods: ['POST'],
    path: '/oauth2/token',
    file: 'functions/oauth2/create-token.ts',
    access: 'public',
    // Credentials in the query string revoke their client, whatever the method.
    seesEveryMethod: true,
    grants: { read: ['CLIENT#*'], write: ['CLIENT#*'], signs: true },
  },
  {
    id: 'list-contacts',
    methods: ['GET'],
    path: '/v1/contacts',
    file: 'functions/contacts/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], directory: true },
  },
  {
    id: 'upsert-contacts',
    methods: ['POST'],
    path: '/v1/contacts',
    file: 'functions/contacts/upsert.ts',
    access: 'bearer',
    // A contact may start a journey, which has a slug.
    grants: { read: [...verifies, 'T#*'], write: ['T#*', 'S#*'] },
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
    // A contact may start a journey, which has a slug.
    grants: { read: [...verifies, 'T#*'], write: ['T#*', 'S#*'] },
  },
  {
    id: 'list-contact-accounts',
    methods: ['GET'],
    path: '/v1/contacts/{contact_id}/accounts',
    file: 'functions/contacts/accounts.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: true },
  },
  {
    id: 'create-batch',
    methods: ['POST'],
    path: '/v1/batches',
    file: 'functions/batches/create.ts',
    access: 'bearer',
    grants: {
      read: [...verifies, 'T#*'],
      write: ['T#*'],
      // A repeat takes a failed chunk off the list of those.
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
    grants: { read: [...verifies, 'T#*'], queries: true, directory: true },
  },
  {
    id: 'get-batch',
    methods: ['GET'],
    path: '/v1/batches/{batch_id}',
    file: 'functions/batches/get.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: true },
  },
  {
    id: 'create-journey',
    methods: ['POST'],
    path: '/v1/templates/{template_id}/journeys',
    file: 'functions/journeys/create.ts',
    access: 'bearer',
    // The contact with its journey, and whose journey its id and its slug name.
    grants: { read: [...verifies, 'T#*'], write: ['T#*#C#*', 'T#*#J#*', 'S#*'] },
  },
  {
    id: 'confirm-journey',
    methods: ['PUT'],
    path: '/v1/templates/{template_id}/journeys/{journey_id}',
    file: 'functions/journeys/confirm.ts',
    access: 'bearer',
    // The query is for the journey with all that was recorded in it.
    grants: { read: [...verifies, 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'list-journeys',
    methods: ['GET'],
    path: '/v1/journeys',
    file: 'functions/journeys/list.ts',
    access: 'bearer',
    // The query is for all that lies with the contact; what is shown as completed for the first time is recorded.
    grants: { read: [...verifies, 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'list-responses',
    methods: ['GET'],
    path: '/v1/journeys/{journey_id}/responses',
    file: 'functions/journeys/responses.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], queries: true },
  },
  {
    id: 'record-action',
    methods: ['POST'],
    path: '/j/{slug}/actions',
    file: 'functions/journeys/record-action.ts',
    access: 'public',
    grants: { read: ['S#*', 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'show-journey',
    methods: ['GET'],
    path: '/j/{slug}',
    file: 'functions/journeys/show.ts',
    access: 'public',
    // The query is for all that lies with the contact; what is shown as completed for the first time is recorded.
    grants: { read: ['S#*', 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'ask-identity',
    methods: ['GET'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/ask-identity.ts',
    access: 'public',
    // The query is for all that lies with the contact.
    grants: { read: ['S#*', 'T#*'], queries: true },
  },
  {
    id: 'check-identity',
    methods: ['POST'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/check-identity.ts',
    access: 'public',
    // The query is for all that lies with the contact; what is written is the count of attempts.
    grants: { read: ['S#*', 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'record-view',
    methods: ['GET'],
    path: '/j/{slug}/pages/{page_id}/viewed.gif',
    file: 'functions/journeys/record-view.ts',
    access: 'public',
    grants: { read: ['S#*', 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
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
    id: 'search-content-containers',
    methods: ['GET'],
    path: '/v1/engagement-channels/{channel_id}/content-containers/search',
    file: 'functions/engagement-channels/search.ts',
    access: 'bearer',
    // The query brings a contact with its journeys; the directory answers where no lookup index does. What is passed
    // over as completed for the first time is recorded.
    grants: { read: [...verifies, 'T#*'], queries: true, write: ['T#*#C#*'], lookup: true, directory: true },
  },
  {
    id: 'show-channel-content',
    methods: ['GET'],
    path: '/c/{channel_id}/{reference}',
    file: 'functions/engagement-channels/show-content.ts',
    access: 'public',
    // The query is for all that lies with the contact; what is shown as completed for the first time is recorded.
    grants: { read: ['T#*'], queries: true, write: ['T#*#C#*'] },
    isFramed: true,
  },
  {
    id: 'record-content-action',
    methods: ['POST'],
    path: '/c/{channel_id}/{reference}/actions',
    file: 'functions/engagement-channels/record-content-action.ts',
    access: 'public',
    grants: { read: ['T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'record-content-view',
    methods: ['GET'],
    path: '/c/{channel_id}/{reference}/viewed.gif',
    file: 'functions/engagement-channels/record-content-view.ts',
    access: 'public',
    grants: { read: ['T#*'], queries: true, write: ['T#*#C#*'] },
  },
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
 * The browsable reference. A page for people and no part of the interface, so it has no contract and does not stand in
 * the OpenAPI document. The local service always has it, a stack only with the setting `docs`.
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

/** Answers what no route matches, in the contract's shape (404 or 405). */
export const defaultRoute = {
  id: 'no-route',
  file: 'functions/public/no-route.ts',
  grants: nothing,
} as const;

/**
 * For all callers together: requests a second, and how many at one instant. Beyond it the gateway answers 429 by
 * itself. Half of what an AWS account is given at first, so that one service cannot use it all up.
 */
export const throttle = { rateLimit: 5000, burstLimit: 5000 } as const;

/** The methods of the gateway's routes to a function: `HEAD` comes with `GET`. */
export function gatewayMethods({ methods, seesEveryMethod }: Route): readonly (Method | 'HEAD' | 'ANY')[] {
  if (seesEveryMethod) return ['ANY'];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

export type RouteId = (typeof routes)[number]['id'];
