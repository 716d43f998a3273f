import { describe, expect, test } from 'vitest';
import { contactRequests } from '../support/contact-requests.ts';

/** Contract, section 3: what is stored of the fields of a contact. */
const { api, team, post, stored, faults } = await contactRequests();

describe('the deprecated fields', () => {
  test.each([
    ['email', 'unsubscribe_email', 'email_opted_in'],
    ['sms', 'unsubscribe_sms', 'sms_opted_in'],
  ])('of %s are the inverse of the new one, which wins', async (_, old, current) => {
    const both = (contact: Record<string, unknown>) => [contact[old], contact[current]];
    expect(both(await stored({}))).toEqual([null, null]);
    expect(both(await stored({ [old]: true }))).toEqual([true, false]);
    expect(both(await stored({ [old]: false }))).toEqual([false, true]);
    expect(both(await stored({ [current]: true }))).toEqual([false, true]);
    expect(both(await stored({ [old]: true, [current]: true }))).toEqual([false, true]);
    expect(both(await stored({ [current]: true }, { [old]: null }))).toEqual([null, null]);
    expect(both(await stored({ [old]: true }, { name_first: 'x' }))).toEqual([true, false]);
  });
});

describe('the flags that speak of the address on file', () => {
  const email = { email: 'a@x', email_verified: true, email_authorized: true, email_opted_in: true };
  const sms = { phone_mobile: '5551234567', sms_verified: true, sms_authorized: true, sms_opted_in: true };

  test('become false when an upsert changes or clears the email; opted_in stays', async () => {
    const withdrawn = { email_verified: false, email_authorized: false, email_opted_in: true };
    expect(await stored(email, { email: 'b@x' })).toMatchObject(withdrawn);
    expect(await stored(email, { email: null })).toMatchObject(withdrawn);
    expect(await stored(email, { email: 'a@x' })).toMatchObject(email);
    expect(await stored(email, { phone_mobile: '1' })).toMatchObject(email);
  });

  test('become false for sms when phone_mobile changes', async () => {
    const withdrawn = { sms_verified: false, sms_authorized: false, sms_opted_in: true };
    expect(await stored(sms, { phone_mobile: '5550000000' })).toMatchObject(withdrawn);
    expect(await stored(sms, { phone_mobile: null })).toMatchObject(withdrawn);
    expect(await stored(sms, { phone_mobile: '(555) 123-4567' })).toMatchObject({ sms_verified: true });
    expect(await stored(sms, { email: 'x@x' })).toMatchObject({ sms_verified: true, sms_authorized: true });
  });

  test('are as the upsert says that sends them itself', async () => {
    expect(await stored(email, { email: 'b@x', email_verified: true })).toMatchObject({
      email_verified: true,
      email_authorized: false,
    });
    expect(await stored(email, { email: 'b@x', email_verified: null })).toMatchObject({ email_verified: null });
  });

  test('are null on a new contact that does not send them', async () => {
    expect(await stored({ email: 'a@x' })).toMatchObject({ email_verified: null, email_authorized: null });
  });
});

describe('phones', () => {
  test.each([
    ['(555) 123-4567', '15551234567'],
    ['15551234567', '15551234567'],
    ['+49 30 123456', '4930123456'],
    ['123', '123'],
    ['', null],
    ['  ', null],
  ])('%j is stored as %j', async (value, expected) => {
    const { phone_home, phone_mobile, phone_work } = await stored({
      phone_home: value,
      phone_mobile: value,
      phone_work: value,
    });
    expect([phone_home, phone_mobile, phone_work]).toEqual([expected, expected, expected]);
  });

  test.each(['call me', '555-CALL', '---', '+'])('%j is 422', async (phone_mobile) => {
    expect(await faults({ phone_mobile })).toEqual(['/phone_mobile']);
  });
});

