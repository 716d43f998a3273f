import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isSameText } from '../../../lib/auth/identity-proof.ts';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import { maxAttempts } from '../../../lib/domain/journeys/identity-attempts.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { allowAttempts, askIdentity, proveIdentity } from '../../../lib/operations/journeys/identity.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

vi.mock('../../../lib/auth/identity-proof.ts', { spy: true });

const minute = 60_000;
const teamId = randomUUID();
const right = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };
const wrong = { ...right, post_code: '94111' };

let database: Database;
let contact: Contact;
let now: number;
const comparison = vi.mocked(isSameText);

beforeEach(async () => {
  database = new ModelDatabase();
  contact = await stored('p');
  now = Date.UTC(2026, 0, 1);
  comparison.mockClear();
});

const known = { birthdate: '1985-03-27', post_code: '94110' };
async function stored(unique_id: string, fields: object = known): Promise<Contact> {
  const upserted = await upsertContact(serviceOn(database), teamId, record({ unique_id, ...fields }));
  return (await loadContact(database, teamId, upserted.contact.id))!.contact;
}
const dependencies = (using = database) =>
  serviceOn(using, {
    now: () => now,
    pause: (round: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 5 * round)),
  });
const prove = (answers: object, using = database) =>
  proveIdentity(dependencies(using), teamId, contact, answers as Record<string, string>);
const ask = () => askIdentity(dependencies(), teamId, contact);
const times = async (count: number, answers: object) => {
  for (let done = 0; done < count; done++) await prove(answers);
};

describe('answers', () => {
  test('that are right prove the identity', async () => {
    expect(await prove(right)).toEqual({ result: 'proved' });
    expect(comparison).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the post code', wrong],
    ['the date', { ...right, birth_day: '28' }],
    ['both', { ...wrong, birth_day: '28' }],
  ])('of which %s is wrong are refused alike', async (_, answers) => {
    const facts = ['birthdate', 'post_code'];
    expect(await prove(answers)).toEqual({ result: 'refused', facts, lock: undefined, missing: [] });
    expect(comparison).toHaveBeenCalledTimes(1);
  });

  test('that are none are neither compared nor counted', async () => {
    for (let done = 0; done < maxAttempts + 1; done++) {
      expect(await prove({ ...right, post_code: '' })).toMatchObject({ missing: ['post_code'], lock: undefined });
    }
    expect(await prove({})).toMatchObject({ missing: ['birthdate', 'post_code'] });
    expect(comparison).toHaveBeenCalledTimes(0);
    expect(await prove(right)).toEqual({ result: 'proved' });
  });

  test('prove nothing where too little is on file, and count nothing', async () => {
    const other = await stored('q', { city: 'Tabor' });
    const outcome = await proveIdentity(dependencies(), teamId, other, right);
    expect(outcome).toMatchObject({ result: 'refused', facts: [] });
    expect(comparison).toHaveBeenCalledTimes(0);
  });
});

describe('wrong answers', () => {
  test('lock the fifth time, for longer the eighth, and the tenth until somebody allows it', async () => {
    await times(4, wrong);
    expect((await ask()).lock).toBeUndefined();
    expect(await prove(wrong)).toMatchObject({ lock: { wait: 15 * minute } });
    expect(await prove(right)).toMatchObject({ result: 'refused', lock: { wait: 15 * minute } });
    expect(comparison).toHaveBeenCalledTimes(5);
    now += 15 * minute;
    await times(3, wrong);
    expect((await ask()).lock).toEqual({ wait: 24 * 60 * minute });
    now += 24 * 60 * minute;
    await times(2, wrong);
    now += 10_000 * minute;
    expect(await prove(right)).toMatchObject({ result: 'refused', lock: { wait: null } });
    expect(comparison).toHaveBeenCalledTimes(maxAttempts);
    expect(await allowAttempts(dependencies(), teamId, 'p')).toEqual({ id: contact.id });
    expect(await prove(right)).toEqual({ result: 'proved' });
  });

  test('are forgotten with a right one', async () => {
    await times(4, wrong);
    await prove(right);
    await times(4, wrong);
    expect((await ask()).lock).toBeUndefined();
  });

  test('hide nothing of the contact from those who read it', async () => {
    await prove(wrong);
    expect(await loadContactAggregate(database, teamId, contact.id)).toMatchObject({
      contact,
      links: [],
      journeys: [],
    });
  });
});

describe('guesses at one moment', () => {
  test('are never more than the limit, however many', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => prove(wrong)));
    expect(comparison).toHaveBeenCalledTimes(5);
    expect(outcomes.filter((each) => each.result === 'refused' && each.lock)).toHaveLength(46);
  });

  test('do not slip through beside a right one', async () => {
    await times(4, wrong);
    await Promise.all([...Array.from({ length: 20 }, () => prove(wrong)), prove(right)]);
    // The right answer counts anew, but only once: four before, five more at most of each count.
    expect(comparison.mock.calls.length).toBeLessThanOrEqual(4 + 1 + 1 + 5);
  });
});

describe('a fault', () => {
  const faulty = (transact: Database['transact']): Database => ({
    ...bound(database),
    transact,
  });
  const away = () => Promise.reject(new StoreUnavailable('away'));

  test('before an attempt is counted lets nothing be compared', async () => {
    await expect(prove(right, faulty(away))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(comparison).toHaveBeenCalledTimes(0);
  });

  test('after it was counted, in whatever way, gives no attempt for free', async () => {
    const broken = faulty(async (writes) => {
      await database.transact(writes);
      return away();
    });
    for (let done = 0; done < 5; done++) await expect(prove(wrong, broken)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(comparison).toHaveBeenCalledTimes(0);
    expect(await prove(right)).toMatchObject({ result: 'refused', lock: { wait: 15 * minute } });
  });

  test('while the count is forgotten proves nothing, so that the same answers are simply sent again', async () => {
    let writes = 0;
    const broken = faulty((each) => (writes++ === 0 ? database.transact(each) : away()));
    await expect(prove(right, broken)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await prove(right)).toEqual({ result: 'proved' });
  });
});

describe('attempts', () => {
  test('are allowed again only to a contact that there is', async () => {
    await expect(allowAttempts(dependencies(), teamId, 'nobody')).rejects.toThrow(new Problem('not_found').message);
  });

  test('of a contact that is being renamed can be allowed later', async () => {
    await stored('q');
    const [own, other] = ['p', 'q'].map((uniqueId) => contactKey(teamId, derivedContactId(teamId, uniqueId)));
    const get: Database['get'] = (keys) =>
      database.get(keys.map((key) => (key.pk === own!.pk && key.sk === own!.sk ? other! : key)));
    const renaming = dependencies({ ...bound(database), get });
    const unavailable = { code: 'unavailable', message: 'the contact is being renamed' };
    await expect(allowAttempts(renaming, teamId, 'p')).rejects.toMatchObject(unavailable);
  });

  test('are unavailable if another request always counts one first', async () => {
    const losing = { ...dependencies({ ...bound(database), transact: async () => false }), pause: async () => {} };
    const unavailable = { code: 'unavailable', message: 'too many conflicts on the attempts' };
    await expect(proveIdentity(losing, teamId, contact, right)).rejects.toMatchObject(unavailable);
    expect(comparison).toHaveBeenCalledTimes(0);
  });
});
