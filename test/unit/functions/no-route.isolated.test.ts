import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { eventOf } from '../../support/http/event.ts';

Object.assign(process.env, { TABLE_NAME: 'onboarding', ISSUER: 'https://api.example.com', LOG_LEVEL: 'SILENT' });

test.each([
  ['GET', '', 404, undefined],
  ['GET', '/docs', 302, '/docs'],
  ['HEAD', '/docs', 302, '/docs'],
  ['POST', '', 404, undefined],
  ['POST', '/docs', 405, undefined],
])('%s / with the start page "%s" is %i', async (method, page, status, location) => {
  vi.resetModules();
  vi.stubEnv('START_PAGE', page || undefined);
  const { handler } = await import('../../../functions/public/no-route.ts');
  const event = eventOf({ method, rawPath: '/' });
  const { statusCode, headers } = (await handler(event)) as APIGatewayProxyStructuredResultV2;
  expect([statusCode, headers?.location]).toEqual([status, location]);
});
