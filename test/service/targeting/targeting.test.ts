import { expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { template, welcomeId, whoseProductIs } from '../../support/operations/targeting-world.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** Contract, section 14, "When": within 30 seconds of the write. */
const soon = { timeout: 30_000, interval: 250 };

test('an account that a batch opens starts the welcome journey by itself, and a repeat starts none', async () => {
  const api = await service();
  const bank = await Bank.open(api);
  const welcome = template({ targeting_groups: whoseProductIs('checking') });
  await putContent(api.database, bank.team.teamId, { templates: [welcome] });
  const id = await bank.contact('ann');
  const account = { account_number: '1', contact: { unique_id: 'ann' }, product: { code: 'CHK', type: 'checking' } };
  await bank.apply(account);
  const journeys = async () => (await bank.get(`/v1/journeys?contact_id=${id}`)).body;
  const started = { source: 'automatic-targeting', template: { id: welcomeId }, account_id: expect.any(String) };
  await expect.poll(journeys, soon).toMatchObject([started]);
  const [{ slug }] = await journeys();
  expect((await api.request('GET', `/j/${slug}`)).status).toBe(200);
  await bank.apply({ ...account, balance: 5 }, { ...account, account_number: '2' });
  await putContent(api.database, bank.team.teamId, { templates: [{ ...welcome, is_muted: true }] });
  const other = await bank.contact('bob');
  await bank.apply({ ...account, account_number: '3', contact: { unique_id: 'bob' } });
  const events = async () => (await bank.get('/v1/events?type=account.opened')).body.events;
  await expect.poll(events, soon).toHaveLength(3);
  expect([(await journeys()).length, (await bank.get(`/v1/journeys?contact_id=${other}`)).body]).toEqual([1, []]);
});
