import type { Problem, ProblemCode } from '../domain/values/problem.ts';
import type { Reply } from './reply.ts';
import type { Event } from './request.ts';

/** Status and message of each error code (contract, section 1). A new code does not compile until it is added here. */
export const problems: Record<ProblemCode, { status: number; message: string }> = {
  invalid_request: { status: 400, message: 'The request is malformed or has an invalid parameter. See details.' },
  invalid_token: { status: 401, message: 'The access token is missing, expired or invalid.' },
  insufficient_scope: { status: 403, message: 'The access token does not have a scope that this request needs.' },
  forbidden: { status: 403, message: 'This request must come from a page of this service.' },
  identity_required: { status: 403, message: 'The person must prove their identity on the page first.' },
  not_found: { status: 404, message: 'The path or the object does not exist.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  conflict: { status: 409, message: 'The request contradicts an earlier request; nothing was stored.' },
  gone: { status: 410, message: 'This is no longer available.' },
  precondition_failed: {
    status: 412,
    message: 'If-Match is not the current entity tag; nothing was stored. Read the object again.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request or its response is too large. Send or request less at once.',
  },
  unsupported_media_type: { status: 415, message: 'The service cannot read a body of this format.' },
  validation_failed: { status: 422, message: 'Some fields break a rule; nothing was stored. See details.' },
  too_many_requests: {
    status: 429,
    message: 'Too many requests. Wait the number of seconds in Retry-After, then retry.',
  },
  internal_error: { status: 500, message: 'An internal error occurred. Quote request_id when you report it.' },
  unavailable: { status: 503, message: 'The service is temporarily unavailable. It is safe to retry.' },
};

/** Seconds that a client should wait before it retries, unless the problem says it. */
const retryAfter: Partial<Record<ProblemCode, number>> = { too_many_requests: 1, unavailable: 2 };

/** The response to a request that failed. */
export type RenderError = (problem: Problem, event: Event) => Reply | Promise<Reply>;

/** The error as JSON (contract, section 1). */
export function problemReply(problem: Problem, { headers: sent, requestContext }: Event): Reply {
  const { status, message } = problems[problem.code];
  if (problem.code === 'invalid_token') {
    // Without credentials, the challenge names no error (RFC 6750, section 3).
    const challenge = sent.authorization ? 'Bearer error="invalid_token"' : 'Bearer';
    return { status, headers: { 'www-authenticate': challenge }, body: { error: problem.code } };
  }
  const wait = problem.retryAfter ?? retryAfter[problem.code];
  const challenge = `Bearer error="insufficient_scope", scope="${problem.scope ?? ''}"`;
  const headers = {
    ...(problem.code === 'insufficient_scope' ? { 'www-authenticate': challenge } : {}),
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    ...(problem.allow ? { allow: problem.allow.join(', ') } : {}),
  };
  return {
    status,
    headers,
    body: {
      error: problem.code,
      message: problem.hint === undefined ? message : `${message} ${problem.hint}`,
      request_id: requestContext.requestId,
      ...(status === 400 || status === 422 || problem.details ? { details: problem.details ?? [] } : {}),
    },
  };
}
