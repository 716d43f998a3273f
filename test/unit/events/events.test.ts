import { describe, expect, test } from 'vitest';
import type { ContactState } from '../../../lib/domain/contacts/contact.ts';
import { batchEnd, type Change, eventOf, overtakenEvents } from '../../../lib/domain/events/events.ts';
import type { BatchStatus } from '../../../lib/domain/imports/batch-responses.ts';
import { endOfBatch, showsProcessing, tellingIndexes } from '../../../lib/domain/imports/batch-status.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import type { JourneyState } from '../../../lib/domain/journeys/journey.ts';
import { chunkOf } from '../../support/samples/samples.ts';

const time = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000000Z`;
const recordTime = time(23);

const contactState = (changes: Partial<ContactState> = {}): ContactState => ({
  ...{ unique_id: 'u', data: '{}', completions: {}, inserted_at: time(1), updated_at: time(2), version: 2 },
  ...changes,
});
type Both<State> = [before: State | undefined, after: State | undefined];
const contact = ([before, after]: Both<ContactState>, isErased = false): Change => ({
  ...{ kind: 'contact', contactId: 'c', before, after, isErased },
});
const journeyState = (completion_verified_at: string | null = null): JourneyState => ({
  ...{ id: 'j', inserted_at: time(3), updated_at: time(3), completion_verified_at },
});
const inJourney = { contactId: 'c', templateId: 't' };
const journey = ([before, after]: Both<JourneyState>): Change => ({ kind: 'journey', ...inJourney, before, after });
const actionState = { page_id: 'p', journey_id: 'j', at: time(4) };
/** A journey about an account, with changes. */
const aboutAccount = ([before, after]: Both<Partial<JourneyState>>): Change => ({
  ...{ kind: 'journey', ...inJourney, accountId: 'a' },
  ...{ before: before && { ...journeyState(), ...before }, after: after && { ...journeyState(), ...after } },
});
const noted = (accountId?: string, before?: { at: string }): Change => ({
  ...{ kind: 'note', ...inJourney, accountId, before, after: { at: time(8) } },
});
const action = (kind: 'viewed' | 'completed' | 'finished', isNew = true): Change => ({
  ...{ kind: 'action', ...inJourney },
  ...{ before: isNew ? undefined : { kind, ...actionState }, after: { kind, ...actionState } },
});
const responseState = { id: 'r', journey_id: 'j', template_id: 't', page_id: 'p', block_id: 'b', at: time(5) };
const rows = { read: 9, accepted: 8, rejected: 1 };
const file = (status: 'completed' | 'failed' | 'refused' | 'repeated', changes: Partial<typeof rows> = {}): Change => ({
  ...{ kind: 'file', fileId: 'f', before: undefined },
  after: { status, rows: { ...rows, ...changes }, finished_at: time(6) },
});

const ids = { contact_id: 'c', journey_id: 'j', template_id: 't' };

describe('what happened', () => {
  const ofContact = { contact_id: 'c' };
  const onPage = { ...ids, page_id: 'p' };
  // Contract, section 12.
  test.each<[string, Change, [type: string, at: string, ids: object] | undefined]>([
    ['a contact appears', contact([undefined, contactState()]), ['contact.created', time(1), ofContact]],
    [
      'a field changes',
      contact([contactState({ data: '{"a":1}' }), contactState()]),
      ['contact.updated', time(2), ofContact],
    ],
    [
      'the unique_id changes',
      contact([contactState({ unique_id: 'v' }), contactState()]),
      ['contact.updated', time(2), ofContact],
    ],
    ['only an index entry changes', contact([contactState({ version: 1 }), contactState()]), undefined],
    ['a contact is erased', contact([contactState(), undefined], true), ['contact.erased', recordTime, ofContact]],
    ['a contact is reset', contact([contactState(), undefined]), undefined],
    ['a placeholder is deleted', contact([undefined, undefined], true), undefined],
    ['a journey starts', journey([undefined, journeyState()]), ['journey.created', time(3), ids]],
    ['a journey is verified', journey([journeyState(), journeyState(time(7))]), ['journey.verified', time(7), ids]],
    ['a verified journey changes', journey([journeyState(time(7)), journeyState(time(7))]), undefined],
    ['a journey changes', journey([journeyState(), journeyState()]), undefined],
    ['a journey is deleted', journey([journeyState(), undefined]), undefined],
    [
      'a journey about an account starts',
      aboutAccount([undefined, {}]),
      ['journey.created', time(3), { ...ids, account_id: 'a' }],
    ],
    [
      'a page of a journey about an account is viewed',
      { ...action('viewed'), accountId: 'a' } as Change,
      ['journey.page_viewed', time(4), { ...onPage, account_id: 'a' }],
    ],
    [
      'a journey is cancelled',
      aboutAccount([{}, { cancelled_at: time(8) }]),
      ['journey.cancelled', time(8), { ...ids, account_id: 'a' }],
    ],
    ['a cancelled journey changes', aboutAccount([{ cancelled_at: time(8) }, { cancelled_at: time(8) }]), undefined],
    [
      'a journey expires',
      aboutAccount([{ cancelled_at: null }, { cancelled_at: null, expired_at: time(8) }]),
      ['journey.expired', time(8), { ...ids, account_id: 'a' }],
    ],
    [
      'a journey is reopened',
      aboutAccount([{ cancelled_at: time(8) }, { cancelled_at: null, reopened_at: time(9) }]),
      ['journey.reopened', time(9), { ...ids, account_id: 'a' }],
    ],
    ['a contact is noted as targeted', noted(), ['contact.targeted', time(8), { contact_id: 'c', template_id: 't' }]],
    [
      'a contact is noted as targeted with an account',
      noted('a'),
      ['contact.targeted', time(8), { contact_id: 'c', account_id: 'a', template_id: 't' }],
    ],
    ['the note of a contact changes', noted('a', { at: time(7) }), undefined],
    ['a page is viewed', action('viewed'), ['journey.page_viewed', time(4), onPage]],
    ['a page is viewed again', action('viewed', false), undefined],
    ['a page is completed', action('completed'), ['journey.page_completed', time(4), onPage]],
    ['a journey is completed', action('finished'), ['journey.completed', time(4), ids]],
    [
      'an answer is given',
      { kind: 'response', contactId: 'c', before: undefined, after: responseState },
      ['response.recorded', time(5), { ...onPage, block_id: 'b' }],
    ],
    ['a file ends', file('completed'), ['file.completed', time(6), { file_id: 'f', rows }]],
    ['a file fails', file('failed'), ['file.failed', time(6), { file_id: 'f', rows }]],
    ['a file is repeated', file('repeated'), undefined],
    ['a file is refused', file('refused'), ['file.failed', time(6), { file_id: 'f', rows }]],
    [
      'a file ends of which nothing was accepted',
      file('completed', { accepted: 0 }),
      ['file.failed', time(6), { file_id: 'f', rows: { ...rows, accepted: 0 } }],
    ],
  ])('%s', (_, change, expected) => {
    const { fact, ...event } = eventOf(change, recordTime) ?? { fact: undefined };
    const [type, at, more] = expected ?? [];
    expect(fact === undefined ? undefined : event).toEqual(expected && { type, at, ...more });
  });

  test('that a message was sent is told also if a report was recorded before the answer of the provider', () => {
    const ids = { id: 'm', journey_id: 'j', template_id: 't', channel: 'email', attempt: 1 } as const;
    const record = (state: 'claimed' | 'sent' | 'complained' | 'failed', sent_at: string | null) => ({
      ...{ ...ids, state, sent_at, updated_at: time(9) },
    });
    const told = (before: ReturnType<typeof record>, after: ReturnType<typeof record>) => {
      const change = { kind: 'send', contactId: 'c', before, after } as const;
      return [...overtakenEvents(change), eventOf(change, recordTime)].map((event) => event && [event.type, event.at]);
    };
    const claim = record('claimed', null);
    expect(told(claim, record('complained', time(8)))).toEqual([
      ['message.sent', time(8)],
      ['message.complained', time(9)],
    ]);
    expect(told(claim, record('sent', time(8)))).toEqual([['message.sent', time(9)]]);
    expect(told(record('sent', time(8)), record('complained', time(8)))).toEqual([['message.complained', time(9)]]);
    expect(told(claim, record('failed', null))).toEqual([['message.failed', time(9)]]);
  });

  test('is the same fact each time it is read, and another for other changes', () => {
    const changes = [
      contact([undefined, contactState({ version: 1 })]),
      contact([contactState({ version: 1, data: 'a' }), contactState()]),
      contact([contactState({ data: 'a' }), contactState({ version: 3 })]),
      contact([contactState(), undefined], true),
      contact([undefined, contactState({ version: 1, inserted_at: time(9) })]),
      ...[journey([undefined, journeyState()]), journey([journeyState(), journeyState(time(7))])],
      ...[action('viewed'), action('completed'), action('finished')],
      ...[time(8), time(9)].map((cancelled_at) => aboutAccount([{}, { cancelled_at }])),
      ...[aboutAccount([{}, { expired_at: time(8) }]), aboutAccount([{}, { reopened_at: time(8) }])],
      ...[noted(), noted('a')],
      file('completed'),
    ];
    const facts = (at: string) => changes.map((change) => JSON.stringify(eventOf(change, at)?.fact));
    expect(facts(time(10))).toEqual(facts(time(11)));
    expect(new Set(facts(time(10))).size).toBe(changes.length);
  });

  test('that a journey is completed is one fact, on whichever page', () => {
    const other = { ...action('finished'), after: { kind: 'finished', ...actionState, page_id: 'q' } } as Change;
    expect(eventOf(other, recordTime)).toEqual(eventOf(action('finished'), recordTime));
  });
});

describe('the end of a batch', () => {
  const counts = { applied: 1, unchanged: 1, superseded: 0, rejected: 0 };
  const chunk = (index: number, changes: Partial<Chunk> = {}): Chunk => {
    const ended = { status: 'completed', counts, closed_at: time(2 + index), ended: index + 1 } as const;
    return chunkOf(index, { records: 2, accepted_at: time(1), ...ended, ...changes });
  };
  const open = { status: 'open', closed_at: undefined, ended: undefined, counts: undefined } as const;
  const failed = { status: 'failed', counts: undefined } as const;

  const opened = (changes: Partial<Chunk> = {}) => chunk(1, { ...open, ...changes });
  const appliedLater = chunk(1, { accepted_after: 1 });
  const behind = opened({ accepted_at: time(0), accepted_after: 1 });
  const ahead = opened({ accepted_at: time(9), accepted_after: 0 });
  const discarded = chunk(0, { status: 'discarded', settled: 3 });
  const cancelled = chunk(1, { status: 'cancelled' });
  test.each<[string, Chunk, Chunk[], 'completed' | 'failed' | undefined, number?]>([
    ['with its only chunk', chunk(0), [chunk(0)], 'completed'],
    ['with its last chunk', chunk(1), [chunk(0), chunk(1)], 'completed'],
    ['not with a chunk before it', chunk(0), [chunk(0), chunk(1)], undefined],
    ['not while a chunk is open', chunk(0), [chunk(0), opened()], undefined],
    ['before a chunk that was accepted and applied later', chunk(0), [chunk(0), appliedLater], 'completed'],
    [
      'after a chunk that a fast clock dated later',
      chunk(1),
      [chunk(0, { accepted_at: time(9) }), chunk(1)],
      'completed',
      2,
    ],
    ['before a chunk that was accepted later, by a clock that is behind', chunk(0), [chunk(0), behind], 'completed'],
    ['not before a chunk that was accepted earlier, by a clock that is ahead', chunk(0), [chunk(0), ahead], undefined],
    ['not while chunks are missing', chunk(0), [chunk(0)], undefined, 2],
    ['with the last of its chunks', chunk(1), [chunk(0), chunk(1)], 'completed', 2],
    ['failed, with a chunk that failed', chunk(1, failed), [chunk(0), chunk(1, failed)], 'failed'],
    ['failed, after a chunk that failed', chunk(1), [chunk(0, failed), chunk(1)], 'failed'],
    [
      'failed, before a late attempt completed a chunk that had failed',
      chunk(1),
      [chunk(0, { settled: 3 }), chunk(1)],
      'failed',
    ],
    ['failed, before a chunk that had failed was discarded', chunk(1), [discarded, chunk(1)], 'failed'],
    ['as it did, if the chunk is open again', chunk(0, failed), [chunk(0, open)], 'failed'],
    ['with a chunk that is cancelled', cancelled, [chunk(0), cancelled], 'completed'],
    [
      'not while only one of the chunks cancelled at once is visible',
      cancelled,
      [chunk(0, open), cancelled],
      undefined,
    ],
  ])('%s', (_, ending, chunks, status, expected) => {
    expect(endOfBatch(ending as never, chunks, { expected })?.status.status).toBe(status);
  });

  test('is the same with each of the chunks that are cancelled at once', () => {
    const cancelled = { status: 'cancelled', ended: 2, closed_at: time(3), counts: undefined } as const;
    const chunks = [chunk(2, cancelled), chunk(0), chunk(1, cancelled)];
    const ends = [chunks[0]!, chunks[2]!].map((ending) => endOfBatch(ending as never, chunks));
    expect(ends[0]).toMatchObject({ status: { status: 'completed', records: { accepted: 6 } }, last: chunks[0] });
    expect(ends[1]).toEqual(ends[0]);
    expect(endOfBatch(chunks[1] as never, chunks)).toBeUndefined();
  });

  test('is denied by a single chunk only if all of them deny it', () => {
    const states = [
      undefined,
      ...[1, 3, 5].map((ended) => chunk(0, { ended })),
      chunk(0, { ...failed, ended: 1, settled: 5 }),
      chunk(0, { ...open, accepted_after: 1 }),
      chunk(0, { ...open, accepted_after: 4 }),
      chunk(0, { ended: 5, accepted_after: 4 }),
    ];
    let denied = 0;
    for (const [first, last] of states.flatMap((one) => states.map((other) => [one, other]))) {
      for (const expected of [undefined, 1, 2, 3]) {
        const ending = chunk(1, { ended: 3 });
        const others = [first, last && { ...last, index: 2, claim: 'CHUNK#2' }];
        const chunks = [...others, ending].filter((each) => each !== undefined);
        const shows = tellingIndexes(ending, expected).filter((index) =>
          showsProcessing(
            chunks.find((each) => each.index === index) as never,
            ending as never,
            expected !== undefined,
          ),
        );
        denied += shows.length;
        if (shows.length > 0) expect(endOfBatch(ending as never, chunks as never, { expected })).toBeUndefined();
      }
    }
    expect(denied).toBeGreaterThan(100);
  });

  test('has the counts of the chunks until then', () => {
    const chunks = [chunk(0), chunk(1, failed), chunk(2, { accepted_after: 2 })];
    const end = endOfBatch(chunks[1] as never, chunks);
    expect(end?.status.records).toEqual({ accepted: 4, ...counts });
  });

  test('is an event with the id of the batch and the records of its status', () => {
    const records = { accepted: 2, ...counts };
    const status = { batch_id: 'b', status: 'failed', records } as BatchStatus & { status: 'failed' };
    const chunk = { order: 4, closed_at: time(5), chunk_index: 7, status: 'completed' };
    const event = batchEnd(status, chunk);
    const { fact, ...shown } = event;
    expect(shown).toEqual({ type: 'batch.failed', at: time(5), batch_id: 'b', chunk_index: 7, records });
    const other = (changes: object) => batchEnd(status, { ...chunk, ...changes }).fact;
    const others = [{ order: 5 }, { closed_at: time(6) }, { status: 'failed' }, { status: 'discarded' }].map(other);
    expect([fact, ...others].map((each) => JSON.stringify(each))).toEqual([
      '["batch","b",4,"2026-03-01T05:00:00.000000Z"]',
      '["batch","b",5,"2026-03-01T05:00:00.000000Z"]',
      '["batch","b",4,"2026-03-01T06:00:00.000000Z"]',
      '["batch","b",4,"2026-03-01T05:00:00.000000Z","failed"]',
      '["batch","b",4,"2026-03-01T05:00:00.000000Z","discarded"]',
    ]);
  });
});
