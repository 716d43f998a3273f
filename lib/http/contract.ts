import type * as z from 'zod';
import type { Scope } from '../domain/access/scope.ts';
import type { JsonObject } from '../domain/values/json.ts';
import type { ErrorDetail, ProblemCode } from '../domain/values/problem.ts';
import type { RouteId } from '../routes.ts';

/** One response of an endpoint: JSON with a schema, another format with a media type, or no body. */
export type ContractResponse = {
  description: string;
  /** Schema of a JSON response. */
  schema?: z.ZodType;
  /** Media type of a response that is not JSON, such as a page. `image/*` is any image. */
  mediaType?: MediaType;
  headers?: Record<string, string>;
};
export type MediaType = 'text/html' | 'image/gif' | 'image/*';
export type Responses = Record<number, ContractResponse>;

/**
 * The request of one endpoint, and the type of its responses. Its schemas validate requests, type the responses of the
 * handler and generate the OpenAPI document. `lib/routes.ts` has the path, the methods and the access under the same id.
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
  /** Only this service's own pages call the endpoint, so the published document omits it. */
  ofOwnPages?: true;
  /** The scope that every request to the endpoint needs. Public endpoints have none. */
  scope?: Scope;
  /** Scopes needed in addition to `scope`, by the body and the names of the parameters. Checked before validation. */
  furtherScopes?: (sent: { body: JsonObject; parameters: readonly string[] }) => Scope[];
  /** Schema of the parsed JSON body, which is an object. Errors are 422. */
  body?: Body;
  /** The handler calls `validate()` itself: some requests succeed without it, or have more errors to report. */
  isValidatedLate?: true;
  /** Errors between fields that are valid one by one (422). Reported together with those of the schema. */
  crossFieldErrors?: (body: JsonObject) => ErrorDetail[];
  /** A body that the handler parses and validates itself. Its media types and schema are only for the document. */
  ownBody?: { mediaTypes: readonly [string, ...string[]]; schema: z.ZodType };
  /**
   * The handler reports the errors of a strict request, because only the store knows which fields of a contact are keys
   * of objectives.
   */
  isStrictLate?: true;
  /** Errors of the body as a whole, which make the request 400 instead of 422. */
  refusals?: (body: JsonObject) => ErrorDetail[];
  /** True if the body uses deprecated fields. The response then has the header `Deprecation`. */
  deprecated?: (body: JsonObject) => boolean;
  /**
   * The conditional requests that the endpoint supports (contract, section 1). `reads`: its responses have an entity
   * tag, and it responds 304 if `If-None-Match` has that tag. `writes`: it responds 412 if `If-Match` has another tag.
   */
  conditional?: 'reads' | 'writes';
  /** Schema of the query parameters, which are strings. Errors are 400. */
  query?: Query;
  /** Only the type. The successful responses by status, and errors that have their own format. */
  responses?: Declared;
  /** A form that was sent without a script gets errors as pages. Other clients get JSON. */
  hasErrorPages?: true;
  /**
   * The names of parameters that mean nothing beside the others of the request, and are ignored as unknown ones are.
   */
  meaningless?: (parameters: Readonly<Record<string, string | undefined>>) => readonly string[];
  /** Errors in addition to those that every endpoint of its kind has. */
  problems?: readonly ProblemCode[];
};

/** A contract with its responses, for the OpenAPI document. */
export type DescribedContract = Contract & { responses: Responses };

/**
 * Checks the type of the definition and keeps the types of its schemas. The responses are a function beside it, and the
 * export `contracts` is another with both. Only the document calls them: the bundle of the endpoint contains neither these
 * functions nor the schemas of responses.
 */
export const contract =
  <Declare extends () => Responses>() =>
  <Body extends z.ZodType = z.ZodNever, Query extends z.ZodType = z.ZodNever>(
    definition: Contract<Body, Query, ReturnType<Declare>>,
  ): Contract<Body, Query, ReturnType<Declare>> =>
    definition;

/** The responses that are pages: the headers of a page, and the errors. */
export const pageHeaders = {
  'content-security-policy': 'Allows only the styles and scripts of the page itself, by hash',
  'cache-control': '`no-store`, because the page is private',
};
export const pageErrors = {
  404: { description: 'The journey or the page does not exist, or is not open at the moment', mediaType: 'text/html' },
  410: { description: 'The template is archived, or the journey has expired', mediaType: 'text/html' },
  500: { description: 'Internal error', mediaType: 'text/html' },
  503: { description: 'The service is temporarily unavailable', mediaType: 'text/html' },
} as const;

/** The header of a list in pages. */
export const nextPage = {
  link: 'URL of the next page with `rel="next"` (RFC 8288). Absent on the last page.',
} as const;

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
