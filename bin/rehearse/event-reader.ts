import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, OnboardingClient } from '../../client/index.ts';
import type { Service } from '../demo/run.ts';

/** What a reader of events has when the table is restored, and what is lost with the table. */
export type Reader = { client: OnboardingClient; restored: string[]; lost: string[]; cursor: string | undefined };

/** The person whose change is lost. It is made again after the restore. */
const change = { unique_id: 'restore-1', name_first: 'Ada' };

/** Events appear within ten seconds. A feed that has no more for longer is at its end. */
const quietMilliseconds = 15_000;

export async function readerBefore({ base_url: baseUrl, client_id, client_secret }: Service): Promise<Reader> {
  const client = new OnboardingClient({ baseUrl, clientId: client_id, clientSecret: client_secret });
  await client.contacts.upsert({ ...change, name_first: 'Grace' });
  const { ids, cursor } = await readToEnd(client);
  return { client, restored: ids, lost: [], cursor };
}

/** Changes a contact after the time to which the table is restored, and reads the event. */
export async function loseChange(reader: Reader): Promise<void> {
  await reader.client.contacts.upsert(change);
  const { ids, cursor } = await readToEnd(reader.client, reader.cursor);
  Object.assign(reader, { lost: ids, cursor });
}

/** What is wrong after the restore. */
export async function faultsAfter({ client, restored, lost, cursor }: Reader): Promise<string[]> {
  const refused = await readToEnd(client, cursor).then(
    () => 'a cursor behind the restored time is accepted',
    (error) => (error instanceof ApiError && error.status === 410 ? undefined : String(error)),
  );
  const again = await readToEnd(client);
  const isSame = JSON.stringify(again.ids) === JSON.stringify(restored);
  await client.contacts.upsert(change);
  const { ids: repeated } = await readToEnd(client, again.cursor);
  return [
    ...(refused ? [refused] : []),
    ...(isSame ? [] : [`the feed has ${again.ids.length} events instead of the ${restored.length} that were restored`]),
    ...(lost.length === 1 ? [] : [`the change that is lost was told ${lost.length} times`]),
    ...(repeated.length === 1 ? [] : [`the change after the restore was told ${repeated.length} times`]),
    ...(repeated.some((id) => lost.includes(id)) ? ['an event after the restore has the id of a lost one'] : []),
  ];
}

async function readToEnd(
  client: OnboardingClient,
  after?: string,
): Promise<{ ids: string[]; cursor: string | undefined }> {
  const feed = client.events.feed(after === undefined ? {} : { cursor: after });
  const ids: string[] = [];
  for (let end = Date.now() + quietMilliseconds; Date.now() < end; await sleep(500)) {
    for await (const { id } of feed) {
      ids.push(id);
      end = Date.now() + quietMilliseconds;
    }
  }
  return { ids, cursor: feed.cursor };
}
