import { describe, expect, test } from 'vitest';
import type { BatchStatus } from '../../lib/domain/batch-responses.ts';
import { endOfBatch } from '../../lib/domain/batch-status.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';
import { batchEnd, type Change, type ContactState, eventOf, type JourneyState } from '../../lib/domain/events.ts';

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
const action = (kind: 'viewed' | 'completed' | 'finished', isNew = true): Change => ({
  ...{ kind: 'action', ...inJourney },
  ...{ before: isNew ? undefined : { kind, ...actionState }, after: { kind, ...actionState } },
});
const responseState = { id: 'r', journey_id: 'j', template_id: 't', page_id: 'p', block_id: 'b', at: time(5) };
const rows = { read: 9, accepted: 8, rejected: 1 };
const file = (status: 'completed' | 'failed' | 'refused', changes: Partial<typeof rows> = {}): Change => ({
  ...{ kind: 'file', fileId: 'f', before: undefined },
  after: { status, rows: { ...rows, ...changes }, finished_at: time(6) },
});

const ids = { contact_id: 'c', journey_id: 'j', template_id: 't' };

describe('what happened', () => {
  // Contract, section 12.
  test.each<[string, Change, object | undefined]>([
    [
      'a contact appears',
      contact([undefined, contactState()]),
      { type: 'contact.created', at: time(1), contact_id: 'c' },
    ],
    [
      'a field changes',
      contact([contactState({ data: '{"a":1}' }), contactState()]),
      { type: 'contact.updated', at: time(2), contact_id: 'c' },
    ],
    [
      'the unique_id changes',
      contact([contactState({ unique_id: 'v' }), contactState()]),
      { type: 'contact.updated', at: time(2), contact_id: 'c' },
    ],
    ['only an index entry changes', contact([contactState({ version: 1 }), contactState()]), undefined],
    [
      'a contact is erased',
      contact([contactState(), undefined], true),
      { type: 'contact.erased', at: recordTime, contact_id: 'c' },
    ],
    ['a contact is reset', contact([contactState(), undefined]), undefined],
    ['a placeholder is deleted', contact([undefined, undefined], true), undefined],
    ['a journey starts', journey([undefined, journeyState()]), { type: 'journey.created', at: time(3), ...ids }],
    [
      'a journey is verified',
      journey([journeyState(), journeyState(time(7))]),
      { type: 'journey.verified', at: time(7), ...ids },
    ],
    ['a verified journey changes', journey([journeyState(time(7)), journeyState(time(7))]), undefined],
    ['a journey changes', journey([journeyState(), journeyState()]), undefined],
    ['a journey is deleted', journey([journeyState(), undefined]), undefined],
    ['a page is viewed', action('viewed'), { type: 'journey.page_viewed', at: time(4), ...ids, page_id: 'p' }],
    ['a page is viewed again', action('viewed', false), undefined],
    ['a page is completed', action('completed'), { type: 'journey.page_completed', at: time(4), ...ids, page_id: 'p' }],
    ['a journey is completed', action('finished'), { type: 'journey.completed', at: time(4), ...ids }],
    [
      'an answer is given',
      { kind: 'response', contactId: 'c', before: undefined, after: responseState },
      { type: 'response.recorded', at: time(5), ...ids, page_id: 'p', block_id: 'b' },
    ],
    ['a file ends', file('completed'), { type: 'file.completed', at: time(6), file_id: 'f', rows }],
    ['a file fails', file('failed'), { type: 'file.failed', at: time(6), file_id: 'f', rows }],
    ['a file is refused', file('refused'), { type: 'file.failed', at: time(6), file_id: 'f', rows }],
    [
      'a file ends of which nothing was accepted',
      file('completed', { accepted: 0 }),
      { type: 'file.failed', at: time(6), file_id: 'f', rows: { ...rows, accepted: 0 } },
    ],
  ])('%s', (_, change, expected) => {
    const { fact, ...event } = eventOf(change, recordTime) ?? { fact: undefined };
    expect(fact === undefined ? undefined : event).toEqual(expected);
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
  const chunk = (index: number, changes: Partial<Chunk> = {}): Chunk => ({
    ...{ team_id: 't', batch_id: 'b', claim: `CHUNK#${index}`, index, order: index + 1, digest: 'd' },
    ...{ payload_id: 'p', parts: 1, records: 2, accepted_at: time(1) },
    ...{ status: 'completed', counts, closed_at: time(2 + index), ended: index + 1 },
    ...changes,
  });
  const open = { status: 'open', closed_at: undefined, ended: undefined, counts: undefined } as const;
  const failed = { status: 'failed', counts: undefined } as const;

  test.each<[string, Chunk, Chunk[], number | undefined, 'completed' | 'failed' | undefined]>([
    ['with its only chunk', chunk(0), [chunk(0)], undefined, 'completed'],
    ['with its last chunk', chunk(1), [chunk(0), chunk(1)], undefined, 'completed'],
    ['not with a chunk before it', chunk(0), [chunk(0), chunk(1)], undefined, undefined],
    ['not while a chunk is open', chunk(0), [chunk(0), chunk(1, open)], undefined, undefined],
    [
      'before a chunk that was accepted later',
      chunk(0),
      [chunk(0), chunk(1, { ...open, accepted_at: time(3) })],
      undefined,
      'completed',
    ],
    [
      'before a chunk that was accepted and applied later',
      chunk(0),
      [chunk(0), chunk(1, { accepted_at: time(3), closed_at: time(4) })],
      undefined,
      'completed',
    ],
    [
      'after a chunk that a fast clock dated later',
      chunk(1),
      [chunk(0, { accepted_at: time(9) }), chunk(1)],
      2,
      'completed',
    ],
    [
      'before a chunk that was accepted later, by a clock that is behind',
      chunk(0),
      [chunk(0), chunk(1, { ...open, accepted_at: time(0), accepted_after: 1 })],
      undefined,
      'completed',
    ],
    [
      'not before a chunk that was accepted earlier, by a clock that is ahead',
      chunk(0),
      [chunk(0), chunk(1, { ...open, accepted_at: time(9), accepted_after: 0 })],
      undefined,
      undefined,
    ],
    ['not while chunks are missing', chunk(0), [chunk(0)], 2, undefined],
    ['with the last of its chunks', chunk(1), [chunk(0), chunk(1)], 2, 'completed'],
    ['failed, with a chunk that failed', chunk(1, failed), [chunk(0), chunk(1, failed)], undefined, 'failed'],
    ['failed, after a chunk that failed', chunk(1), [chunk(0, failed), chunk(1)], undefined, 'failed'],
    [
      'failed, before a late attempt completed a chunk that had failed',
      chunk(1),
      [chunk(0, { settled: 3 }), chunk(1)],
      undefined,
      'failed',
    ],
    [
      'failed, before a chunk that had failed was discarded',
      chunk(1),
      [chunk(0, { status: 'discarded', settled: 3 }), chunk(1)],
      undefined,
      'failed',
    ],
    ['as it did, if the chunk is open again', chunk(0, failed), [chunk(0, open)], undefined, 'failed'],
    [
      'with a chunk that is cancelled',
      chunk(1, { status: 'cancelled' }),
      [chunk(0), chunk(1, { status: 'cancelled' })],
      undefined,
      'completed',
    ],
    [
      'not while only one of the chunks is visible that are cancelled at once',
      chunk(1, { status: 'cancelled' }),
      [chunk(0, open), chunk(1, { status: 'cancelled' })],
      undefined,
      undefined,
    ],
    [
      'with the last chunk, if older chunks have no number',
      chunk(1),
      [chunk(0, { ended: undefined }), chunk(1)],
      undefined,
      'completed',
    ],
  ])('%s', (_, ending, chunks, expected, status) => {
    expect(endOfBatch(ending as never, chunks, expected)?.status.status).toBe(status);
  });

  test('is the same with each of the chunks that are cancelled at once', () => {
    const cancelled = { status: 'cancelled', ended: 2, closed_at: time(3), counts: undefined } as const;
    const chunks = [chunk(2, cancelled), chunk(0), chunk(1, cancelled)];
    const ends = [chunks[0]!, chunks[2]!].map((ending) => endOfBatch(ending as never, chunks));
    expect(ends[0]).toMatchObject({ status: { status: 'completed', records: { accepted: 6 } }, last: chunks[0] });
    expect(ends[1]).toEqual(ends[0]);
    expect(endOfBatch(chunks[1] as never, chunks)).toBeUndefined();
  });

  test('has the counts of the chunks until then', () => {
    const chunks = [chunk(0), chunk(1, failed), chunk(2, { accepted_at: time(9) })];
    const end = endOfBatch(chunks[1] as never, chunks);
    expect(end?.status.records).toEqual({ accepted: 4, ...counts });
  });

  test('is an event with the id of the batch and the records of its status', () => {
    const records = { accepted: 2, ...counts };
    const status = { batch_id: 'b', status: 'failed', records } as BatchStatus & { status: 'failed' };
    const event = batchEnd(status, { order: 4, closed_at: time(5), chunk_index: 7 });
    const { fact, ...shown } = event;
    expect(shown).toEqual({ type: 'batch.failed', at: time(5), batch_id: 'b', chunk_index: 7, records });
    const other = (changes: object) =>
      batchEnd(status, { order: 4, closed_at: time(5), chunk_index: 7, ...changes }).fact;
    expect([fact, other({ order: 5 }), other({ closed_at: time(6) })].map((each) => JSON.stringify(each))).toEqual([
      '["batch","b",4,"2026-03-01T05:00:00.000000Z"]',
      '["batch","b",5,"2026-03-01T05:00:00.000000Z"]',
      '["batch","b",4,"2026-03-01T06:00:00.000000Z"]',
    ]);
  });
});
