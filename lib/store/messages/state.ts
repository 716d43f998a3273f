import {
  type MessageCounts,
  type MessageState,
  messageCounts,
  messageState,
  noCounts,
  noState,
} from '../../domain/messages/pause.ts';
import { type Database, readOne, type Upsert, versioned } from '../table/database.ts';
import { messageCountsKey, messageStateKey } from '../table/keys.ts';
import { itemReader, storedVersion } from '../table/stored-item.ts';

const stateItem = itemReader('state of messages', messageState.extend({ version: storedVersion }));
const countsItem = itemReader('counts of messages', messageCounts.extend({ version: storedVersion }));

type Versioned<Stored> = Stored & { version: number };

export const loadMessageState = async (database: Database, teamId: string): Promise<Versioned<MessageState>> =>
  (await readOne(database, messageStateKey(teamId), stateItem)) ?? { ...noState, version: 0 };

/** On the condition of the version that was read. */
export const messageStateWrite = (teamId: string, state: MessageState, version: number): Upsert => {
  const { paused, templates, last_pause, restored_until, epoch } = state;
  return versioned(messageStateKey(teamId), version, { paused, templates, last_pause, restored_until, epoch });
};

export const loadMessageCounts = async (database: Database, teamId: string): Promise<Versioned<MessageCounts>> =>
  (await readOne(database, messageCountsKey(teamId), countsItem)) ?? { ...noCounts, version: 0 };

export const messageCountsWrite = (teamId: string, counts: MessageCounts, version: number): Upsert => {
  const { blocks, moved_at, bounced_at, complained_at } = counts;
  return versioned(messageCountsKey(teamId), version, { blocks, moved_at, bounced_at, complained_at });
};
