import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiError, OnboardingClient, PreconditionFailedError } from '../../../client/index.ts';
import { service } from '../../support/service/service.ts';

describe('a contact with its entity tag', () => {
  let client: OnboardingClient;
  let id: string;
  let isTagRemoved = false;

  beforeAll(async () => {
    const running = await service();
    const { clientId, clientSecret } = await running.newTeam();
    const proxied = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      return isTagRemoved ? Response.json(await response.json()) : response;
    };
    client = new OnboardingClient({ baseUrl: running.baseUrl, clientId, clientSecret, fetch: proxied });
  });
  beforeEach(async () => {
    ({ id } = await client.contacts.upsert({ unique_id: crypto.randomUUID(), city: 'Brno' }));
  });

  test('is updated if it still has the tag, and then has another one', async () => {
    const { contact, tag } = await client.contacts.getWithTag(id);
    expect(contact).toMatchObject({ id, city: 'Brno' });
    expect(await client.contacts.update(id, { city: 'Praha' }, { ifMatch: tag })).toMatchObject({ city: 'Praha' });
    expect((await client.contacts.getWithTag(id)).tag).not.toBe(tag);
  });

  test('is not updated if it has changed since: the error says to read it again', async () => {
    const { tag } = await client.contacts.getWithTag(id);
    await client.contacts.update(id, { city: 'Praha' });
    const error = await client.contacts.update(id, { city: 'Ostrava' }, { ifMatch: tag }).catch((each) => each);
    expect(error).toBeInstanceOf(PreconditionFailedError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'PreconditionFailedError', status: 412, code: 'precondition_failed' });
    expect(error.message).toContain('read it again');
    expect(await client.contacts.get(id)).toMatchObject({ city: 'Praha' });
  });

  test('is updated without a condition unless one is given', async () => {
    await client.contacts.update(id, { city: 'Praha' });
    expect(await client.contacts.update(id, { city: 'Ostrava' })).toMatchObject({ city: 'Ostrava' });
  });

  test('is read again only if it has another tag', async () => {
    const { tag } = await client.contacts.getWithTag(id);
    expect(await client.contacts.getWithTag(id, { ifNoneMatch: tag })).toBeUndefined();
    await client.contacts.update(id, { city: 'Praha' });
    const changed = await client.contacts.getWithTag(id, { ifNoneMatch: tag });
    expect(changed?.contact).toMatchObject({ city: 'Praha' });
    expect(changed?.tag).not.toBe(tag);
  });

  test('is an error if a proxy has removed the tag, so that no update loses its condition', async () => {
    isTagRemoved = true;
    const error = await client.contacts.getWithTag(id).catch((each) => each);
    isTagRemoved = false;
    expect(error).toMatchObject({ name: 'ApiError', code: 'unexpected_answer' });
  });
});
