import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadContact } from '../../lib/store/contacts.ts';
import { contactRequests } from '../support/contact-requests.ts';
import { putContent } from '../support/content.ts';

const { api, team, stored } = await contactRequests();

describe('objectives', () => {
  /** `null` for global objectives. */
  const objective = async (owner: string | null, key: string) => {
    const id = randomUUID();
    await putContent(api.database, owner, { objectives: [{ id, key, name: key }] });
    return id;
  };
  const completions = async (contact: { id: string }) =>
    (await loadContact(api.database, team.teamId, contact.id))?.contact.completions ?? {};

  test('are completed by a field of their key: at a timestamp, a date, or at the time of receipt', async () => {
    const ids: string[] = [];
    for (const key of ['stamped', 'dated', 'affirmed', 'denied']) ids.push(await objective(team.teamId, key));
    const [stamped, dated, affirmed, denied] = ids;
    const contact = await stored({
      stamped: '2024-05-06T07:08:09+02:00',
      dated: '2024-05-06',
      affirmed: 'YES',
      denied: 'no',
    });
    const found = await completions(contact);
    expect(found[stamped!]).toBe('2024-05-06T05:08:09.000000Z');
    expect(found[dated!]).toBe('2024-05-06T00:00:00.000000Z');
    expect(found[affirmed!]).toBe(contact.inserted_at);
    expect(found[denied!]).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', 'toString'])('may have the key %s', async (key) => {
    const id = await objective(team.teamId, key);
    const contact = await stored({ [key]: true });
    expect((await completions(contact))[id]).toBe(contact.inserted_at);
    expect(await completions(await stored({ name_first: 'Ann' }))).toEqual({});
  });

  test('keep their first completion, and nothing un-completes', async () => {
    const id = await objective(team.teamId, 'once');
    const contact = await stored({ once: '2024-05-06' }, { once: '2020-01-01' }, { once: false }, { once: null });
    expect((await completions(contact))[id]).toBe('2024-05-06T00:00:00.000000Z');
  });

  test('that are global count for every team; those of another team are just unknown fields', async () => {
    const key = `global-${randomUUID()}`;
    const own = await objective(null, key);
    const foreign = await objective((await api.newTeam()).teamId, 'foreign');
    const found = await completions(await stored({ [key]: true, foreign: true }));
    expect(Object.keys(found)).toEqual([own]);
    expect(found).not.toHaveProperty(foreign);
  });
});
