import { describe, expect, test } from 'vitest';
import { getOpenapi } from '../../../functions/public/openapi.ts';
import { insufficientScope, Problem, type ProblemCode } from '../../../lib/domain/values/problem.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { problemReply, problems } from '../../../lib/http/errors.ts';
import { eventOf } from '../../support/http/event.ts';

const event = eventOf({ headers: { authorization: 'Bearer x' } });

describe('the shape of an error', () => {
  test('of an invalid token is the code alone, with a challenge', () => {
    expect(problemReply(new Problem('invalid_token'), event)).toEqual({
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      body: { error: 'invalid_token' },
    });
  });

  test.each([{}, { authorization: '' }])(
    'of missing credentials (%j) has a challenge that names no error',
    (headers) => {
      const reply = problemReply(new Problem('invalid_token'), eventOf({ headers: headers as Record<string, string> }));
      expect(reply).toMatchObject({ headers: { 'www-authenticate': 'Bearer' }, body: { error: 'invalid_token' } });
    },
  );

  const codes = Object.keys(problems).filter((code) => code !== 'invalid_token') as ProblemCode[];
  test.each(codes)(
    'of %s is its code, a sentence and the request id, and details where fields can be wrong',
    (code) => {
      const { status, body } = problemReply(new Problem(code), event);
      const message = expect.stringMatching(/^[A-Z].*\.$/);
      const details = status === 400 || status === 422 ? { details: [] } : {};
      expect(body).toEqual({ error: code, message, request_id: 'request-1', ...details });
    },
  );

  test.each(['too_many_requests', 'unavailable'] as const)('of %s says when to come back', (code) => {
    expect(problemReply(new Problem(code), event).headers).toHaveProperty(
      'retry-after',
      expect.stringMatching(/^\d+$/),
    );
  });

  test('says when to come back as the problem knows it', () => {
    const problem = new Problem('too_many_requests', undefined, { retryAfter: 48 });
    expect(problemReply(problem, event).headers).toEqual({ 'retry-after': '48' });
  });

  test('of a missing scope names the scope in a challenge (RFC 6750, section 3)', () => {
    expect(problemReply(insufficientScope('contacts:write journeys:write'), event).headers).toEqual({
      'www-authenticate': 'Bearer error="insufficient_scope", scope="contacts:write journeys:write"',
    });
    const unnamed = problemReply(new Problem('insufficient_scope'), event).headers?.['www-authenticate'];
    expect(unnamed).toBe('Bearer error="insufficient_scope", scope=""');
  });

  test.each([
    ['forbidden', 403],
    ['identity_required', 403],
    ['conflict', 409],
    ['gone', 410],
    ['precondition_failed', 412],
  ] as const)('of %s has the status %i', (code, status) => {
    expect(problemReply(new Problem(code), event).status).toBe(status);
  });
});

describe('a fault of ours', () => {
  const failing = (logged: unknown[]) =>
    endpoint(
      () => ({
        authenticate: async () => ({ teamId: '', clientId: '' }),
        logger: { info: () => {}, error: (...entry) => logged.push(entry) },
        metricFields: () => ({}),
        now: () => 0,
        baseUrl: 'https://api.example.com',
        gzip: async (text) => Buffer.from(text),
        newId: () => '',
      }),
      getOpenapi,
      () => {
        throw new TypeError('cannot read secret-value of undefined');
      },
    );

  test('is answered without its text', async () => {
    const { statusCode, body } = await failing([])(event);
    expect(statusCode).toBe(500);
    expect(JSON.parse(body!)).toEqual({
      error: 'internal_error',
      message: problems.internal_error.message,
      request_id: 'request-1',
    });
  });

  test('is logged by its kind and place, not by its text, which may hold what was stored', async () => {
    const logged: unknown[] = [];
    await failing(logged)(event);
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).toContain('TypeError');
    expect(JSON.stringify(logged)).toContain('errors.test.ts');
    expect(JSON.stringify(logged)).not.toContain('secret-value');
  });
});
