import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { localInstallation } from '../../../bin/admin/installation.ts';
import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { resetTeam, sandboxData } from '../../../bin/admin/operations/teams/reset.ts';
import { resetService } from '../../../bin/admin/teams/team.ts';
import { isSandbox } from '../../../lib/domain/teams/sandbox.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { bound, type Database, type Item } from '../../../lib/store/table/database.ts';
import { isKeptByReset, teamItemKind } from '../../../lib/store/table/item-kinds.ts';
import { read } from '../../support/architecture/sources.ts';
import { entriesOf, isAct } from '../../support/operations/audit.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson, atTerminal } from '../../support/service/admin.ts';
import { service, type TestService, type TestTeam } from '../../support/service/service.ts';

/** A sandbox team that was reset once, with a client. */
async function sandboxTeam(api: TestService): Promise<TestTeam> {
  const { value } = await adminJson('team', 'create', '--name', 'Sandbox', '--sandbox');
  const reset = await adminJson('team', 'reset', '--team', value.team_id, '--yes');
  if (reset.status !== 0) throw new Error(JSON.stringify(reset.value));
  const client = await createClient(serviceOn(api.database), value.team_id);
  const { client_id: clientId, client_secret: clientSecret } = client;
  return { teamId: value.team_id, clientId, clientSecret, token: await api.tokenFor(clientId, clientSecret) };
}

type Fields = Record<string, unknown>;

/** What the API returns of the team, without ids, slugs and times, which each reset makes anew. */
async function stateOf(api: TestService, { token }: Pick<TestTeam, 'token'>) {
  const get = async (path: string) => (await api.request('GET', path, { token })).body;
  const { contacts } = await get('/v1/contacts?limit=100&sort_column=unique_id');
  const { batches } = await get('/v1/batches');
  const people = await Promise.all(
    contacts.map(async ({ id, unique_id, name_first, email }: Fields) => {
      const accounts = await get(`/v1/contacts/${id}/accounts`);
      const journeys = await get(`/v1/journeys?contact_id=${id}`);
      return {
        ...{ unique_id, name_first, email },
        accounts: accounts.map(({ role, account }: { role: string; account: { product: Fields } }) => [
          role,
          account.product.code,
        ]),
        journeys: journeys.map(
          ({ template, analytics_cache: progress, completion_verified_at }: Record<string, Fields>) => ({
            template: template!.name,
            viewed: (progress!.pages_viewed as string[]).length,
            completed: (progress!.pages_completed as string[]).length,
            is_completed: progress!.is_completed,
            is_confirmed: completion_verified_at !== null,
          }),
        ),
      };
    }),
  );
  return {
    people,
    batches: batches.map(({ batch_id, status }: Fields) => `${batch_id} ${status}`).sort(),
    templates: (await get('/v1/templates')).templates.map(({ name }: Fields) => name),
  };
}

const api = await service();
const team = await sandboxTeam(api);
const fresh = await stateOf(api, team);

const reset = (...more: string[]) => adminJson('team', 'reset', '--team', team.teamId, ...more);
const send = (method: string, path: string, body: object, of: TestTeam = team) =>
  api.request(method, path, { token: of.token, body });
const data = () => JSON.parse(read('examples/sandbox.json'));

