import { beforeEach, describe, expect, test } from 'vitest';
import { keepFile, removeFile } from '../../../bin/admin/operations/campaigns/team-files.ts';
import { createTeam, type NewTeam, rotateTeamSecret, updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { listTeamFiles } from '../../../bin/admin/store/campaigns/team-files.ts';
import { isSandbox } from '../../../lib/domain/teams/sandbox.ts';
import type { Team } from '../../../lib/domain/teams/team.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import type { ImageStore } from '../../../lib/store/campaigns/images.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { insertTeam, listTeamIds, listTeams, loadTeam, saveSecret } from '../../../lib/store/teams/teams.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;

/** Three messages a week, none from 20:00 to 08:00, ten a second (contract, section 15); nothing is sent before a set-up. */
const messageDefaults = {
  ...{ senders: [], postal_address: null, quiet_hours: { from: '20:00', to: '08:00' }, max_messages_a_week: 3 },
  ...{ messages_a_second: 10, verify_email: false, has_earlier_leavings: false },
};

let database: ModelDatabase;
let now: number;
let secrets: number;
beforeEach(() => {
  database = new ModelDatabase();
  [now, secrets] = [start, 0];
});
const dependencies = () =>
  serviceOn(database, {
    now: () => now,
    newSecret: () => `secret-${++secrets}`,
  });
const create = (team: Partial<NewTeam> = {}) => createTeam(dependencies(), { name: 'Bank', features: [], ...team });

describe('a new team', () => {
  test('is stored with its defaults', async () => {
    const team = await create();
    expect(team).toEqual({
      team_id: expect.any(String),
      name: 'Bank',
      features: [],
      secret: 'secret-1',
      secret_id: 1,
      previous_secret: null,
      privacy_policy_url: null,
      terms_of_service_url: null,
      ...{ language: null, timezone: null, words: null, max_starts_a_day: null },
      ...messageDefaults,
      content_approval: false,
      inserted_at: timestamp(start),
      updated_at: timestamp(start),
    });
    expect(isSandbox(team.team_id)).toBe(false);
    expect(await loadTeam(database, team.team_id)).toEqual(team);
    expect(await listTeamIds(database)).toEqual([team.team_id]);
  });

  test('has what it is given, each feature once', async () => {
    const urls = { privacy_policy_url: 'https://example.com/p', terms_of_service_url: 'https://example.com/t' };
    const team = await create({ ...urls, language: 'cs', sandbox: true, features: [features[0], ...features] });
    expect(team).toMatchObject({
      ...urls,
      language: 'cs',
      features,
    });
    expect(isSandbox(team.team_id)).toBe(true);
  });

  test('does not replace another with the same id', async () => {
    const { team_id } = await create();
    const again = { ...dependencies(), newId: () => team_id };
    await expect(createTeam(again, { name: 'Other', features: [] })).rejects.toMatchObject({
      code: 'internal_error',
      message: 'a new id already exists',
    });
    expect((await loadTeam(database, team_id))?.name).toBe('Bank');
  });
});

describe('a change of a team', () => {
  test('sets the given fields only, and null clears a URL', async () => {
    const team = await create({ features, privacy_policy_url: 'https://example.com/p' });
    now += 1000;
    const renamed = { ...team, name: 'Other', updated_at: timestamp(now) };
    expect(await updateTeam(dependencies(), team.team_id, { name: 'Other' })).toEqual(renamed);
    const change = { privacy_policy_url: null, features: [features[1], features[1]] };
    const cleared = { ...renamed, privacy_policy_url: null, features: [features[1]] };
    expect(await updateTeam(dependencies(), team.team_id, change)).toEqual(cleared);
    expect(await updateTeam(dependencies(), team.team_id, { features: [] })).toEqual({ ...cleared, features: [] });
  });

  test('is not found without the team', async () => {
    const none = crypto.randomUUID();
    await expect(updateTeam(dependencies(), none, { name: 'Other' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await loadTeam(database, none)).toBeUndefined();
  });

  test('is not found if the team is deleted at this moment', async () => {
    const { team_id } = await create();
    const vanishing: Database = { ...bound(database), get: async (keys) => keys.map(() => undefined) };
    const changing = updateTeam({ ...dependencies(), database: vanishing }, team_id, { name: 'Other' });
    await expect(changing).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a rotation of the secret', () => {
  test('keeps the previous one', async () => {
    const team = await create();
    const rotated = { ...team, secret: 'secret-2', secret_id: 2, previous_secret: 'secret-1' };
    expect(await rotateTeamSecret(dependencies(), team.team_id)).toEqual(rotated);
    expect(await loadTeam(database, team.team_id)).toEqual(rotated);
  });

  test('changes nothing if another one was first', async () => {
    const { team_id } = await create();
    const racing: Database = {
      ...bound(database),
      write: async (writes) => {
        await rotateTeamSecret(dependencies(), team_id);
        return database.write(writes);
      },
    };
    expect(await rotateTeamSecret({ ...dependencies(), database: racing }, team_id)).toBeUndefined();
    expect(await loadTeam(database, team_id)).toMatchObject({ secret_id: 2, previous_secret: 'secret-1' });
  });

  test('is not found without the team', async () => {
    await expect(rotateTeamSecret(dependencies(), crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a file of a team', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  let stored: Map<string, { bytes: Uint8Array; type: string }>;
  let listedAtWrite: number[];
  let team: string;
  let images: ImageStore;
  beforeEach(async () => {
    stored = new Map();
    listedAtWrite = [];
    team = (await create()).team_id;
    images = {
      read: async (id) => stored.get(id)?.bytes,
      write: async (id, content, type) => {
        listedAtWrite.push((await listTeamFiles(database, team)).length);
        stored.set(id, { bytes: content, type });
      },
      remove: async (id) => {
        listedAtWrite.push((await listTeamFiles(database, team)).length);
        stored.delete(id);
      },
    };
  });
  const keep = (name: string, content = bytes, owner = team) =>
    keepFile({ ...dependencies(), images }, owner, { content, type: 'image/png', name });

  test('is readable before it is listed, and listed until it is deleted', async () => {
    const file = await keep('logo.png');
    expect(file).toEqual({
      file_id: expect.any(String),
      team_id: team,
      type: 'image/png',
      bytes: 3,
      name: 'logo.png',
      inserted_at: timestamp(start),
    });
    expect(await listTeamFiles(database, team)).toEqual([file]);
    expect(stored.get(file.file_id)).toEqual({ bytes, type: 'image/png' });
    await removeFile({ database, images }, team, file.file_id);
    expect([stored.size, await listTeamFiles(database, team)]).toEqual([0, []]);
    expect(listedAtWrite).toEqual([0, 1]);
  });

  test('is the same if its content is stored again, and another one for another team', async () => {
    const file = await keep('logo.png');
    now += 1000;
    expect(await keep('copy.png')).toEqual(file);
    const other = (await create()).team_id;
    expect((await keep('logo.png', bytes, other)).file_id).not.toBe(file.file_id);
    expect((await keep('logo.png', new Uint8Array([3]))).file_id).not.toBe(file.file_id);
  });

  test('is not found, and not deleted, for another team', async () => {
    const { file_id } = await keep('logo.png');
    const other = (await create()).team_id;
    await expect(removeFile({ database, images }, other, file_id)).rejects.toMatchObject({ code: 'not_found' });
    expect(stored.has(file_id)).toBe(true);
  });
});

const id = (number: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${number}`;
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const team = (number: number, changes: Partial<Team> = {}): Team => ({
  ...{ team_id: id(number), name: `Team ${number}`, features: [], secret: 'first', secret_id: 1 },
  ...{ previous_secret: null, language: null, timezone: null, words: null, max_starts_a_day: null },
  content_approval: false,
  ...messageDefaults,
  ...{ privacy_policy_url: null, terms_of_service_url: null, inserted_at: time(number), updated_at: time(number) },
  ...changes,
});

test('a team is stored once, and all are listed from the oldest on', async () => {
  const database = new ModelDatabase();
  const teams = [
    team(2, { inserted_at: time(9) }),
    team(1, { inserted_at: time(8) }),
    team(3, { inserted_at: time(7) }),
  ];
  for (const each of teams) expect(await insertTeam(database, each)).toBe(true);
  expect(await insertTeam(database, team(1, { name: 'Other' }))).toBe(false);
  expect(await loadTeam(database, id(1))).toEqual(teams[1]);
  expect(await loadTeam(database, id(4))).toBeUndefined();
  expect(await listTeamIds(database)).toEqual([id(1), id(2), id(3)]);
  expect(await listTeams(database)).toEqual([teams[2], teams[1], teams[0]]);
});

test('a team that is no longer there is left out of the list', async () => {
  const database = new ModelDatabase();
  for (const number of [1, 2]) await insertTeam(database, team(number));
  const get = database.get.bind(database);
  database.get = async (keys) => (await get(keys)).map((item, at) => (at === 0 ? undefined : item));
  expect(await listTeams(database)).toEqual([team(2)]);
});

test('a secret is rotated only if it is still the one that was read', async () => {
  const database = new ModelDatabase();
  await insertTeam(database, team(1));
  const secrets = { secret: 'second', secret_id: 2, previous_secret: 'first' };
  const rotated = team(1, { ...secrets, name: 'not written' });
  expect(await saveSecret(database, rotated, team(1))).toBe(true);
  expect(await saveSecret(database, team(1, { secret: 'third' }), team(1))).toBe(false);
  expect(await loadTeam(database, id(1))).toEqual(team(1, secrets));
});
