import type { Contact } from '../../domain/contact.ts';
import { givenUniqueId } from '../../domain/contact-record.ts';
import { Problem, validationFailed } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { moveLinks } from '../../store/accounts.ts';
import { commitRename, endMove, loadNamed, type Named } from '../../store/renames.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ContactDependencies } from './dependencies.ts';

type Dependencies = Pick<ContactDependencies, 'database' | 'now' | 'newId' | 'pause'>;

/**
 * Gives the contact that `from` names the `unique_id` `to`. It keeps its id, accounts and journeys; `from` names nobody
 * afterwards, until somebody posts it. Accounts that imports linked to `to` before come along. A call that broke off
 * before they all had is completed by the same call again.
 * @throws Problem `not_found` (`/from`), `validation_failed` (`/to`: no value to give, the same, or taken).
 */
export async function changeUniqueId(
  dependencies: Dependencies,
  teamId: string,
  change: { from: string; to: string },
): Promise<Contact> {
  refuseUnfit(change);
  const { database } = dependencies;
  let resumed = false;
  return untilWritten(dependencies, 'the contact is contended', async () => {
    const [from, to] = (await loadNamed(database, teamId, [change.from, change.to])) as [Named, Named];
    if (isMoving(from) || isMoving(to)) {
      resumed ||= to.identity?.renamed_from === change.from;
      await finishMoves(dependencies, teamId, [from, to]);
      return lostRace;
    }
    if (isTorn(from) || isTorn(to)) return lostRace;
    if (resumed && !from.stored && to.stored) return to.stored.contact;
    const renamed = await rename(dependencies, teamId, from, to);
    if (!renamed) return lostRace;
    await finishMoves(dependencies, teamId, await loadNamed(database, teamId, [change.to]));
    return renamed;
  });
}

function refuseUnfit({ from, to }: { from: string; to: string }): void {
  const errors = (givenUniqueId.safeParse(to).error?.issues ?? []).map(({ message }) => message);
  if (from === to) errors.push('is what the contact is called already');
  if (errors.length > 0) throw validationFailed(errors.map((message) => ({ path: '/to', message })));
}

/** The contact as it is now called; `undefined` when what was read has changed meanwhile. */
async function rename(
  { database, now, newId }: Dependencies,
  teamId: string,
  { stored, ...from }: Named,
  to: Named,
): Promise<Contact | undefined> {
  if (!stored) throw new Problem('not_found', [{ path: '/from', message: 'there is no contact of this unique_id' }]);
  if (to.stored) throw validationFailed([{ path: '/to', message: 'is the unique_id of another contact' }]);
  const renamed = { ...stored.contact, unique_id: to.uniqueId, updated_at: timestamp(now()) };
  const change = { from: { ...from, stored }, to, renamed, freshId: newId() };
  return (await commitRename(database, teamId, change)) ? renamed : undefined;
}

const isMoving = ({ identity }: Named): boolean => identity?.moving_from !== undefined;

/** Whether the value was changing hands between the reads of its identity and of its contact. */
const isTorn = ({ uniqueId, stored }: Named): boolean => stored !== undefined && stored.contact.unique_id !== uniqueId;

/** Moves the links that still lie where these values once led. */
export async function finishMoves(dependencies: Dependencies, teamId: string, values: readonly Named[]): Promise<void> {
  const { database } = dependencies;
  for (const { uniqueId, identity } of values) {
    const { moving_from: movingFrom, contact_id: contactId } = identity ?? {};
    if (!identity || movingFrom === undefined || contactId === undefined) continue;
    await untilWritten(dependencies, 'the links are contended', async () =>
      (await moveLinks(database, teamId, movingFrom, contactId)) ? undefined : lostRace,
    );
    await endMove(database, teamId, uniqueId, identity);
  }
}
