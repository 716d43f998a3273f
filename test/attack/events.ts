import { randomUUID } from 'node:crypto';
import { type Area, type Attack, attack, must } from './attack.ts';
import type { World } from './world.ts';

/** The feed shows the events of one team and no person's data. */
export const events: Area = async (world) => {
  const own = await cursorOf(world, '?limit=1');
  const typed = await cursorOf(world, '?limit=1&type=contact.*');
  const theirs = await cursorOf(world, '?limit=1', world.theirs.token);
  const wrong = [...forged(own), theirs, world.ours.cursor, world.theirs.cursor, randomUUID(), 'null', '1.', '{}'];
  return [
    ...selections(world).map((query) => shown(world, query)),
    ...wrong.map((cursor) => refused(world, `?cursor=${encodeURIComponent(cursor)}`)),
    refused(world, `?cursor=${encodeURIComponent(typed)}&type=journey.*`),
    refused(world, `?cursor=${encodeURIComponent(own)}&cursor=${encodeURIComponent(theirs)}`),
  ];
};

async function cursorOf(world: World, query: string, token?: string): Promise<string> {
  const { status, text } = await world.call('GET', `/v1/events${query}`, undefined, token);
  must(status === 200, 'the feed cannot be read', text);
  return (JSON.parse(text) as { next_cursor: string }).next_cursor;
}

/** Each part of the cursor changed, and other ways to write its bytes. */
function forged(cursor: string): string[] {
  const places = Array.from({ length: 12 }, (_, n) => Math.floor((n * cursor.length) / 12));
  const changed = places.map((at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1));
  return [
    ...changed.filter((each) => each !== cursor),
    ...[cursor.slice(0, -1), cursor.slice(2), `${cursor}A`, `${cursor}=`, `2.${cursor}`, cursor.replace('1.', '01.')],
    ...[cursor.replace('1.', ''), `${cursor}\n`, ` ${cursor}`, cursor.toUpperCase()],
  ];
}

/** Ways to ask for what another team has. */
function selections({ theirs }: World): string[] {
  return [
    '',
    '?since=2020-01-01T00:00:00Z',
    ...[`?team_id=${theirs.teamId}`, `?contact_id=${theirs.contactId}`, `?journey_id=${theirs.journeyId}`],
    ...[`?batch_id=${theirs.batchId}`, '?type=contact.*&type=journey.*&type=batch.*'],
  ];
}

const shown = (world: World, query: string): Attack =>
  attack('only events of the own team, without data of a person', query, async () => {
    const { ours, theirs } = world;
    const { status, text } = await world.call('GET', `/v1/events${query}${query === '' ? '?' : '&'}limit=1000`);
    must(status === 200 || status === 400, `status ${status}`, text);
    const { events: found = [] } = JSON.parse(text) as { events?: { team_id: string }[] };
    must(
      found.every(({ team_id }) => team_id === ours.teamId),
      'an event of another team',
      found.find(({ team_id }) => team_id !== ours.teamId),
    );
    for (const side of [ours, theirs]) {
      for (const value of [side.email, side.uniqueId, side.coreId, side.slug, side.accountNumber]) {
        must(!text.includes(value), `the answer holds ${value}`);
      }
    }
    // A batch_id is chosen by its sender: another attack has used theirs for a batch of our own.
    for (const value of [theirs.teamId, theirs.contactId, theirs.journeyId]) {
      must(status === 400 || !text.includes(value), `the answer holds ${value}`);
    }
  });

const refused = (world: World, query: string): Attack =>
  attack('a cursor that was not given for this', query, async () => {
    const { status, text } = await world.call('GET', `/v1/events${query}`);
    must(status === 400, `status ${status}`, text);
    must(!text.includes(world.theirs.teamId), 'the answer names the other team', text);
  });
