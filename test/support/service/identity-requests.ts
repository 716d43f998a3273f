import { randomUUID } from 'node:crypto';
import { putContent } from '../operations/content.ts';
import { service } from './service.ts';

export const pageOf = (fields: object) => ({ id: randomUUID(), page: { id: randomUUID(), ...fields } });
export const limit = pageOf({
  completion_condition: 'confirm',
  order: 1,
  content: 'Your limit is {{meta_private.limit}} now.',
  navigation_title: 'Your limit',
});
export const plain = pageOf({ completion_condition: 'confirm', content: 'Good day {{name_first}}.' });
export const open = { id: randomUUID(), name: 'Open campaign', template_pages: [limit, plain] };
export const closed = {
  id: randomUUID(),
  name: 'Closed campaign',
  is_auth_required: true,
  footer_content: { text: 'Signed for {{name_first}} by {{team.name}}' },
  template_pages: [
    pageOf({ completion_condition: 'confirm', content: 'Good day {{name_first}}, {{meta_private.limit}}.' }),
  ],
};

export const known = {
  name_first: 'Annabel',
  birthdate: '1985-03-27',
  post_code: '94110-1234',
  meta_private: { limit: 'seven thousand' },
};
export const right = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: ' 94110 ' };
export const wrong = { ...right, post_code: '94112' };
/** The text without ids of pages and templates, in which four digits can occur by chance. */
export const withoutIds = (text: string) => text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '');
export const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';

/** A new team with both campaigns, and the requests of a person who opens their pages. */
export async function identityRequests() {
  const api = await service();
  const team = await api.newTeam();
  await putContent(api.database, team.teamId, { templates: [open, closed] });

  /** The path of the journey of a new contact. */
  async function journey(
    template: { id: string },
    fields: object = known,
    of = team,
    unique_id: string = randomUUID(),
  ) {
    const request = { token: of.token, body: { contact: { unique_id, ...fields } } };
    const { body } = await api.request('POST', `/v1/templates/${template.id}/journeys`, request);
    const found = await api.request('POST', '/v1/contacts', { token: of.token, body: { unique_id } });
    return { path: `/j/${body.slug}`, id: body.id as string, unique_id, contact_id: found.body.id as string };
  }
  const get = (path: string, cookie?: string) => api.request('GET', path, cookie ? { headers: { cookie } } : {});
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    api.request('POST', `${path}/identity`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  return { api, team, journey, get, post };
}
