import { describe } from 'vitest';
import { parsedContact } from '../../../lib/domain/contacts/contact-record.ts';
import type { ShownContact } from '../../../lib/domain/contacts/contact-responses.ts';
import { shownContactOf } from '../../../lib/domain/contacts/shown-contact.ts';
import { notFound, Problem } from '../../../lib/domain/values/problem.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { updateContact, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import {
  type BatchResult,
  type ContactCall,
  type ContactResult,
  contactCalls,
  contactModel,
  contactParts,
  lastReads,
  type Shown,
  unset,
} from './contacts.ts';
import { type Dependencies, testModel } from './run.ts';

/** A record that needs no `unique_id`, as of an update. */
const change = parsedContact(() => []);
const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';

const shown = (contact: ShownContact): Shown =>
  Object.fromEntries(Object.keys(unset).map((name) => [name, contact[name as keyof ShownContact]])) as Shown;

async function send(call: ContactCall, dependencies: Dependencies): Promise<ContactResult | BatchResult> {
  const { database, now } = dependencies;
  const full = { ...dependencies, content: new ContentCache(database, now) };
  switch (call.kind) {
    case 'upsert': {
      const upserted = await upsertContact(full, teamId, record({ unique_id: call.who, ...call.records[0] }));
      return { ...upserted, contact: shown(upserted.contact as ShownContact) };
    }
    case 'batch': {
      const records = call.records.map(({ who, fields }) => record({ unique_id: who, ...fields }));
      const { new_contacts, existing_contacts } = await upsertBatch(full, teamId, records);
      const resultOf = (created: boolean) => (contact: ShownContact) =>
        [contact.unique_id, { created, contact: shown(contact) }] as const;
      return Object.fromEntries([...new_contacts.map(resultOf(true)), ...existing_contacts.map(resultOf(false))]);
    }
    case 'update': {
      const { who, fields, ifVersion } = call;
      const isExpected = (version: number) => ifVersion === undefined || version === ifVersion;
      const updated = await updateContact(
        full,
        teamId,
        derivedContactId(teamId, who),
        change.parse(fields),
        isExpected,
      );
      return { version: updated.version, contact: shown(updated.contact) };
    }
    case 'read': {
      const stored = await loadContact(database, teamId, derivedContactId(teamId, call.who));
      if (!stored) throw notFound();
      return { version: stored.version, contact: shown(shownContactOf(stored.contact)) };
    }
  }
}

testModel(
  'concurrent upserts, updates, batches and reads of contacts have results that one order explains',
  'contacts.test.ts',
  {
    model: contactModel,
    calls: contactCalls,
    open: async () => ({ database: new ModelDatabase(), send }),
    last: lastReads,
    parts: contactParts,
    repeated: (call) =>
      call.kind === 'update' && call.ifVersion !== undefined ? undefined : { ...call, isRepeat: true as const },
    runs: 300,
  },
);

describe('over HTTP, on the engine', async () => {
  const api = await service();
  let runs = 0;

  /** The contacts of each run have names of their own. `If-Match` is left out: its tags are no versions. */
  async function open() {
    team ??= await api.newTeam();
    const { token, teamId: ownTeam } = team;
    const prefix = `run ${runs++} `;
    const request = async (method: string, path: string, body?: object) => {
      const response = await api.request(method, path, { token, ...(body ? { body } : {}) });
      if (response.status >= 400) throw new Problem(response.body.error);
      return response;
    };
    const upsertOf = (who: string, fields: object) => ({ unique_id: prefix + who, ...fields });
    const idOf = (who: string) => derivedContactId(ownTeam, prefix + who);
    const sendOver = async (call: ContactCall): Promise<ContactResult | BatchResult> => {
      switch (call.kind) {
        case 'upsert': {
          const { status, body } = await request('POST', '/v1/contacts', upsertOf(call.who, call.records[0]!));
          return { created: status === 201, contact: shown(body) };
        }
        case 'batch': {
          const contacts = call.records.map(({ who, fields }) => upsertOf(who, fields));
          const { body } = await request('POST', '/v1/contacts', { contacts });
          const resultOf = (created: boolean) => (contact: ShownContact) =>
            [contact.unique_id.slice(prefix.length), { created, contact: shown(contact) }] as const;
          const results = [...body.new_contacts.map(resultOf(true)), ...body.existing_contacts.map(resultOf(false))];
          return Object.fromEntries(results) as BatchResult;
        }
        case 'update':
          return { contact: shown((await request('PATCH', `/v1/contacts/${idOf(call.who)}`, call.fields)).body) };
        case 'read':
          return { contact: shown((await request('GET', `/v1/contacts/${idOf(call.who)}`)).body) };
      }
    };
    return { send: sendOver };
  }
  let team: TestTeam | undefined;

  testModel('the same calls have results that one order explains', 'contacts.test.ts', {
    model: contactModel,
    calls: contactCalls.map((call): ContactCall => {
      if (call.kind !== 'update') return call;
      const { ifVersion: _, ...rest } = call;
      return rest;
    }),
    open,
    last: lastReads,
    parts: contactParts,
    runs: 20,
  });
});
