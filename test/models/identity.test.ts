import { changeUniqueId } from '../../bin/admin/operations/change-unique-id.ts';
import type { Contact } from '../../lib/domain/contact.ts';
import type { ShownContact } from '../../lib/domain/contact-responses.ts';
import { notFound } from '../../lib/domain/problem.ts';
import { upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { loadByUniqueId, loadContact } from '../../lib/store/contacts.ts';
import { ContentCache } from '../../lib/store/content.ts';
import { StoreUnavailable } from '../../lib/store/database.ts';
import { derivedContactId } from '../../lib/store/ids.ts';
import { record } from '../support/contacts.ts';
import { ModelDatabase } from '../support/model-database.ts';
import {
  type IdentityCall,
  type IdentityResult,
  type IdentityResults,
  identityCalls,
  identityModel,
  teamId,
  values,
} from './identity.ts';
import { type Dependencies, testModel } from './run.ts';

const resultOf = ({ id, unique_id, meta_public }: Contact | ShownContact): IdentityResult => ({
  ...{ id, value: unique_id },
  traces: Object.keys(meta_public ?? {}).sort(),
});

async function send(call: IdentityCall, dependencies: Dependencies): Promise<IdentityResult | IdentityResults> {
  const { database, now } = dependencies;
  const full = { ...dependencies, content: new ContentCache(database, now), fits: () => true };
  switch (call.kind) {
    case 'upsert': {
      const change = record({ unique_id: call.value, meta_public: { [call.trace]: 1 } });
      const { contact, created } = await upsertContact(full, teamId, change);
      return { ...resultOf(contact as ShownContact), created };
    }
    case 'batch': {
      const changes = call.values.map((value) => record({ unique_id: value, meta_public: { [call.trace]: 1 } }));
      const { new_contacts, existing_contacts } = await upsertBatch(full, teamId, changes);
      const shown = (created: boolean) => (contact: object) => ({ ...resultOf(contact as ShownContact), created });
      const all = [...new_contacts.map(shown(true)), ...existing_contacts.map(shown(false))];
      return Object.fromEntries(all.map((each) => [each.value, each]));
    }
    case 'rename':
      return resultOf(await changeUniqueId(full, teamId, call));
    case 'find': {
      const found = (await loadByUniqueId(database, teamId, [call.value])).get(call.value);
      if (!found) throw new StoreUnavailable('the contact is being renamed');
      if (!found.stored) throw notFound();
      return resultOf(found.stored.contact);
    }
    case 'read': {
      const stored = await loadContact(database, teamId, derivedContactId(teamId, call.first));
      if (!stored) throw notFound();
      return resultOf(stored.contact);
    }
  }
}

testModel('concurrent upserts and renames have results that one order explains', 'identity.test.ts', {
  model: identityModel,
  calls: identityCalls,
  open: async () => ({ database: new ModelDatabase(), send }),
  last: values.flatMap((value): IdentityCall[] => [
    { kind: 'find', value },
    { kind: 'read', first: value },
  ]),
  parts: (call, result): [IdentityCall, IdentityResult | undefined][] =>
    call.kind === 'batch'
      ? call.values.map((value) => [
          { kind: 'upsert', value, trace: call.trace },
          (result as IdentityResults | undefined)?.[value],
        ])
      : [[call, result as IdentityResult | undefined]],
  // Between the two times a rename can take the contact away, so that the second time creates another one.
  repeated: (call) => (call.kind === 'rename' ? undefined : call),
  runs: 300,
});
