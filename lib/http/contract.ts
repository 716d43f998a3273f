import type * as z from 'zod';
import type { JsonObject } from '../domain/json.ts';
import type { ErrorDetail, ProblemCode } from '../domain/problem.ts';
import type { Scope } from '../domain/scope.ts';
import type { RouteId } from '../routes.ts';

/** The parts of the interface, as the OpenAPI document groups its operations. */
export type Tag =
  | 'Authentication'
  | 'Contacts'
  | 'Accounts'
  | 'Batches'
  | 'Journeys'
  | 'Templates'
  | 'Objectives'
  | 'Engagement channels'
  | 'Public documents';

/** One response of an endpoint: JSON by its schema, something else by its media type, or nothing. */
export type ContractResponse = {
  description: string;
  /** Of a JSON response. */
  schema?: z.ZodType;
  /** Of a response that is not JSON, such as a page; `image/*` is any image. */
  mediaType?: MediaType;
  headers?: Record<string, string>;
};
export type MediaType = 'text/html' | 'image/gif' | 'image/*';
type Responses = Record<number, ContractResponse>;

/**
 * The request and the responses of one endpoint. Its schemas validate requests, type the responses of the handler and
 * make the OpenAPI document; path, methods and access are in `lib/routes.ts` under the same id.
 */
export type Contract<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Declared extends Responses = Responses,
> = {
  id: RouteId;
  tag: Tag;
  summary: string;
  description?: string;
  /** Called by our own pages in a browser, and by nobody else: the published document leaves it out. */
  ofOwnPages?: true;
  /** What a token must hold for any request to an endpoint behind one. Public endpoints have none. */
  scope?: Scope;
  /** What a request with this body and query parameters of these names needs beside `scope`; checked before validation. */
  furtherScopes?: (sent: { body: JsonObject; parameters: readonly string[] }) => Scope[];
  /** Of the parsed JSON body, which is an object. Faults are 422. */
  body?: Body;
  /** The handler validates when it comes to it, since some requests are answered whatever else they hold. */
  isValidatedLate?: true;
  /** What is wrong between fields that are right by themselves (422); looked for beside the schema. */
  crossFieldErrors?: (body: JsonObject) => ErrorDetail[];
  /** A body that the handler reads, and refuses, by itself: its media types and schema are for the document alone. */
  ownBody?: { mediaTypes: readonly [string, ...string[]]; schema: z.ZodType };
  /** What makes the body as a whole a request that cannot be understood (400); looked for before the schema. */
  refusals?: (body: JsonObject) => ErrorDetail[];
  /** Whether the body uses what is deprecated, so that its answer says so. */
  deprecated?: (body: JsonObject) => boolean;
  /**
   * Which conditional requests it takes (contract, section 1). `reads`: its responses have an entity tag, and with
   * `If-None-Match` it responds 304. `writes`: with `If-Match` it responds 412 where the tag is another.
   */
  conditional?: 'reads' | 'writes';
  /** Of the query parameters, as strings. Faults are 400. */
  query?: Query;
  /** Each successful response by status, and errors that have a shape of their own. */
  responses: Declared;
  /** The errors that it can respond with, besides those that every endpoint of its kind can. */
  problems?: readonly ProblemCode[];
};

/** Keeps the types of the schemas while checking the shape. */
export const contract = <
  const Declared extends Responses,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
>(
  definition: Contract<Body, Query, Declared>,
): Contract<Body, Query, Declared> => definition;
