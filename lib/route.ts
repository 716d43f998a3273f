import type { Grants } from './grants.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  /**
   * The id of the route whose function also serves this one, from the same file and with the same grants. A stack has at
   * most 500 resources, and a function is eight of them.
   */
  readonly servedBy?: string;
  /** Files of npm packages that the function reads at run time, as `package/path`. They are added to its bundle. */
  readonly ships?: readonly string[];
  /** The setting without which a stack does not have the route. */
  readonly needs?: 'messages';
  /** Other sites may show the page in a frame, as the deployment setting `frameAncestors` allows. */
  readonly isFramed?: boolean;
};

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
