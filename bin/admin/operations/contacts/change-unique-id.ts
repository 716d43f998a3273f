import type { Contact } from '../../../../lib/domain/contacts/contact.ts';
import { givenUniqueId } from '../../../../lib/domain/contacts/contact-record.ts';
import { Problem, validationFailed } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { finishMoves } from '../../../../lib/operations/erasure/names.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { commitRename, loadNamedContacts, type NamedContact } from '../../../../lib/store/contacts/renames.ts';

/**
 * Changes the `unique_id` of a contact from `from` to `to`. The contact keeps its id, accounts and journeys. Afterwards
 * `from` names no contact until a request creates one with it. Accounts that imports already linked to `to` are moved
 * to the contact. If a call fails before all of them are moved, repeat the same call to complete it.
 * @throws Problem `not_found` (`/from`); `validation_failed` (`/to`: not valid, unchanged, or used by another contact).
 */
export async function changeUniqueId(
  service: Service,
  teamId: string,
  change: { from: string; to: string },
): Promise<Contact> {
  checkNewValue(change);
  const { database } = service;
  let resumed = false;
  return untilWritten(service, 'too many conflicts on the contact', async () => {
    const [from, to] = (await loadNamedContacts(database, teamId, [change.from, change.to])) as [
      NamedContact,
      NamedContact,
    ];
    if (isMoving(from) || isMoving(to)) {
      resumed ||= to.identity?.renamed_from === change.from;
      await finishMoves(service, teamId, [from, to]);
      return lostRace;
    }
    if (isInconsistent(from) || isInconsistent(to)) return lostRace;
    if (resumed && !from.stored && to.stored) return to.stored.contact;
    const renamed = await rename(service, teamId, from, to);
    if (!renamed) return lostRace;
    await finishMoves(service, teamId, await loadNamedContacts(database, teamId, [change.to]));
    return renamed;
  });
}

function checkNewValue({ from, to }: { from: string; to: string }): void {
  const errors = (givenUniqueId.safeParse(to).error?.issues ?? []).map(({ message }) => message);
  if (from === to) errors.push('is already the unique_id of the contact');
  if (errors.length > 0) throw validationFailed(errors.map((message) => ({ path: '/to', message })));
}

/** The renamed contact; `undefined` if the items have changed since they were read. */
async function rename(
  { database, now, newId }: Service,
  teamId: string,
  { stored, ...from }: NamedContact,
  to: NamedContact,
): Promise<Contact | undefined> {
  if (!stored) throw new Problem('not_found', [{ path: '/from', message: 'there is no contact with this unique_id' }]);
  if (to.stored) throw validationFailed([{ path: '/to', message: 'is the unique_id of another contact' }]);
  const renamed = { ...stored.contact, unique_id: to.uniqueId, updated_at: timestamp(now()) };
  const change = { from: { ...from, stored }, to, renamed, freshId: newId() };
  return (await commitRename(database, teamId, change)) ? renamed : undefined;
}

const isMoving = ({ identity }: NamedContact): boolean => identity?.moving_from !== undefined;

/** True if a rename happened between the reads of the identity item and of the contact. */
const isInconsistent = ({ uniqueId, stored }: NamedContact): boolean =>
  stored !== undefined && stored.contact.unique_id !== uniqueId;
