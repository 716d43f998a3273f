import { expect } from 'vitest';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { service, type TestRequest, type TestResponse, type TestTeam } from '../../support/service/service.ts';

const api = await service();

export const form = 'application/x-www-form-urlencoded';
export const grant = { grant_type: 'client_credentials' };
export const credentials = ({ clientId, clientSecret }: TestTeam) => ({
  client_id: clientId,
  client_secret: clientSecret,
});
export const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export const post = (request: TestRequest, query = '') => api.request('POST', `/oauth2/token${query}`, request);
export const postForm = (fields: Record<string, string> | string, headers: Record<string, string> = {}, query = '') =>
  post({ body: new URLSearchParams(fields).toString(), headers: { 'content-type': form, ...headers } }, query);

export function expectToken({ status, headers, body }: TestResponse): void {
  expect(status).toBe(200);
  const scope = allScopes.join(' ');
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toBeTruthy();
}

export function expectRefusal({ status, headers, body }: TestResponse, expected: number, error: string): void {
  expect(body).toEqual({ error, error_description: expect.any(String) });
  expect(status).toBe(expected);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('www-authenticate')).toBe(expected === 401 ? 'Basic realm="onboarding"' : null);
}
