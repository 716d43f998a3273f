import { beforeAll, expect, test } from 'vitest';
import { recordAction } from '../../../functions/journeys/record-action.ts';
import { Problem, type ProblemCode } from '../../../lib/domain/values/problem.ts';
import type { Event } from '../../../lib/http/request.ts';
import { renderNotice } from '../../../lib/web/notice.ts';

beforeAll(() => {
  Object.assign(process.env, { TABLE_NAME: 'onboarding', ISSUER: 'https://api.example.com', LOG_LEVEL: 'SILENT' });
});

/** The response to a form that fails with this problem, when its page cannot be shown either. */
async function refused(code: ProblemCode, body: string) {
  const { formErrors } = await import('../../../lib/http/pages/forms.ts');
  const { publicEndpoint } = await import('../../../lib/runtime/base.ts');
  const fail = () => Promise.reject(new Problem('unavailable'));
  const pages = async () => {
    const { refusedForm } = await import('../../../lib/http/pages/refused-form.ts');
    return { renderRefused: () => refusedForm(fail, renderNotice) };
  };
  const handler = publicEndpoint(
    recordAction,
    () => Promise.reject(new Problem(code)),
    formErrors(() => undefined, pages),
  );
  const headers = {
    accept: 'text/html',
    'accept-language': 'es',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const requestContext = { requestId: 'r', http: { method: 'POST', path: '/j/x/actions' } };
  return handler({
    headers,
    body,
    isBase64Encoded: false,
    rawPath: '/j/x/actions',
    requestContext,
  } as unknown as Event);
}
const entered = new URLSearchParams({ type: 'page_completed', 'value:Why?': 'Because "I" <want>' }).toString();

test.each([
  ['unavailable', 503],
  ['too_many_requests', 429],
  ['internal_error', 500],
] as const)('a form that meets %s is kept on a page that sends it again', async (code, status) => {
  const response = await refused(code, entered);
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  expect(response.headers?.['retry-after']).toBe(
    { unavailable: '2', too_many_requests: '1', internal_error: undefined }[code],
  );
  expect(response.body).toContain('<h1>No se ha podido enviar</h1>');
  expect(response.body).toContain('<form class="call" method="post">');
  expect(response.body).toContain('name="value:Why?" value="Because &quot;I&quot; &lt;want&gt;"');
  expect(response.headers?.['content-security-policy']).toContain("form-action 'self'");
});

test('a form that cannot be read is not said to be kept', async () => {
  const response = await refused('unavailable', 'a=1&'.repeat(200));
  expect(response.statusCode).toBe(503);
  expect(response.body).toContain('En este momento hay mucha actividad');
  expect(response.body).not.toContain('<form');
});
