import { urlAt } from '../../lib/domain/url.ts';
import type { Route } from '../../lib/route.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import { failure } from '../admin/failure.ts';
import { type Request, type Response, requestTimeout, send as sendTo } from '../checks/http.ts';
import { type FunctionId, StepFailure } from './failure.ts';

export type SmokeRequest = {
  /** The first method of the route by default. */
  method?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, `URLSearchParams` as a form. */
  body?: object;
  headers?: Readonly<Record<string, string>>;
  /** The expected status. One of 200, 201 and 202 by default. */
  status?: number;
};

/** Sends a request to the function with this id. @throws StepFailure unless the status is the expected one */
export async function send(baseUrl: string, id: FunctionId, request: SmokeRequest = {}): Promise<Response> {
  const { path, methods } = routeOf(id);
  const { method = methods[0] ?? 'GET', params = {}, query = {}, body, headers = {} } = request;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const address: Request = `${method} /${filled.slice(1)}${search === '' ? '' : `?${search}`}`;
  const received = await sendTo(baseUrl, address, body, headers).catch((error: unknown) => {
    throw new StepFailure(`${method} ${path}: ${reasonOf(error)}`, { functionId: id });
  });
  check(received, id, `${method} ${path}`, request.status);
  return received;
}

/** False if the path is not deployed. @throws AdminFailure `unreachable` */
export async function isServed(baseUrl: string, id: FunctionId): Promise<boolean> {
  const url = urlAt(baseUrl, routeOf(id).path);
  const { status } = await fetch(url, { signal: AbortSignal.timeout(requestTimeout) }).catch((error: unknown) => {
    throw failure('unreachable', `${url} cannot be reached: ${reasonOf(error)}`);
  });
  return status !== 404;
}

const noRoute: Pick<Route, 'path' | 'methods'> = { path: '/no-such-path', methods: ['GET'] };

function routeOf(id: FunctionId): Pick<Route, 'path' | 'methods'> {
  if (id === defaultRoute.id) return noRoute;
  const route = ([...routes, ...docsRoutes] as readonly Route[]).find((each) => each.id === id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}

function check({ status, headers, body }: Response, functionId: FunctionId, what: string, expected?: number): void {
  if (expected === undefined ? [200, 201, 202].includes(status) : status === expected) return;
  const error = typeof body?.error === 'string' ? ` ${body.error}` : '';
  const wanted = expected === undefined ? '' : `, not ${expected}`;
  const requestId = headers.get('x-request-id') ?? undefined;
  throw new StepFailure(`${what} responded ${status}${error}${wanted}`, {
    functionId,
    ...(requestId === undefined ? {} : { requestId }),
    isInternal: status >= 500,
  });
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
};
