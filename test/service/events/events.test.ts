import { expect, test } from 'vitest';
import { service } from '../../support/service/service.ts';

test('type can be repeated, and name all types with the same first word', async () => {
  const api = await service();
  const { token } = await api.newTeam();
  await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'a' } });
  const events = async (query: string) => (await api.request('GET', `/v1/events?${query}`, { token })).body.events;
  const repeated = () => events('type=journey.created&type=contact.created');
  // Readers find events within 20 seconds (contract, section 12).
  await expect.poll(repeated, { timeout: 20_000 }).toMatchObject([{ type: 'contact.created' }]);
  expect(await events('type=journey.*')).toEqual([]);
  expect(await events('type=contact.*')).toHaveLength(1);
});
