import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { service, type TestRequest } from '../../support/service/service.ts';

export type Page = { id: string; completion_condition?: string | null; [field: string]: unknown };
type Template = { id: string };

export const page = (completion_condition: string | null, fields: object = {}): Page => ({
  id: randomUUID(),
  completion_condition,
  ...fields,
});

export const template = (name: string, pages: Page[], fields: object = {}) => ({
  id: randomUUID(),
  name,
  template_pages: pages.map((each, order) => ({ id: randomUUID(), order, page: each })),
  ...fields,
});

let people = 0;
/** A contact that no other test uses. */
export const person = () => ({ unique_id: `person-${++people}` });

/** The paths of the details of a 422. */
export const faults = ({ status, body }: { status: number; body: { details?: { path: string }[] } }) => {
  expect(status).toBe(422);
  return body.details!.map(({ path }) => path);
};

/** A new team with three templates, and the requests that start, read and advance journeys of them. */
export async function journeyRequests() {
  const api = await service();
  const team = await api.newTeam();
  const pages = {
    view: page('view'),
    confirm: page('confirm'),
    action: page('action'),
    read: page(null),
  };
  const welcome = template('Welcome', Object.values(pages));
  const plain = template('Plain', [page(null)]);
  const archived = template('Gone', [], { is_archived: true });
  await putContent(api.database, team.teamId, { templates: [welcome, plain, archived] });

  const send = (method: string, path: string, body?: unknown, token = team.token) =>
    api.request(method, path, { token, ...(body === undefined ? {} : { body }) } as TestRequest);
  const start = (of: Template, body: unknown, token?: string) =>
    send('POST', `/v1/templates/${of.id}/journeys`, body, token);
  const journeysOf = async (contactId: string, token?: string) =>
    (await send('GET', `/v1/journeys?contact_id=${contactId}`, undefined, token)).body;
  const confirm = (of: Template, id: string, body: unknown) =>
    send('PUT', `/v1/templates/${of.id}/journeys/${id}`, body);
  const act = (slug: string, type: string, page_id: unknown) =>
    api.request('POST', `/j/${slug}/actions`, { body: { type, page_id } });
  const progress = async (contactId: string) => (await journeysOf(contactId))[0].analytics_cache;

  /** A new contact with its journey. */
  async function journey(of: Template = welcome, body: object = {}) {
    const contact = person();
    const { status, body: started } = await start(of, { contact, ...body });
    expect(status).toBe(201);
    const { body: found } = await send('POST', '/v1/contacts', contact);
    return { ...started, contact_id: found.id as string, unique_id: contact.unique_id };
  }

  return { api, team, pages, welcome, plain, archived, send, start, journeysOf, confirm, act, progress, journey };
}
