import { expect, test } from 'vitest';
import type { Team } from '../../../lib/domain/teams/team.ts';
import { insertTeam, listTeamIds, listTeams, loadTeam, saveSecret } from '../../../lib/store/teams/teams.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const id = (number: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${number}`;
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const team = (number: number, changes: Partial<Team> = {}): Team => ({
  ...{ team_id: id(number), name: `Team ${number}`, features: [], secret: 'first', secret_id: 1 },
  ...{ previous_secret: null, language: null, timezone: null, words: null },
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
