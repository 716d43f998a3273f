import { expect, test } from 'vitest';
import { adminProgram } from '../../../bin/admin/program.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

test('the verbs that destroy something, or that start journeys for many people, have the option to confirm it', async () => {
  const { commands: nouns } = await adminProgram();
  const confirmed = nouns.flatMap((noun) =>
    noun.commands
      .filter(({ options }) => options.some(({ long }) => long === '--yes'))
      .map((verb) => `${noun.name()} ${verb.name()}`),
  );
  expect(confirmed.sort()).toEqual([
    'account compare',
    'account remove',
    'account unlink',
    'batch cancel',
    'client revoke',
    'client rotate',
    'client set-keys',
    'contact erase',
    'content approve',
    'content import',
    'content restore',
    'content withdraw',
    'erasure apply',
    'failed discard',
    'file remove',
    'journey reissue',
    'message resume',
    'targeting include-existing',
    'targeting resume',
    'targeting undo',
    'team reset',
    'team rotate-secret',
    'webhook remove',
    'webhook rotate',
  ]);
});

test('client revoke says at a terminal what it would do, and does it with --yes', async () => {
  const { clientId, teamId } = await api.newTeam();
  atTerminal();
  const asked = await admin(['client', 'revoke', clientId]);
  expect([asked.status, asked.stderr]).toEqual([
    1,
    `This would be done:\n${clientId} is revoked permanently. Its tokens stop working within 30 seconds.\nNothing was changed. To continue, run the command again with --yes.\n`,
  ]);
  const state = async () => (await adminJson('client', 'list', '--team', teamId)).value[0].revoked_at;
  expect(await state()).toBeNull();
  expect((await admin(['client', 'revoke', clientId, '--yes'])).status).toBe(0);
  expect(await state()).not.toBeNull();
});

test('a document that is broken is named with line and column', async () => {
  const { teamId } = await api.newTeam();
  const file = fileOf('\uFEFF{\n  "objectives": [],\n  "templates": [,]\n}\n');
  const { status, stderr } = await admin(['content', 'import', file, '--team', teamId]);
  expect([status, stderr]).toEqual([
    1,
    `${file} is not a JSON document: not well-formed JSON, at line 3, column 17:\n    "templates": [,]\n                  ^\n`,
  ]);
});

test('cancel and redrive say what they did', async () => {
  const { teamId, token } = await api.newTeam();
  const records = [{ account_number: '1', product: { code: 'P', type: 'checking' } }];
  const body = { type: 'accounts', batch_id: 'b', records };
  await api.request('POST', '/v1/batches', { token, body });
  await admin(['batch', 'show', 'b', '--team', teamId, '--watch']);
  const cancelled = await admin(['batch', 'cancel', 'b', '--team', teamId, '--yes']);
  expect(cancelled.stdout).toMatch(
    /^No chunk was cancelled: every chunk was already begun or closed\.\nRecords that were applied stay\.\n\nbatch +"b"/,
  );
  const dependencies = serviceOn(api.database);
  await postBatch(dependencies, teamId, { batch_id: 'failed', chunk_index: 0, records });
  await failNextChunk(dependencies, teamId);
  const redriven = await admin(['failed', 'redrive', '--all', '--team', teamId]);
  expect(redriven.stdout).toMatch(
    /^Redriven: 1 chunk with 1 record\. [^\n]*\n[^\n]*superseded\.\nTo watch: npm run admin -- batch show failed/,
  );
});
