import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { service, type TestRequest } from './service.ts';

/** A new team, and the requests that write and read its contacts. */
export async function contactRequests() {
  const api = await service();
  const team = await api.newTeam();
  const send = (method: string, path: string, body?: unknown) =>
    api.request(method, path, { token: team.token, ...(body === undefined ? {} : { body }) } as TestRequest);
  const post = (body: unknown) => send('POST', '/v1/contacts', body);
  const get = (id: string) => send('GET', `/v1/contacts/${id}`);
  /** The stored contact after these records, each of which must be accepted. */
  async function stored(...records: object[]) {
    const unique_id = randomUUID();
    let id = '';
    for (const each of records) {
      const { status, body } = await post({ unique_id, ...each });
      expect(status).toBeLessThan(300);
      id = body.id;
    }
    return (await get(id)).body;
  }
  const faults = async (body: object) => {
    const answer = await post({ unique_id: randomUUID(), ...body });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toBe('validation_failed');
    return answer.body.details.map(({ path }: { path: string }) => path);
  };

  return { api, team, send, post, get, stored, faults };
}
