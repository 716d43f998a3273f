import { together } from '../../lib/store/together.ts';
import type { TeamApi } from './api.ts';
import { contactRead } from './contact-client.ts';
import type { AccountRead, HistoryEvent } from './history.ts';
import { accountNumberField, linkField } from './import-client.ts';

const contactsOfOneRequest = 500;
const parallel = 8;

/** Reads everything that the team has written, after the faults have ended. */
export async function readEverything(api: TeamApi): Promise<void> {
  const { history, team } = api;
  const ofTeam = history.events.filter((event) => 'team' in event && event.team === team);
  const contacts = new Set(ofTeam.flatMap((event) => (event.kind === 'contact' ? [event.contact] : [])));
  const holders = new Set(
    ofTeam.flatMap((event) => (event.kind === 'chunk' ? event.records.map(({ contact }) => contact) : [])),
  );
  // Before contacts are created for reading.
  const ids = new Map([...(await readList(api)), ...acknowledgedIds(ofTeam, history.events)]);
  await together([...contacts], parallel, (contact) => readContact(api, contact, ids.get(contact)));
  await readAccounts(api, await idsOf(api, [...holders]));
}

/** A contact with a known id is read by id, because reads by id are strongly consistent. */
function acknowledgedIds(ofTeam: readonly HistoryEvent[], events: readonly HistoryEvent[]): Map<string, string> {
  const contacts = new Map(ofTeam.flatMap((event) => (event.kind === 'contact' ? [[event.write, event.contact]] : [])));
  return new Map(
    events.flatMap((event) => {
      const contact = event.kind === 'attempt' ? contacts.get(event.write) : undefined;
      return event.kind === 'attempt' && contact !== undefined && event.id !== undefined ? [[contact, event.id]] : [];
    }),
  );
}

async function readContact(api: TeamApi, contact: string, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  api.history.add(contactRead(api.team, contact, await api.read('GET /v1/contacts/:id', `/v1/contacts/${id}`), true));
}

/** The whole list, and the ids in it. */
async function readList(api: TeamApi): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let path: string | undefined = '/v1/contacts?limit=100'; path !== undefined; ) {
    const { body } = await api.read('GET /v1/contacts', path);
    for (const { unique_id: contact, id } of body.contacts) {
      ids.set(contact, id);
      api.history.add({ kind: 'listed', team: api.team, contact, id });
    }
    path = body.has_more ? `/v1/contacts?limit=100&cursor=${encodeURIComponent(body.next_cursor)}` : undefined;
  }
  return ids;
}

/** An account is read through its contacts, so missing contacts are created. */
async function idsOf(api: TeamApi, contacts: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let at = 0; at < contacts.length; at += contactsOfOneRequest) {
    const body = { contacts: contacts.slice(at, at + contactsOfOneRequest).map((unique_id) => ({ unique_id })) };
    const { status, body: response } = await api.call('POST /v1/contacts (batch)', {
      ...{ method: 'POST', path: '/v1/contacts', body },
    });
    if (status !== 200) throw new Error(`the contacts to read by cannot be made: ${status}`);
    for (const { unique_id, id } of [...response.new_contacts, ...response.existing_contacts]) ids.set(unique_id, id);
  }
  return ids;
}

type Entry = {
  role: string | null;
  account: { nickname: string | null; meta_public: Record<string, unknown>; product: { id: string; code: string } };
};

/** A shared account has one state, with a role for each contact. */
async function readAccounts(api: TeamApi, contacts: ReadonlyMap<string, string>): Promise<void> {
  const accounts = new Map<string, AccountRead>();
  await together([...contacts], parallel, async ([contact, id]) => {
    const { start, end, status, body } = await api.read('GET /v1/contacts/:id/accounts', `/v1/contacts/${id}/accounts`);
    if (status !== 200) throw new Error(`the accounts of a contact cannot be read: ${status}`);
    for (const { role, account } of body as Entry[]) {
      const meta = account.meta_public ?? {};
      const number = String(meta[accountNumberField]);
      const slots = Object.entries(meta).filter(([key]) => /^s\d$/.test(key));
      const read = accounts.get(number) ?? {
        ...{ kind: 'account-read', team: api.team, account: number, start, end, final: true },
        traces: Object.keys(meta).filter((key) => /^c\d+$/.test(key)),
        product: account.product,
        fields: Object.fromEntries([...slots, ['nickname', account.nickname]].filter(([, value]) => value !== null)),
      };
      if (role !== null) read.fields[linkField(contact)] = role;
      accounts.set(number, read as AccountRead);
    }
  });
  for (const read of accounts.values()) api.history.add(read);
}
