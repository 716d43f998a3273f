import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { admin, adminJson } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const bank = await Bank.open(await service());

const inTeam = () => ['--team', bank.team.teamId];

describe('contact show', () => {
  test('prints the contact as the API returns it, and its accounts', async () => {
    const id = await bank.contact('c-1');
    await bank.apply(
      {
        account_number: '41',
        contact: { unique_id: 'c-1', role: 'joint' },
        product: { code: 'CHK', type: 'checking' },
      },
      { account_number: '42', contact: { unique_id: 'c-1' } },
    );
    const { status, value } = await adminJson('contact', 'show', ...inTeam(), '--unique-id', 'c-1');
    expect(status).toBe(0);
    expect(value).toEqual({
      ...(await bank.get(`/v1/contacts/${id}`)).body,
      accounts: [
        { account_number: '41', role: 'joint', product: 'CHK' },
        { account_number: '42', role: null, product: null },
      ],
      ...{ journeys: [], answers: [], messages: [], targeting: [], targeted: [], erasure: null },
      ...{ consent: [], suppression: [], left_at: null },
    });
    const plain = await admin(['contact', 'show', ...inTeam(), '--unique-id', 'c-1']);
    expect(plain.stdout).toContain(id);
    expect(plain.stdout).toMatch(/^accounts +41 \(joint, CHK\), 42 \(not imported yet\)$/m);
  });

  test('names the option for a contact that the team does not have', async () => {
    expect(await adminJson('contact', 'show', ...inTeam(), '--unique-id', 'nobody')).toEqual({
      status: 1,
      value: {
        error: 'not_found',
        details: [{ path: '--unique-id', message: 'the team has no contact with this unique_id' }],
      },
    });
  });
});

describe('account show', () => {
  test('prints every field, kept to the digit, with metadata and product', async () => {
    await bank.apply({
      account_number: '7',
      product: { code: 'CHK', type: 'checking' },
      balance: '10.50',
      meta_private: { branch: { code: 'A' } },
    });
    const { status, value } = await adminJson('account', 'show', ...inTeam(), '--account-number', '7');
    expect(status).toBe(0);
    expect(value).toMatchObject({
      account_number: '7',
      balance: '10.50',
      nickname: null,
      meta_private: { 'branch.code': 'A' },
      product: { code: 'CHK', type: 'checking' },
    });
  });

  test('names the contacts that are linked to the account, whoever linked them', async () => {
    const id = await bank.contact('holder');
    await bank.apply({
      account_number: '9',
      contact: { unique_id: 'holder', role: 'primary' },
      product: { code: 'CHK', type: 'checking' },
    });
    await bank.apply({ account_number: '9', contact: { unique_id: 'unknown' } });
    const show = ['account', 'show', ...inTeam(), '--account-number', '9'];
    const unknown = { contact_id: expect.any(String), unique_id: null, role: null };
    expect((await adminJson(...show)).value.holders).toEqual([
      { contact_id: id, unique_id: 'holder', role: 'primary' },
      unknown,
    ]);
    expect((await admin(show)).stdout).toMatch(/^holders +holder \(primary\), [0-9a-f-]{36}$/m);
    await adminJson('contact', 'change-unique-id', ...inTeam(), '--from', 'holder', '--to', 'renamed');
    expect((await adminJson(...show)).value.holders).toContainEqual({
      contact_id: id,
      unique_id: 'renamed',
      role: 'primary',
    });
  });

  test('names the option for an account that only a mapping names', async () => {
    await bank.apply({ account_number: '8', contact: { unique_id: 'c-1' } });
    const { status, value } = await adminJson('account', 'show', ...inTeam(), '--account-number', '8');
    expect({ status, error: value.error, path: value.details[0].path }).toEqual({
      status: 1,
      error: 'not_found',
      path: '--account-number',
    });
  });
});

describe('team update', () => {
  const create = async () => {
    const { value } = await adminJson(
      ...['team', 'create', '--name', 'Old', '--feature', 'product_objective_reporting'],
      ...['--privacy-policy-url', 'https://bank.example/privacy'],
    );
    return value;
  };
  const update = (team: string, ...options: string[]) => adminJson('team', 'update', '--team', team, ...options);

  test('changes what is given, keeps the rest, and clears features and URLs', async () => {
    const team = await create();
    const both = ['product_objective_reporting', 'product_objective_reporting_phase_2'];
    const { status, value } = await update(team.team_id, ...both.flatMap((feature) => ['--feature', feature]));
    expect([status, value]).toEqual([0, { ...team, features: both, updated_at: value.updated_at }]);
    expect((await adminJson('team', 'list')).value).toContainEqual(value);
    const cleared = await update(team.team_id, '--name', 'New', '--no-feature', '--no-privacy-policy-url');
    expect(cleared.value).toMatchObject({ name: 'New', features: [], privacy_policy_url: null });
  });

  test('refuses an update of nothing, an unknown feature and an unknown team', async () => {
    const team = await create();
    expect((await update(team.team_id)).value.error).toBe('invalid_arguments');
    expect((await update(team.team_id, '--feature', 'none')).value.error).toBe('invalid_arguments');
    expect(await update(randomUUID(), '--name', 'New')).toMatchObject({
      status: 1,
      value: { error: 'not_found', details: [{ path: '--team' }] },
    });
  });
});
