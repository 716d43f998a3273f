import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { ParsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import type { DroppedFile } from '../../../lib/domain/drop-box/drop.ts';
import { LeaseLost } from '../../../lib/operations/drop-box/state.ts';
import { workFile } from '../../../lib/operations/drop-box/work.ts';
import { loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelObjects } from '../../support/drop-box.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import {
  type DropCall,
  type DropResult,
  dropCalls,
  dropModel,
  dropParts,
  junkLines,
  keys,
  objectOf,
  type Row,
} from './drop-box.ts';
import { type Dependencies, testModel } from './run.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-000000000000';

const headers = {
  contacts: 'unique_id,city,birthdate',
  accounts: 'account_number,nickname,contact.unique_id,product.code,product.type',
};
const lineOf = {
  contacts: ({ key, value }: Row) => `${key},${value ?? 'x'},${value === null ? 'never' : ''}`,
  accounts: ({ key, value }: Row) => `${key},${value ?? 'x'},owner,P,${value === null ? 'none' : 'checking'}`,
};
function textOf({ type, head, tail, isLong }: DropCall & { kind: 'file' }): string {
  const junk = Array.from({ length: isLong ? junkLines : 0 }, () => lineOf[type]({ key: 'junk', value: null }));
  return [headers[type], ...head.map(lineOf[type]), ...junk, ...tail.map(lineOf[type]), ''].join('\n');
}
const recordOf = ({ key, value }: Row) => ({
  ...{ account_number: key, nickname: value, contact: { unique_id: 'owner' } },
  product: { code: 'P', type: 'checking' },
});

const isRetried = (error: unknown) => error instanceof StoreUnavailable || error instanceof LeaseLost;

async function open() {
  const [database, objects] = [new ModelDatabase(), new ModelObjects()];
  await createTeam(serviceOn(database, { newId: () => teamId }), { name: 'T', features: [] });

  const send = async (call: DropCall, dependencies: Dependencies): Promise<DropResult> => {
    const { now, newId, pause } = dependencies;
    const imports = serviceOn(dependencies.database, { now, newId, pause });
    const contacts = { ...dependencies, content: new ContentCache(dependencies.database, now) };
    const work = () => workAll(imports, teamId).catch((error) => unless(isRetried(error), error));
    const invoke = async (file: DroppedFile): Promise<void> => {
      const drop = {
        ...{ ...imports, objects, wait: async () => void (await work()) },
        upsertContacts: (team: string, records: readonly ParsedContact[]) => upsertBatch(contacts, team, records),
      };
      for (let invocations = 0; invocations < 50; invocations++) {
        const outcome = await workFile(drop, file, () => true).catch((error) => unless(isRetried(error), error));
        if (typeof outcome === 'string') return;
        await work();
      }
      throw new Error('the file is never done');
    };
    switch (call.kind) {
      case 'rows':
        throw new Error('only the model knows the chunks of a file');
      case 'file': {
        const file = objects.put(`${teamId}/${call.type}/file-${newId()}.csv`, textOf(call));
        await Promise.all(call.isDoubled ? [invoke(file), invoke(file)] : [invoke(file)]);
        const { status, rows } = JSON.parse(objects.text(`${file.key}.report.json`)!);
        const { read, accepted, rejected, applied = 0, unchanged = 0 } = rows;
        return { report: { status, read, accepted, rejected, applied: applied + unchanged } };
      }
      case 'contact':
        await upsertContact(contacts, teamId, record({ unique_id: call.row.key, city: call.row.value }));
        return {};
      case 'chunk': {
        const records = call.rows.map(recordOf);
        const { duplicate } = await postBatch(imports, teamId, { batch_id: call.pair, chunk_index: 0, records });
        const isOpen = async () => (await loadBatch(database, teamId, call.pair)).chunks[0]?.status === 'open';
        while (await isOpen()) await work();
        return { isDuplicate: duplicate };
      }
      case 'read': {
        if (call.type === 'contacts') {
          const stored = await loadContact(dependencies.database, teamId, derivedContactId(teamId, call.key));
          return { value: stored?.contact.city ?? null };
        }
        const [account] = await loadAccounts(dependencies.database, teamId, [call.key]);
        return { value: (account?.fields.nickname as string | undefined) ?? null };
      }
    }
  };
  return { database, send };
}

function unless(isExpected: boolean, error: unknown): undefined {
  if (!isExpected) throw error;
}

testModel(
  'dropped files, chunks and upserts at the same time have results that one order explains',
  'drop-box.test.ts',
  {
    model: dropModel,
    calls: dropCalls,
    open,
    last: keys.flatMap((key): DropCall[] => [
      { kind: 'read', type: 'contacts', key },
      { kind: 'read', type: 'accounts', key },
    ]),
    objectOf,
    parts: dropParts,
    repeated: (call) => (call.kind === 'contact' ? call : undefined),
    // An accepted chunk, also one of a file, is applied by the next work, no matter which call begins it.
    takesEffectLater: (call) => call.kind === 'chunk' || (call.kind === 'file' && call.type === 'accounts'),
    maxCalls: 7,
    runs: 60,
  },
);
