import * as z from 'zod';
import { type Feedback, feedbackTypes } from '../../../lib/domain/messages/feedback.ts';
import { problems } from '../../../lib/http/errors.ts';
import type { GatewayResponse } from '../gateway/payload.ts';
import { OutboxFolder } from './mails.ts';
import { framed, listPage, mailPage } from './pages.ts';

export type OutboxRequest = {
  method: string;
  /** The decoded parts of the path behind `/outbox`. */
  path: readonly string[];
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  requestId: string;
};

export type Outbox = {
  folder: string;
  now(): number;
  /** Sends what a provider would report. */
  report(feedback: Feedback): Promise<unknown>;
};

const shown = ['id', 'channel', 'to', 'subject', 'sent_at', 'state'] as const;
const inFull = [...shown, 'html', 'text', 'headers', 'source'] as const;

const played = z.object({ type: z.enum(feedbackTypes) });

/** Answers a request to the outbox of the local service (contract, section 15, "Locally"). */
export async function answerOutbox(outbox: Outbox, request: OutboxRequest): Promise<GatewayResponse> {
  const answer = await answerOf(outbox, request);
  answer.headers.set('x-request-id', request.requestId);
  return answer;
}

async function answerOf(outbox: Outbox, request: OutboxRequest): Promise<GatewayResponse> {
  const { method, path, headers } = request;
  const problem = problemOf(request);
  if (!isFromHere(request)) return problem('forbidden');
  const folder = new OutboxFolder(outbox.folder);
  const [id, part, ...rest] = path.filter((each) => each !== '');
  if (rest.length > 0) return problem('not_found');
  if (id === undefined) {
    if (method === 'DELETE' || method === 'POST') {
      await folder.clear();
      return method === 'POST' ? seeOther('/outbox') : empty();
    }
    if (!isRead(method)) return problem('method_not_allowed', { allow: 'GET, DELETE' });
    const mails = await folder.newest();
    return wantsJson(headers)
      ? json(200, { messages: mails.map((mail) => pick(mail, shown)) })
      : page(listPage(mails), ownPolicy);
  }
  const mail = await folder.find(id);
  if (!mail) return problem('not_found');
  if (part === 'events') {
    if (method !== 'POST') return problem('method_not_allowed', { allow: 'POST' });
    const isForm = mediaType(headers) === 'application/x-www-form-urlencoded';
    const body = bodyOf(request, isForm);
    if (body === undefined) return problem('invalid_request', {}, [{ path: '', message: 'must be JSON' }]);
    const { success, data } = played.safeParse(body);
    if (!success) return problem('validation_failed', {}, [{ path: '/type', message: notType }]);
    const { type } = data;
    await folder.report(id, type);
    const at = new Date(outbox.now()).toISOString();
    await outbox.report({ type, tags: mail.tags, at, ...(type === 'bounced' ? { permanent: true } : {}) });
    return isForm ? seeOther(`/outbox/${id}`) : empty();
  }
  if (part !== undefined && part !== 'html') return problem('not_found');
  if (!isRead(method)) return problem('method_not_allowed', { allow: 'GET' });
  if (part === 'html') return page(framed(mail), framePolicy);
  return wantsJson(headers) ? json(200, pick(mail, inFull)) : page(mailPage(mail), ownPolicy);
}

const notType = `must be one of ${feedbackTypes.join(', ')}`;
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value.join(',') : (value ?? ''));
const mediaType = (headers: OutboxRequest['headers']): string => one(headers['content-type']).split(';')[0]!.trim();
const wantsJson = ({ accept }: OutboxRequest['headers']): boolean => /\bapplication\/json\b/i.test(one(accept));

/**
 * False for a name that somebody else has pointed to this machine, and for what a page of another site sends: the
 * messages show personal data.
 */
function isFromHere({ method, headers }: OutboxRequest): boolean {
  const host = one(headers.host);
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)) return false;
  const [site, origin] = [one(headers['sec-fetch-site']), one(headers.origin)];
  if (isRead(method)) return true;
  if (site !== '') return site === 'same-origin' || site === 'none';
  return origin === '' || origin === `http://${host}`;
}

function bodyOf({ body }: OutboxRequest, isForm: boolean): unknown {
  const text = body.toString('utf8');
  if (isForm) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const pick = <Value extends object, Name extends keyof Value>(value: Value, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value[name]]));

const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const response = (status: number, headers: Record<string, string>, body = ''): GatewayResponse => ({
  ...{ status, headers: new Headers({ ...common, ...headers }), body: Buffer.from(body) },
});

const empty = () => response(204, {});
const seeOther = (location: string) => response(303, { location });
const json = (status: number, body: unknown, headers = {}) =>
  response(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
const page = (body: string, policy: string) =>
  response(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }, body);

/** The error as JSON (contract, section 1). */
const problemOf =
  ({ requestId: request_id }: OutboxRequest) =>
  (code: keyof typeof problems, headers = {}, details?: object[]) => {
    const { status, message } = problems[code];
    const body = { error: code, message, request_id, ...(details && { details }) };
    return json(status, body, headers);
  };

const ownPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** A message runs nothing and belongs to no site. */
const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";
