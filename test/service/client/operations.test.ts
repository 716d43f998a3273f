import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError, OnboardingClient, verifyWebhook } from '../../../client/index.ts';
import { routes } from '../../../lib/routes.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { startReceiver } from '../../support/http/webhook-receiver.ts';
import { putContent } from '../../support/operations/content.ts';
import { service, type TestTeam } from '../../support/service/service.ts';

const sample = JSON.parse(readFileSync(new URL('../../../examples/campaigns.json', import.meta.url), 'utf8'));
const [template] = sample.templates;
const [channel] = sample.engagement_channels;

describe('every operation', () => {
  const called = new Set<string>();
  let team: TestTeam;
  let client: OnboardingClient;

  beforeAll(async () => {
    const running = await service();
    team = await running.newTeam();
    await putContent(running.database, team.teamId, sample);
    const { clientId, clientSecret } = team;
    client = new OnboardingClient({
      baseUrl: running.baseUrl,
      clientId,
      clientSecret,
      fetch: (url, init) => {
        called.add(`${init.method} ${new URL(url).pathname}`);
        return fetch(url, init);
      },
    });
  });

  test('a strict client gets an error for what would be ignored or could not be used', async () => {
    const { clientId, clientSecret } = team;
    const strict = new OnboardingClient({ baseUrl: (await service()).baseUrl, clientId, clientSecret, strict: true });
    const sent = { unique_id: 'c-0', first_name: 'Jana', email: 'none' };
    const refused = await strict.contacts.upsert(sent).catch((error: unknown) => error);
    const paths = (refused as ApiError).details.map(({ path }) => path);
    expect(paths.sort()).toEqual(['/email', '/first_name']);
    expect((await client.contacts.upsert(sent)).email).toBe('none');
  });

  test('contacts are created, updated, read and listed', async () => {
    const created = await client.contacts.upsert({
      ...{ unique_id: 'c-1', name_first: 'Jana', meta_public: { car: ['a'] } },
      objectives: { name_first: true, signed_up: true },
    });
    expect(created).toMatchObject({ unique_id: 'c-1', name_first: 'Jana', meta_public: { 'car.0': 'a' } });
    expect('meta_private' in created).toBe(false);
    expect(await client.contacts.upsert({ unique_id: 'c-1', city: 'Brno' })).toMatchObject({
      id: created.id,
      name_first: 'Jana',
      meta_private: null,
    });
    expect((await client.contacts.upsert({ unique_id: 'c-1' })).email).toBeNull();
    expect(await client.contacts.update(created.id, { city: null })).toMatchObject({ city: null });
    expect(await client.contacts.get(created.id)).toMatchObject({ unique_id: 'c-1', city: null });
    const { new_contacts, existing_contacts } = await client.contacts.upsertMany([
      { unique_id: 'c-1', name_last: 'Nová' },
      ...Array.from({ length: 5 }, (_, n) => ({ unique_id: `c-${n + 2}`, name_last: `Nový ${n}` })),
    ]);
    expect([new_contacts.length, existing_contacts.length]).toEqual([5, 1]);
    const found: (string | null)[] = [];
    const query = { search: 'nov', sort_column: 'unique_id', sort_direction: 'desc', limit: 2 } as const;
    for await (const { unique_id } of client.contacts.list(query)) found.push(unique_id);
    expect(found).toEqual(['c-6', 'c-5', 'c-4', 'c-3', 'c-2', 'c-1']);
  });

  test('events are read on from where the loop has ended, also by another program', async () => {
    const types = ['contact.*' as const];
    const feed = client.events.feed({ types, limit: 2 });
    const ids: string[] = [];
    const contacts = new Set<string | undefined>();
    for (let looks = 0; contacts.size < 6 && looks < 200; looks++, await sleep(100)) {
      for await (const { id, contact_id } of feed) {
        ids.push(id);
        contacts.add(contact_id);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
    const { id: later } = await client.contacts.upsert({ unique_id: 'later' });
    const found: (string | undefined)[] = [];
    const resumed = client.events.feed({ types, cursor: feed.cursor! });
    for (let looks = 0; found.length === 0 && looks < 200; looks++, await sleep(100)) {
      for await (const { contact_id } of resumed) found.push(contact_id);
    }
    expect(found).toEqual([later]);
  });

  test('a loop that ends within a page reads the page again', async () => {
    const feed = client.events.feed();
    const first = async () => {
      for await (const { id } of feed) return id;
      return undefined;
    };
    expect(await first()).toBe(await first());
    expect(feed.cursor).toBeUndefined();
  });

  test('a contact is erased', async () => {
    const { id } = await client.contacts.upsert({ unique_id: 'leaving' });
    expect(await client.contacts.erase(id)).toEqual({ id, status: 'erasing' });
    await expect(client.contacts.erase(randomUUID())).rejects.toMatchObject({ status: 404 });
  });

  test('a contact is sent a link, and leaves', async () => {
    const { id } = await client.contacts.upsert({
      unique_id: 'mailed',
      email: 'mailed@example.com',
      email_opted_in: true,
    });
    expect(await client.contacts.verify(id)).toMatchObject({ status: 'sending' });
    await client.contacts.optOut(id);
    expect((await client.contacts.get(id)).email_opted_in).toBe(false);
  });

  test('accounts are imported, waited for and read, under any batch id', async () => {
    const { id } = await client.contacts.upsert({ unique_id: 'holder' });
    const record = (account_number: string) => ({
      account_number,
      contact: { unique_id: 'holder', role: 'primary' },
      product: { code: 'FREE', type: 'checking' as const },
    });
    for (const batchId of ['..', 'a/b?c#d', ` ${randomUUID()} %41`]) {
      const progress: number[] = [];
      const onProgress = ({ records }: { records: number }) => progress.push(records);
      const uploaded = await client.batches.upload([record(batchId)], { batchId, onProgress });
      expect(uploaded).toEqual({ chunks: 1, records: 1, duplicates: 0 });
      expect(progress).toEqual([1]);
      expect(await client.batches.finished(batchId)).toMatchObject({ batch_id: batchId, status: 'completed' });
    }
    const { batch_id } = await client.batches.create({ type: 'account', records: [record('assigned')] });
    expect(await client.batches.finished(batch_id)).toMatchObject({ records: { applied: 1 } });
    expect(await client.contacts.accounts(id)).toHaveLength(4);
  });

  test('an upload says which chunk was refused, and every fault in it', async () => {
    const records = Array.from({ length: 700 }, (_, n) => ({ account_number: `${n}`, contact: { unique_id: 'c' } }));
    const faulty = records.with(650, { account_number: '', contact: { unique_id: 'c' } });
    const error = await client.batches.upload(faulty, { batchId: randomUUID() }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'UploadError', chunkIndex: 1, firstRecord: 500 });
    const { cause } = error as { cause: ApiError };
    expect(cause).toBeInstanceOf(ApiError);
    expect(cause).toMatchObject({ status: 422, code: 'validation_failed', requestId: expect.any(String) });
    expect(cause.details).toMatchObject([{ path: '/records/150/account_number' }]);
  });

  test('campaigns are read, and journeys started, listed and confirmed', async () => {
    expect((await client.templates.list()).map(({ id }) => id)).toContain(template.id);
    expect(await client.templates.get(template.id)).toMatchObject({ name: template.name });
    expect((await client.templates.pages(template.id)).length).toBeGreaterThan(0);
    expect(await client.templates.messages(template.id)).toBeInstanceOf(Array);
    expect((await client.objectives.list()).map(({ key }) => key)).toContain(sample.objectives[0].key);
    const traveller = await client.contacts.upsert({ unique_id: 'traveller' });
    const started = await client.journeys.start(template.id, { contact: { id: traveller.id }, source: 'branch' });
    expect(await client.journeys.list(traveller.id)).toMatchObject([{ id: started.id, source: 'branch' }]);
    expect(await client.journeys.responses(started.id)).toEqual([]);
    const due = await client.journeys.messages(started.id);
    expect(sample.templates[0].template_messages.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(due.map(({ template_message_id }) => template_message_id)),
    );
    expect(due.at(-1)).toMatchObject({ channel: 'email', state: 'scheduled', sent_at: null });
    const listed: unknown[] = [];
    for await (const journey of client.journeys.ofTemplate(template.id, { limit: 1 })) listed.push(journey);
    expect(listed).toMatchObject([{ id: started.id, contact: { unique_id: 'traveller' } }]);
    for await (const response of client.templates.responses(template.id)) expect(response).toBeUndefined();
    expect(await client.templates.results(template.id)).toMatchObject({ template_id: template.id });
    expect((await client.channels.list()).map(({ id }) => id)).toContain(channel.id);
    const confirmed = await client.journeys.confirm(template.id, started.id);
    expect(confirmed.completion_verified_at).toMatch(/^20/);
    expect(await client.journeys.cancel(started.id)).toMatchObject({ cancelled_at: expect.stringMatching(/^20/) });
  });

  test('webhooks are made, read, rotated, tested and deleted', async () => {
    const receiver = await startReceiver();
    // Of a type that nothing above gives: what is published late is none of this webhook's.
    const { id, secret } = await client.webhooks.create({ url: receiver.url, types: ['batch.failed'] });
    expect(await client.webhooks.list()).toMatchObject([{ id, url: receiver.url, state: 'up' }]);
    expect(await client.webhooks.get(id)).toMatchObject({ id, backlog: { waiting: 0, unread: 0 } });
    const { secret: next } = await client.webhooks.rotate(id);
    expect(await client.webhooks.test(id)).toMatchObject({ received: true, status: 204, error: null });
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    for (const each of [secret, next])
      expect(await verifyWebhook(each, headers, body)).toMatchObject({ type: 'webhook.test' });
    expect(await client.webhooks.delete(id)).toBeUndefined();
    expect(await client.webhooks.list()).toEqual([]);
  });

  test('a channel’s content is found by a field and by a key of metadata, whatever is in it', async () => {
    const value = 'k&1=ž [é]';
    const traveller = await client.contacts.upsert({
      unique_id: 'watcher',
      email: 'a+b@example.com',
      meta_private: { core_id: value, 'odd&key': 'x' },
    });
    const { web_client_url } = await client.journeys.start(template.id, { contact: { id: traveller.id } });
    for (const [field, sought] of [
      ['email', 'a+b@example.com'],
      ['meta_private[core_id]', value],
      ['meta_private[odd&key]', 'x'],
    ] as const) {
      expect(await client.channels.search(channel.id, field, sought)).toMatchObject({ journey_url: web_client_url });
    }
  });

  test('another team’s contact is refused as one that is not there', async () => {
    const error = await client.contacts.get(randomUUID()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'not_found', details: [], requestId: expect.any(String) });
  });

  test('was called by one of these', () => {
    // PUT of a contact does the same as PATCH, and the query finds every batch that the path finds.
    const notNeeded = ['PUT /v1/contacts/{id}', 'GET /v1/batches/{batch_id}'];
    const offered = routes
      .filter(({ access, id }) => access === 'bearer' || id === 'create-token')
      .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
      .filter((operation) => !notNeeded.includes(operation));
    const isCalled = (operation: string) => {
      const pattern = new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return [...called].some((call) => pattern.test(call));
    };
    const missing = offered.filter((operation) => !isCalled(operation));
    expect(missing, 'add a method to the class of its resource in client/, and call it in a test above').toEqual([]);
  });
});

describe('the client', () => {
  test('holds no more than the scopes that it asks for', async () => {
    const running = await service();
    const { clientId, clientSecret } = await running.newTeam();
    const scopes = ['campaigns:read'] as const;
    const limited = new OnboardingClient({ baseUrl: running.baseUrl, clientId, clientSecret, scopes });
    expect(await limited.templates.list()).toEqual([]);
    await expect(limited.contacts.get(randomUUID())).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  test('does the first steps in twenty lines', async () => {
    const file = 'examples/walk-through.ts';
    expect(readFileSync(`${projectRoot}/${file}`, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    const running = await service();
    const { clientId, clientSecret } = await running.newTeam();
    const env = { ...process.env, BASE_URL: running.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: projectRoot, env });
    expect(JSON.parse(stdout)).toMatchObject([{ role: 'primary', account: { product: { code: 'FREE' } } }]);
  });
});
