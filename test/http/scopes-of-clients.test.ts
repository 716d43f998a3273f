import { beforeAll, describe, expect, test } from 'vitest';
import { adminJson } from '../support/admin.ts';
import { service, type TestTeam } from '../support/service.ts';

let team: TestTeam;
beforeAll(async () => {
  team = await (await service()).newTeam();
});

describe('client create --scope', () => {
  test('limits the client to the scopes that it names, and the list says so', async () => {
    const { value } = await adminJson(
      ...['client', 'create', '--team', team.teamId, '--scope', 'journeys:read', '--scope', 'contacts:read'],
    );
    expect(Object.keys(value).sort()).toEqual(['client_id', 'client_secret', 'team_id']);
    const { value: clients } = await adminJson('client', 'list', '--team', team.teamId);
    const scopesOf = (id: string) => clients.find((each: { client_id: string }) => each.client_id === id).scopes;
    expect(scopesOf(value.client_id)).toEqual(['contacts:read', 'journeys:read']);
    expect(scopesOf(team.clientId)).toBeNull();
  });

  test('refuses an unknown scope', async () => {
    const { status, value } = await adminJson('client', 'create', '--team', team.teamId, '--scope', 'contacts');
    expect([status, value.error]).toEqual([1, 'invalid_arguments']);
    expect(value.details[0].message).toContain('contacts:read');
  });
});
