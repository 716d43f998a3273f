import { expect } from 'vitest';
import { service } from './service.ts';

export const people = Array.from({ length: 25 }, (_, n) => ({
  unique_id: `Ref-${String(n).padStart(2, '0')}`,
  name_first: n % 5 === 0 ? null : `First ${n}`,
  name_last: n % 2 ? 'Nordmann' : 'nordmann',
  birthdate: `19${60 + n}-02-03`,
  email_opted_in: n % 3 === 0 ? null : n % 3 === 1,
  meta_private: { branch: { id: 7000 + n, city: `Branch ${n}` } },
}));
/** The list, in the order of the response. */
export const sent = people.map(({ unique_id }) => unique_id);
export const idsIn = ({ body }: { body: { contacts: { unique_id: string }[] } }) =>
  body.contacts.map((each) => each.unique_id);

/** A new team with these contacts, and requests for its lists. */
export async function contactList() {
  const api = await service();
  const team = await api.newTeam();
  await api.request('POST', '/v1/contacts', { token: team.token, body: { contacts: people } });

  const list = (query = '', token = team.token) => api.request('GET', `/v1/contacts${query}`, { token });
  const refused = async (query: string) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_request');
    return body.details.map(({ path }: { path: string }) => path);
  };

  return { api, team, list, refused };
}
