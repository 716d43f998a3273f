import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { admin, adminJson } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
let bank: Bank;
beforeEach(async () => {
  bank = await Bank.open(api);
});

const change = (from: string, to: string) =>
  adminJson('contact', 'change-unique-id', '--team', bank.team.teamId, '--from', from, '--to', to);

describe('contact change-unique-id', () => {
  test('prints the contact’s id and its new unique_id', async () => {
    const id = await bank.contact('a');
    expect(await change('a', 'b')).toEqual({ status: 0, value: { id, unique_id: 'b' } });
    const plain = await admin(['contact', 'change-unique-id', '--team', bank.team.teamId, '--from', 'b', '--to', 'c']);
    expect(plain).toEqual({ status: 0, stdout: `id         ${id}\nunique_id  c\n`, stderr: '' });
  });

  test.each([
    ['a contact that is not there', 'nobody', 'b', 'not_found', '--from'],
    ['a blank value', 'a', ' ', 'validation_failed', '--to'],
  ])('refuses %s', async (_, from, to, error, path) => {
    await bank.contact('a');
    expect(await change(from, to)).toMatchObject({ status: 1, value: { error, details: [{ path }] } });
  });

  test('refuses a team that is not there, and sees no other team’s contacts', async () => {
    const stranger = await Bank.open(api);
    await stranger.contact('a');
    expect(await change('a', 'b')).toMatchObject({ status: 1, value: { error: 'not_found' } });
    const elsewhere = ['contact', 'change-unique-id', '--team', randomUUID(), '--from', 'a', '--to', 'b'];
    expect(await adminJson(...elsewhere)).toMatchObject({ status: 1, value: { details: [{ path: '--team' }] } });
  });
});