describe('values', () => {
  test('birthdate is a real calendar date', async () => {
    expect((await stored({ birthdate: '2024-02-29' })).birthdate).toBe('2024-02-29');
    for (const birthdate of ['2023-02-29', '1.1.1970', '', '1970-01-01T00:00:00Z']) {
      expect(await faults({ birthdate })).toEqual(['/birthdate']);
    }
  });

  test('strings have at most 1,024 characters', async () => {
    expect((await stored({ address: '😀'.repeat(1024) })).address).toBe('😀'.repeat(1024));
    expect(await faults({ address: 'x'.repeat(1025), email: 'x'.repeat(1025) })).toEqual(['/address', '/email']);
  });

  test('email and timezone have no format', async () => {
    expect(await stored({ email: 'not an address', timezone: 'Mars/Olympus' })).toMatchObject({
      email: 'not an address',
      timezone: 'Mars/Olympus',
    });
  });
});

describe('metadata', () => {
  test('is flattened on arrival, values kept in their type', async () => {
    const sent = {
      car: [{ make: 'Skoda', year: 2020, sold: false, price: 12.5, owner: null }, 'x'],
      'pet.name': 'Rex',
    };
    const { meta_public, meta_private } = await stored({ meta_public: sent, meta_private: sent });
    const flat = {
      'car.0.make': 'Skoda',
      'car.0.year': 2020,
      'car.0.sold': false,
      'car.0.price': 12.5,
      'car.0.owner': null,
      'car.1': 'x',
      'pet.name': 'Rex',
    };
    expect([meta_public, meta_private]).toEqual([flat, flat]);
  });

  test.each([
    ['keys sent replace all under their top-level key, others stay', { car: ['c'] }, { 'car.0': 'c', pet: 'Rex' }],
    ['a dotted key is of its top-level key', { 'car.9': 'c' }, { 'car.9': 'c', pet: 'Rex' }],
    ['a top-level key sent as null is removed', { car: null }, { pet: 'Rex' }],
    ['an empty object flattens to nothing', { car: {} }, { pet: 'Rex' }],
    ['an empty array flattens to nothing', { car: [], pet: null }, null],
    ['the whole sent as null is cleared', null, null],
    [
      'dotted keys count after nested ones',
      { 'car.a': 1, car: { a: 2, b: 3 } },
      { 'car.a': 1, 'car.b': 3, pet: 'Rex' },
    ],
  ])('%s', async (_, sent, expected) => {
    const contact = await stored({ meta_public: { car: ['a', 'b'], pet: 'Rex' } }, { meta_public: sent });
    expect(contact.meta_public).toEqual(expected);
  });

  test('that has no keys left is null', async () => {
    expect((await stored({ meta_public: {} })).meta_public).toBeNull();
  });

  test('has at most 1,000 keys and 16 KB in each of the two, merged', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, n]));
    expect(Object.keys((await stored({ meta_public: keys(0, 1000) })).meta_public)).toHaveLength(1000);
    expect(await faults({ meta_public: keys(0, 1001) })).toEqual(['/meta_public']);
    expect(await faults({ meta_private: { a: 'x'.repeat(17_000) } })).toEqual(['/meta_private']);
    const { unique_id } = await stored({ meta_public: keys(0, 1000), meta_private: { a: 'x'.repeat(10_000) } });
    const record = { unique_id, meta_public: { other: 1 }, meta_private: { b: 'x'.repeat(10_000) }, name_first: 'Ann' };
    expect(await faults(record)).toEqual(['/meta_public', '/meta_private']);
    expect((await post({ unique_id })).body.name_first).toBeNull();
  });

  test('takes __proto__ and constructor for keys like any other', async () => {
    const text = '{"unique_id":"proto","meta_public":{"__proto__":{"x":1},"constructor":"c","a":{"__proto__":2}}}';
    const created = await post(text);
    expect(created.status).toBe(201);
    const raw = await fetch(new URL(`/v1/contacts/${created.body.id}`, api.baseUrl), {
      headers: { authorization: `Bearer ${team.token}` },
    });
    expect(await raw.text()).toContain('"meta_public":{"__proto__.x":1,"a.__proto__":2,"constructor":"c"}');
  });
});
