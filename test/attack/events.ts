import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { verifyWebhook } from '../../client/index.ts';
import { type Area, type Attack, attack, must } from './attack.ts';
import type { World } from './world.ts';

/** The feed shows the events of one team and no person's data, and a delivery that the service did not sign is refused. */
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
    ...deliveries(),
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

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`;
const sign = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64');

/** What somebody who does not know the secret sends to a receiver, or sends again. */
function deliveries(): Attack[] {
  const secret = secretOf();
  const body = JSON.stringify({ type: 'journey.completed', timestamp: '2026-03-01T12:00:00Z', data: { id: 'a' } });
  const id = randomUUID();
  const at = String(Math.floor(Date.now() / 1000));
  const right = {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${sign(secret, `${id}.${at}.${body}`)}`,
  };
  const signature = right['webhook-signature'];
  const old = String(Number(at) - 3600);
  const ahead = String(Number(at) + 3600);
  const dated = (time: string) => ({
    'webhook-timestamp': time,
    'webhook-signature': `v1,${sign(secret, `${id}.${time}.${body}`)}`,
  });
  const tries: [string, Record<string, string | undefined>, string?][] = [
    ['another body', {}, body.replace('completed', 'verified')],
    ['spaces in the body', {}, `${body} `],
    ['no body', {}, ''],
    ['another id', { 'webhook-id': randomUUID() }],
    ['another time', { 'webhook-timestamp': String(Number(at) + 1) }],
    ['an old delivery', dated(old)],
    ['a delivery of the future', dated(ahead)],
    ['a time that is no number', dated('now')],
    ['the signature of another secret', { 'webhook-signature': `v1,${sign(secretOf(), `${id}.${at}.${body}`)}` }],
    ['an empty signature', { 'webhook-signature': 'v1,' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['no id', { 'webhook-id': undefined }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['another version', { 'webhook-signature': signature.replace('v1,', 'v2,') }],
    ['without a version', { 'webhook-signature': signature.slice(3) }],
    ['the beginning of the signature', { 'webhook-signature': signature.slice(0, -4) }],
    ['parts moved between id and time', { 'webhook-id': `${id}.${at}`, 'webhook-timestamp': '' }],
  ];
  const isVerified = (headers: Record<string, string | undefined>, sent: string) =>
    verifyWebhook(secret, headers, Buffer.from(sent)).then(
      () => true,
      () => false,
    );
  return [
    attack('a delivery that the service did not sign', 'the right one is received', async () => {
      must(await isVerified(right, body), 'the signature of the service was refused');
    }),
    ...tries.map(([name, changes, sent = body]) =>
      attack('a delivery that the service did not sign', name, async () => {
        must(!(await isVerified({ ...right, ...changes }, sent)), 'it was received');
      }),
    ),
  ];
}
