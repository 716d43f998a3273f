import { actBegun } from '../../domain/access/audit.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import { type ErasureRequest, loadErasureRequest, saveErasureRequest } from '../../store/erasure/erasure-requests.ts';
import { uniqueIdDigest } from '../../store/table/keys.ts';
import { recordEntry } from '../access/audit.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service, Settings } from '../service.ts';

/**
 * Stores the request to erase the contact, which the function `erasure-worker` completes. A repeated request changes
 * nothing while the contact is being erased.
 * @throws Problem `not_found`
 */
export async function requestErasure(
  service: Service & Pick<Settings, 'retentionDays'>,
  { teamId, clientId }: Pick<Caller, 'teamId' | 'clientId'>,
  contactId: string,
): Promise<void> {
  const { database, now, newId } = service;
  await untilWritten(service, 'too many conflicts on the request to erase', async () => {
    const known = await loadErasureRequest(database, teamId, contactId);
    const contact = (await loadContact(database, teamId, contactId))?.contact;
    if (!contact && !known) throw notFound();
    // Another time: the contact was created again while the earlier one is still being erased.
    if (!contact || known?.inserted_at === contact.inserted_at) return undefined;
    const { inserted_at, unique_id } = contact;
    const request = {
      ...{ team_id: teamId, contact_id: contactId, inserted_at, digest: uniqueIdDigest(teamId, unique_id) },
      ...{ client_id: clientId, act_id: newId(), requested_at: timestamp(now()) },
      leased_until: known?.leased_until,
    };
    await recordErasure(service, request, actBegun);
    if (await saveErasureRequest(database, request, known?.version ?? 0)) return undefined;
    await recordErasure(service, request, 'conflict');
    return lostRace;
  });
}

/** As the entries of the command `contact erase`, with the client in `who`. */
export const recordErasure = (
  service: Service & Pick<Settings, 'retentionDays'>,
  { team_id, contact_id, client_id, act_id }: ErasureRequest,
  outcome: string,
): Promise<void> => {
  const ids = { act_id, contact_id };
  const entry = { who: client_id, what: 'contact erase', team_id, ids, outcome };
  return recordEntry(service, entry, `${act_id}#${outcome}`);
};
