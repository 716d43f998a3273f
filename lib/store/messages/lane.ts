import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { Database, Write } from '../table/database.ts';
import {
  type Key,
  type MessageWorkParts,
  messageLanePartition,
  messageWorkKey,
  partsOfMessageWork,
  type SendOrder,
  verificationWorkKey,
} from '../table/keys.ts';

/**
 * The lane of the messages of a team. Its items are what is due, in the order in which it is sent: the key says it all.
 * Verifications are first. A worker that finds nothing to send for an item deletes it.
 */
export const messageLane = (team_id: string): Lane => ({ work: 'messages', team_id });

/** A message of a journey that is due. */
export type SendWork = { order: SendOrder; at: string; journeyId: string; templateMessageId: string };

/** For the transaction that makes the message due. It can be repeated: an item that waits already stays as it is. */
export const sendWork = (teamId: string, { order, ...work }: SendWork): Write => ({
  kind: 'add',
  key: messageWorkKey(teamId, order, work),
  add: { asked: 1 },
});

/** For the transaction that asks for a verification of the contact's address. @param messageId new for each */
export const verificationWork = (
  teamId: string,
  work: { at: string; contactId: string; messageId: string },
): Write => ({ kind: 'add', key: verificationWorkKey(teamId, work), add: { asked: 1 } });

/** Something that waits in the lane, by its key. */
export type WaitingMessage = { key: Key } & MessageWorkParts;

/** What comes next, strongly consistent. */
export async function nextMessages(database: Database, teamId: string, limit: number): Promise<WaitingMessage[]> {
  const { items } = await database.query({ pk: messageLanePartition(teamId), limit });
  return items.map(({ pk, sk }) => ({ key: { pk, sk }, ...partsOfMessageWork({ pk, sk }) }));
}

/** For the transaction that decides what becomes of it. Another worker that has decided first makes it fail. */
export const endOfWork = ({ key }: Pick<WaitingMessage, 'key'>): Write => ({ kind: 'delete', key, expect: {} });