describe('team reset', () => {
  test('creates twenty contacts, accounts, and journeys in every state', () => {
    expect(fresh.people).toHaveLength(20);
    const journeyOf = (unique_id: string) => fresh.people.find((each) => each.unique_id === unique_id)!.journeys;
    const welcome = { template: 'New member welcome', viewed: 1, is_completed: false, is_confirmed: false };
    expect(journeyOf('sandbox-01')).toEqual([]);
    expect(journeyOf('sandbox-02')).toEqual([{ ...welcome, viewed: 0, completed: 0 }]);
    expect(journeyOf('sandbox-03')).toEqual([{ ...welcome, completed: 1 }]);
    expect(journeyOf('sandbox-04')).toEqual([{ ...welcome, completed: 3 }]);
    expect(journeyOf('sandbox-05')).toEqual([{ ...welcome, completed: 1 }]);
    expect(journeyOf('sandbox-06')).toEqual([{ ...welcome, completed: 7, is_completed: true }]);
    expect(journeyOf('sandbox-07')).toEqual([{ ...welcome, completed: 7, is_completed: true, is_confirmed: true }]);
    expect(journeyOf('sandbox-12')).toMatchObject([{ template: 'New member welcome (2024)' }]);
    expect(journeyOf('sandbox-19')).toMatchObject([{ completed: 1 }]);
    expect(fresh.people.find((each) => each.unique_id === 'sandbox-14')!.accounts).toEqual([['joint', 'SBX-CHECKING']]);
    expect(fresh.batches).toEqual(['sandbox-accounts completed']);
  });

  test('shows people the page of each state', async () => {
    const page = async (unique_id: string) => {
      const { id } = (await send('POST', '/v1/contacts', { unique_id })).body;
      const [journey] = (await api.request('GET', `/v1/journeys?contact_id=${id}`, { token: team.token })).body;
      return (await api.request('GET', `/j/${journey.slug}`)).status;
    };
    expect([await page('sandbox-02'), await page('sandbox-08'), await page('sandbox-12')]).toEqual([200, 410, 410]);
  });

  test('deletes everything that was made since, and keeps the team and its clients', async () => {
    await send('POST', '/v1/contacts', { unique_id: 'mine', email: 'mine@example.com' });
    await send('POST', '/v1/contacts', { unique_id: 'sandbox-02', name_first: 'Changed', meta_public: { a: 1 } });
    await adminJson('contact', 'change-unique-id', '--team', team.teamId, '--from', 'sandbox-03', '--to', 'renamed');
    const product = { code: 'MINE', type: 'checking' };
    const records = [{ account_number: 'MINE', contact: { unique_id: 'sandbox-01', role: 'primary' }, product }];
    await send('POST', '/v1/batches', { type: 'accounts', batch_id: 'mine', chunk_index: 0, records });
    await adminJson('file', 'put', 'examples/logo.svg', '--team', team.teamId);
    const { id } = (await send('POST', '/v1/contacts', { unique_id: 'sandbox-06' })).body;
    const [journey] = (await api.request('GET', `/v1/journeys?contact_id=${id}`, { token: team.token })).body;
    await putContent(api.database, team.teamId, { templates: [{ name: 'My own campaign', template_pages: [] }] });
    const { status, value } = await reset('--yes');
    expect([status, value]).toEqual([
      0,
      { team_id: team.teamId, deleted_items: expect.any(Number), contacts: 20, batches: 1, journeys: 12 },
    ]);
    expect(value.deleted_items).toBeGreaterThan(80);
    await expect.poll(() => stateOf(api, team)).toEqual(fresh);
    expect((await api.request('GET', `/j/${journey.slug}`)).status).toBe(404);
    expect((await adminJson('file', 'list', '--team', team.teamId)).value).toEqual([]);
  });

  test('leaves out senders of the test data that the team does not have', async () => {
    const own = await sandboxTeam(api);
    const sender = ['--sender', '@bank.example', '--no-earlier-list'];
    expect((await adminJson('team', 'update', '--team', own.teamId, ...sender)).status).toBe(0);
    expect((await adminJson('team', 'reset', '--team', own.teamId, '--yes')).status).toBe(0);
    const { templates } = (await api.request('GET', '/v1/templates', { token: own.token })).body;
    const senders = templates.map((each: Fields) => each.email_sender_address);
    expect(senders).toEqual(templates.map(() => null));
  });

  test('says that webhooks go, and the audit log has their ids', async () => {
    const { id } = (await send('POST', '/v1/webhooks', { url: 'https://receiver.example.com/' })).body;
    const { stderr } = await admin(['team', 'reset', '--team', team.teamId, '--yes']);
    expect(stderr).toMatch(/webhooks .*are deleted/);
    expect((await adminJson('webhook', 'list', '--team', team.teamId)).value).toEqual([]);
    const entries = (await entriesOf(api.database, team.teamId)).filter(({ ids }) => ids.webhook_ids !== undefined);
    const found = entries.map(({ what, outcome, ids }) => [what, outcome, ids.webhook_ids]);
    expect(found).toEqual(['begun', 'done'].map((outcome) => ['team reset', outcome, [id]]));
  });

  test('asks at a terminal, and is recorded in the audit log', async () => {
    atTerminal();
    const { status, value } = await reset();
    expect([status, value.error]).toEqual([1, 'confirmation_required']);
    const acts = (await entriesOf(api.database, team.teamId)).filter(isAct).map(({ what, outcome }) => [what, outcome]);
    expect(acts).toContainEqual(['team create', 'done']);
    expect(acts).toContainEqual(['team reset', 'done']);
    expect(acts.at(-1)).toEqual(['team reset', 'confirmation_required']);
  });

  test('refuses any other team, and leaves its data', async () => {
    const other = await api.newTeam();
    await send('POST', '/v1/contacts', { unique_id: 'kept' }, other);
    expect(isSandbox(other.teamId)).toBe(false);
    const { status, value } = await adminJson('team', 'reset', '--team', other.teamId, '--yes');
    expect([status, value.error, value.details[0].path]).toEqual([1, 'conflict', '--team']);
    const { body } = await api.request('GET', '/v1/contacts', { token: other.token });
    expect(body.contacts).toMatchObject([{ unique_id: 'kept' }]);
  });

  const content = parseJson(readFileSync('examples/campaigns.json', 'utf8'));
  const input = { content, data: sandboxData.parse(parseJson(readFileSync('examples/sandbox.json', 'utf8'))) };

  test('deletes any number of journeys that follow each other, and counts the items of all pages', async () => {
    const { template_id } = input.data.journeys[0]!;
    const contacts = Array.from({ length: 40 }, (_, n) => ({ unique_id: `more-${n}`, journey: { template_id } }));
    await send('POST', '/v1/contacts', { contacts });
    const dependencies = await resetService(localInstallation(inject('serviceDirectory')));
    let deletable = 0;
    async function* scanTeam(teamId: string) {
      const items: Item[] = [];
      for await (const page of dependencies.scanTeam(teamId)) items.push(...page);
      deletable = items.filter((item) => !isKeptByReset(teamId, item)).length;
      const { journeys = [], others = [] } = Object.groupBy(items, (item) =>
        teamItemKind(teamId, item) === 'journeys' ? 'journeys' : 'others',
      );
      expect(journeys.length).toBeGreaterThan(50);
      for (const page of [journeys, others]) yield page;
    }
    const report = await resetTeam({ ...dependencies, scanTeam, onProgress: () => {} }, team.teamId, input);
    expect(report.deleted_items).toBe(deletable);
    await expect.poll(() => stateOf(api, team)).toEqual(fresh);
  });

  test('can be run again after it was interrupted anywhere', async () => {
    const installation = localInstallation(inject('serviceDirectory'));
    const run = async (database: Database) => {
      const dependencies = await resetService({ ...installation, database });
      return resetTeam({ ...dependencies, onProgress: () => {} }, team.teamId, input);
    };
    for (const writes of [1, 6, 24]) {
      await expect(run(brokenAfter(writes, installation.database))).rejects.toThrow('interrupted');
    }
    await run(installation.database);
    await expect.poll(() => stateOf(api, team)).toEqual(fresh);
  });
});

/** The table of a process that is stopped after this number of writes. */
function brokenAfter(writes: number, database: Database): Database {
  let left = writes;
  const counted = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (left-- <= 0) throw new Error('interrupted');
    return write();
  };
  return {
    ...bound(database),
    write: (all) => counted(() => database.write(all)),
    transact: (all, options) => counted(() => database.transact(all, options)),
  };
}

describe('docs/getting-started.md', () => {
  const page = () => read('docs/getting-started.md');

  test('lists every contact with its journey', () => {
    const rows = [...page().matchAll(/^\| `(sandbox-\d\d)` \| (.*?) \| (.*?) \|$/gm)].map(([, id, , state]) => [
      id,
      state,
    ]);
    const states = new Map(
      data().journeys.map((each: { unique_id: string; state: string }) => [each.unique_id, each.state]),
    );
    const expected = data().contacts.map(({ unique_id }: { unique_id: string }) => [
      unique_id,
      states.get(unique_id) ?? '–',
    ]);
    expect(rows).toEqual(expected);
  });
});
