import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { Write } from '../table/database.ts';
import { messageWorkKey, verificationWorkKey } from '../table/keys.ts';

/**
 * The lane of the messages of a team. Its items are what is due, in the order in which it is sent: the key says it all.
 * Verifications are first. A worker that finds nothing to send for an item deletes it.
 */
export const messageLane = (team_id: string): Lane => ({ work: 'messages', team_id });

/** 1: transactional, 2: of a single journey, 3: for a whole campaign. */
export type SendOrder = 1 | 2 | 3;

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
