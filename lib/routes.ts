/**
 * The list of endpoints, as data. The CDK stack, the local gateway and the OpenAPI document are built from it. A new
 * endpoint needs a file under `functions/` and a row here. This file imports nothing.
 */

/** Partition keys of the table that a function may use, as patterns for the IAM condition `dynamodb:LeadingKeys`. */
export type Partition =
  | 'T#*'
  | 'T#*#C#*'
  | 'T#*#J#*'
  | 'T#*#M#*'
  | 'T#*#Q'
  | 'S#*'
  | 'TEAMS'
  | 'CLIENT#*'
  | 'KEYS'
  | 'AUDIT#*';

/** Keys of objects in the drop box, as IAM resource patterns. */
export type FilePattern = '*/accounts/*' | '*/contacts/*' | '*.report.json' | '*.rejected.csv' | 'work/*';

/** What a function may do. Everything else is denied. */
export type Grants = {
  /** Reads items by key, and the lists (`KEYS`, `TEAMS`) as a whole. */
  readonly read: readonly Partition[];
  /** Also queries the partitions of a team, for example the accounts of a contact or the chunks of a batch. */
  readonly queries?: boolean;
  /** Inserts and updates items. */
  readonly write?: readonly Partition[];
  readonly remove?: readonly Partition[];
  /** Inserts entries of the audit log, and can neither read nor change them. */
  readonly records?: boolean;
  /** Queries the directory index. */
  readonly directory?: boolean;
  /** Queries the lookup indexes. */
  readonly lookup?: boolean;
  /** Sends messages to the import queue. */
  readonly sends?: boolean;
  /** Sends messages to the queue of dropped files. */
  readonly forwards?: boolean;
  /** Reads and writes the objects of the drop box whose keys match. */
  readonly files?: { readonly read: readonly FilePattern[]; readonly write: readonly FilePattern[] };
  /** Reads the images of teams. */
  readonly images?: boolean;
  /** Reads the private signing keys. */
  readonly signs?: boolean;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

export type Route = {
  /** Name of the function. In camel case, it is the `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly methods: readonly Method[];
  /** API Gateway's path template. */
  readonly path: string;
  readonly file: string;
  /** `bearer`: requires an access token. `public`: requires none. */
  readonly access: 'bearer' | 'public';
  /** The function is called for every method and must itself refuse those that are not in `methods`. */
  readonly seesEveryMethod?: boolean;
  readonly grants: Grants;
  /** Files of npm packages that the function reads at run time, as `package/path`. They are added to its bundle. */
  readonly ships?: readonly string[];
  /** Other sites may show the page in a frame, as the deployment setting `frameAncestors` allows. */
  readonly isFramed?: boolean;
};

/** What every function with bearer access reads: the state of the client and the public signing keys. */
const verifies = ['CLIENT#*', 'KEYS'] as const;
const nothing: Grants = { read: [] };

export const routes = [
  {
    id: 'create-token',
    methods: ['POST'],
    path: '/oauth2/token',
    file: 'functions/oauth2/create-token.ts',
    access: 'public',
    // Credentials in the query string revoke their client with every method.
    seesEveryMethod: true,
    grants: { read: ['CLIENT#*'], write: ['CLIENT#*'], records: true, signs: true },
  },
  {
    id: 'list-contacts',
    methods: ['GET'],
    path: '/v1/contacts',
    file: 'functions/contacts/list.ts',
    access: 'bearer',
    grants: { read: [...verifies, 'T#*'], write: ['T#*#M#*'], directory: true },
  },
  {
    id: 'upsert-contacts',
    methods: ['POST'],
    path: '/v1/contacts',
    file: 'functions/contacts/upsert.ts',
    access: 'bearer',
    // A contact can start a journey, which has a slug.
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
    // A contact can start a journey, which has a slug.
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
    // Writes the contact with its journey, and the items that find the journey by its id and by its slug.
    grants: { read: [...verifies, 'T#*'], write: ['T#*#C#*', 'T#*#J#*', 'S#*'] },
  },
  {
    id: 'confirm-journey',
    methods: ['PUT'],
    path: '/v1/templates/{template_id}/journeys/{journey_id}',
    file: 'functions/journeys/confirm.ts',
    access: 'bearer',
    // Queries the journey with its recorded actions.
    grants: { read: [...verifies, 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'list-journeys',
    methods: ['GET'],
    path: '/v1/journeys',
    file: 'functions/journeys/list.ts',
    access: 'bearer',
    // Queries the contact aggregate. A completion that is shown for the first time is recorded.
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
    // Queries the contact aggregate. A completion that is shown for the first time is recorded.
    grants: { read: ['S#*', 'T#*'], queries: true, write: ['T#*#C#*'] },
  },
  {
    id: 'ask-identity',
    methods: ['GET'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/ask-identity.ts',
    access: 'public',
    // Queries the contact aggregate.
    grants: { read: ['S#*', 'T#*'], queries: true },
  },
  {
    id: 'check-identity',
    methods: ['POST'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/check-identity.ts',
    access: 'public',
    // Queries the contact aggregate and writes the count of identity attempts.
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
    // Queries a contact with its journeys. Uses the directory if no lookup index has the field. A page that is skipped
    // because it is completed is recorded as completed.
    grants: {
      read: [...verifies, 'T#*'],
      queries: true,
      write: ['T#*#C#*', 'T#*#M#*'],
      lookup: true,
      directory: true,
    },
  },
  {
    id: 'show-channel-content',
    methods: ['GET'],
    path: '/c/{channel_id}/{reference}',
    file: 'functions/engagement-channels/show-content.ts',
    access: 'public',
    // Queries the contact aggregate. A completion that is shown for the first time is recorded.
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

/** The header in which CloudFront sends the secret of the origin. */
export const originHeader = 'x-origin-secret';

/** `partners`: routes that need an access token. `token`: the token endpoint. `public`: all others, pages included. */
export type RouteGroup = 'partners' | 'token' | 'public';

/**
 * Limits of each route for all callers together, in requests per second and as a burst, by the group of the route.
 * Above them, API Gateway itself responds 429. `partners` has half of the initial quota of an AWS account. The limits
 * of all routes that need no access token are together less than the other half, so that anonymous requests cannot use
 * up the quota of the account.
 */
export const throttles = {
  partners: { rateLimit: 5000, burstLimit: 5000 },
  token: { rateLimit: 100, burstLimit: 200 },
  public: { rateLimit: 150, burstLimit: 150 },
} as const satisfies Record<RouteGroup, { rateLimit: number; burstLimit: number }>;

export function groupOf({ id, access }: Pick<Route, 'id' | 'access'>): RouteGroup {
  if (access === 'bearer') return 'partners';
  return id === 'create-token' ? 'token' : 'public';
}

/** The methods that API Gateway routes to a function. `HEAD` is added to `GET`. */
export function gatewayMethods({ methods, seesEveryMethod }: Route): readonly (Method | 'HEAD' | 'ANY')[] {
  if (seesEveryMethod) return ['ANY'];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

export type RouteId = (typeof routes)[number]['id'];
