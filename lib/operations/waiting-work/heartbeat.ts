import { heartbeatKey } from '../../store/table/keys.ts';
import type { Service } from '../service.ts';

/** Changes an item that passes the filter of the stream. If the publisher is not invoked after it, an alarm goes off. */
export async function beat({ database }: Pick<Service, 'database'>): Promise<void> {
  await database.transact([{ kind: 'add', key: heartbeatKey, add: { beats: 1 } }]);
}
