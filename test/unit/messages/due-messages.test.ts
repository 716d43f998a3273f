import { beforeEach, describe, expect, test } from 'vitest';
import { newRecord, postponed, type SendReason, type SendRecord } from '../../../lib/domain/messages/record.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { cancelJourney } from '../../../lib/operations/journeys/cancel.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadJourneys } from '../../../lib/store/journeys/journeys.ts';
import { messageLane, nextMessages } from '../../../lib/store/messages/lane.ts';
import { recordWrites } from '../../../lib/store/messages/records.ts';
import { bound, chunksOf, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { teamPartition } from '../../../lib/store/table/keys.ts';
import { dueWrite } from '../../../lib/store/waiting-work/due-work.ts';
import { Random } from '../../laws/random.ts';
import { idOf, team, templateId } from '../../support/operations/journey-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { openStream, stream } from '../../support/operations/publishing.ts';
import { record as contact } from '../../support/samples/contacts.ts';

/** What is due of journeys goes into the lane of messages, and nothing that is due is forgotten (contract, section 15). */

const minute = 60_000;
const hour = 60 * minute;
let clock = 0;
let woken: Lane[] = [];
const at = (database: Database = stream) => serviceOn(database, { now: () => clock, pause: async () => {} });
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
type Message = { id: string; send_offset_hours?: number; scheduled_at?: string; send_at?: string; message?: object };
const content = (messages: Message[], fields: object = {}) => ({
  templates: [
    {
      id: templateId,
      name: 'Welcome',
      status: 'live',
      ...fields,
      template_messages: messages.map((each) => ({ message: {}, ...each })),
    },
  ],
});
const put = (...given: Parameters<typeof content>) =>
  importContent({ ...at(), fits: () => true }, team, content(...given) as unknown as JsonValue);
const start = (person: string, fields: object = {}) =>
  upsertContact(at(), team, contact({ unique_id: person, journey: { template_id: templateId }, ...fields }));
const journeyOf = async (person: string) =>
  (await loadJourneys(stream, team, [{ contactId: idOf(person), templateId }]))[0]!;

const work = (database: Database = stream, messages = true, hasTime = () => true) => {
  const messageQueue = { wake: async (lane: Lane) => void woken.push(lane), postpone: async () => {} };
  const working = {
    ...at(database),
    ...(messages ? { messageQueue } : {}),
    onContactFailure: () => {},
  };
  return workCompletions(working, team, hasTime);
};
async function pass(milliseconds: number, every = minute, messages = true): Promise<void> {
  for (const end = clock + milliseconds; clock < end; ) {
    clock = Math.min(end, clock + every);
    await moveDue(at(), team);
    await work(stream, messages);
  }
}
/** What is in the lane, in its order: class, minutes since the beginning, and the message. */
let begun = 0;
const lane = async () =>
  (await nextMessages(stream, team, 1000)).map((each) => [
    'order' in each ? each.order : 0,
    Math.round((Date.parse(each.at) - begun) / minute),
    'templateMessageId' in each ? Number(each.templateMessageId.slice(-3)) : '',
  ]);
const waiting = () => [...stream.items.values()].filter(({ pk }) => pk === `${teamPartition(team)}#DUE`);
/** The sender has decided so on the message. */
async function noted(person: string, n: number, change: (record: SendRecord) => SendRecord): Promise<void> {
  const { journey } = await journeyOf(person);
  const place = { contactId: idOf(person), journeyId: journey.id, templateMessageId: id(n) };
  const of = { id: id(900 + n), journey_id: journey.id, template_id: templateId, template_message_id: id(n) };
  const made = newRecord({ ...of, channel: 'email', due_at: journey.inserted_at });
  await stream.transact(recordWrites(team, place, change(made), 0));
}
const empty = async () => {
  for (const { key } of await nextMessages(stream, team, 1000))
    await stream.transact([{ kind: 'delete', key, expect: {} }]);
};

beforeEach(async () => {
  await openStream();
  [clock, woken] = [Date.now(), []];
  begun = clock;
});

describe('messages of journeys', () => {
  test('are due each at its time, transactional ones first, and the lane is woken', async () => {
    const soon = timestamp(begun + 90 * minute);
    await put([
      { id: id(1), send_offset_hours: 0 },
      { id: id(2), send_offset_hours: 1.5, message: { is_transactional: true } },
      { id: id(3), scheduled_at: soon },
      { id: id(4) },
    ]);
    await start('p');
    await pass(minute);
    expect(await lane()).toEqual([[2, 0, 1]]);
    expect(woken).toContainEqual(messageLane(team));
    await pass(88 * minute, 10 * minute);
    expect(await lane()).toHaveLength(1);
    await pass(2 * minute);
    expect(await lane()).toEqual([
      [1, 90, 2],
      [2, 0, 1],
      [3, 90, 3],
    ]);
    await pass(10 * hour, hour);
    expect([await lane(), waiting()]).toMatchObject([{ length: 3 }, []]);
  });

  test('do not wait for thousands that are due at one time', async () => {
    await put([{ id: id(1), send_offset_hours: 0, message: { is_transactional: true } }]);
    // The walks over the new campaign.
    await pass(3 * minute);
    for (const [minutes, length] of [
      [1, 12_000],
      [3, 6000],
    ] as const) {
      const at = timestamp(clock + minutes * minute);
      const entries = Array.from({ length }, (_, n) =>
        dueWrite(team, { journeyId: id(n), at, contactId: id(n), templateId }),
      );
      for (const some of chunksOf(entries, 100)) await stream.transact(some);
    }
    clock += 2 * minute;
    await start('p');
    clock += 2 * minute;
    await moveDue({ database: stream, now: () => clock }, team);
    let steps = 0;
    await work(stream, true, () => steps++ === 0);
    expect(await lane()).toEqual([[1, 5, 1]]);
    await moveDue({ database: stream, now: () => clock }, team);
    await work();
    expect(waiting()).toEqual([]);
  });

  test('are due also if an entry of the same time was left', async () => {
    await put([
      { id: id(1), send_offset_hours: 1 },
      { id: id(2), send_offset_hours: 2 },
    ]);
    await start('p');
    const { journey, dueAt } = await journeyOf('p');
    const second = timestamp(Date.parse(dueAt!) + hour);
    const { id: journeyId, contact_id: contactId } = journey;
    await stream.transact([dueWrite(team, { journeyId, at: second, contactId, templateId })]);
    await pass(hour + minute);
    expect(await lane()).toEqual([[2, 60, 1]]);
    await pass(hour);
    expect(await lane()).toEqual([
      [2, 60, 1],
      [2, 120, 2],
    ]);
    expect(waiting()).toEqual([]);
  });

  test('are not due if no messages are sent', async () => {
    await put([{ id: id(1), send_offset_hours: 0 }], { journey_duration_hours: 1 });
    await start('p');
    await pass(2 * hour, minute, false);
    expect(await lane()).toEqual([]);
    expect((await journeyOf('p')).journey.expired_at).not.toBeNull();
  });

  test('are due at the time of the day where the contact is', async () => {
    await put([{ id: id(1), send_offset_hours: 0, send_at: '09:00' }]);
    await start('p', { timezone: 'Pacific/Auckland' });
    await pass(26 * hour, minute);
    const [due] = await nextMessages(stream, team, 1);
    const time = new Date(due!.at).toLocaleTimeString('en-GB', { timeZone: 'Pacific/Auckland' });
    expect(time).toBe('09:00:00');
  });

  test('are due once, unless they wait', async () => {
    await put([
      { id: id(1), send_offset_hours: 0 },
      { id: id(2), send_offset_hours: 0 },
    ]);
    await start('p');
    await noted('p', 1, (made) => ({ ...made, state: 'sent' }));
    await noted('p', 2, (made) => postponed(made, made.due_at, timestamp(begun + hour), 'quiet_hours'));
    await pass(59 * minute);
    expect(await lane()).toEqual([]);
    await pass(2 * minute);
    expect(await lane()).toEqual([[2, 0, 2]]);
  });

  test.each<[ending: string, end: () => Promise<unknown>, fields: object]>([
    ['cancelled', async () => cancelJourney(at(), team, (await journeyOf('p')).journey.id), {}],
    ['expired', async () => {}, { journey_duration_hours: 1 }],
  ])('are due after the journey was %s, too, so that it is known why they are not sent', async (_, end, fields) => {
    await put([{ id: id(1), send_offset_hours: 3 }], fields);
    await start('p');
    await end();
    await pass(4 * hour, 10 * minute);
    expect(await lane()).toEqual([[2, 180, 1]]);
    expect(waiting()).toEqual([]);
  });

  test('are all due once whatever fails, with two workers', async () => {
    await put(
      [
        { id: id(1), send_offset_hours: 0.5 },
        { id: id(2), send_offset_hours: 0.6 },
      ],
      { journey_duration_hours: 0.55 },
    );
    const people = Array.from({ length: 40 }, (_, n) => `p${n}`);
    for (const person of people) await start(person);
    const random = new Random(5);
    const failing = (): Database => ({
      ...bound(stream),
      transact: async (given) => {
        if (random.chance(0.2)) throw new StoreUnavailable('before the write');
        const written = await stream.transact(given);
        if (random.chance(0.2)) throw new StoreUnavailable('after the write');
        return written;
      },
    });
    clock += hour / 2;
    for (let run = 0; run < 80; run++) {
      clock += minute / 3;
      await Promise.allSettled([moveDue(at(failing()), team), work(failing()), work(failing())]);
    }
    expect(await lane()).toHaveLength(2 * people.length);
    for (const person of people) expect((await journeyOf(person)).journey.expired_at).not.toBeNull();
  });
});

describe('a campaign that changes', () => {
  test('has messages for journeys that began before, at once and for none that had passed', async () => {
    await put([]);
    for (const person of ['p', 'q']) await start(person);
    await pass(30 * minute, 10 * minute);
    const [past, soon] = [timestamp(clock - minute), timestamp(clock + minute)];
    await put([
      { id: id(1), send_offset_hours: 0.25 },
      { id: id(2), send_offset_hours: 1 },
      { id: id(3), scheduled_at: past },
      { id: id(4), scheduled_at: soon },
    ]);
    await pass(2 * minute);
    expect(await lane()).toEqual([
      [3, 31, 4],
      [3, 31, 4],
    ]);
    await pass(29 * minute);
    expect((await lane()).filter(([order]) => order === 2)).toEqual([
      [2, 60, 2],
      [2, 60, 2],
    ]);
    await pass(5 * hour, 10 * minute);
    expect([await lane(), waiting()]).toMatchObject([{ length: 4 }, []]);
  });

  test.each<[reason: SendReason, before: object, after: object]>([['muted', { is_muted: true }, {}]])(
    'and is no longer %s has what waited at once',
    async (reason, before, after) => {
      await put([{ id: id(1), send_offset_hours: 0 }], before);
      await start('p');
      await pass(minute);
      await empty();
      await noted('p', 1, (made) => postponed(made, made.due_at, timestamp(begun + 6 * hour), reason));
      await pass(10 * minute);
      expect(await lane()).toEqual([]);
      await put([{ id: id(1), send_offset_hours: 0 }], after);
      await pass(minute);
      expect(await lane()).toEqual([[2, 0, 1]]);
    },
  );
});
