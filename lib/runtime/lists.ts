import type { PagedList } from '../domain/values/cursor.ts';
import { urlAt } from '../domain/values/url.ts';
import type { Contract } from '../http/contract.ts';
import type { Handler } from '../http/endpoint.ts';
import type { HttpHandler } from '../http/handler.ts';
import { type Headers, linkToNext } from '../http/reply.ts';
import { validatedWith } from '../http/validation.ts';
import { cursorErrors } from '../operations/access/cursors.ts';
import { environment } from './base.ts';
import { bearerEndpoint } from './endpoints.ts';
import { service } from './table.ts';

/** An endpoint with a list in pages. The errors of its cursor are reported together with those of other parameters. */
export const listEndpoint = <Of extends Contract, Query extends object, Position>(
  contract: Of,
  pages: PagedList<Query, Position>,
  handle: Handler<Of>,
): HttpHandler =>
  bearerEndpoint<Of>({ ...contract, isValidatedLate: true }, async (call) => {
    const { caller, event, validate } = call;
    const cursor = event.queryStringParameters?.cursor;
    const valid = await validatedWith(validate, () => cursorErrors(service().database, caller.teamId, pages, cursor));
    return handle({ ...call, ...valid });
  });

/** The `Link` to the next page of the list at this path, if there is one. */
export const nextPageOf = (path: string, cursor: string | undefined, others?: Record<string, string>): Headers =>
  linkToNext(urlAt(environment().ISSUER, path), cursor, others);
