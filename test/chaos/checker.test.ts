import { describe, expect, it } from 'vitest';
import { judge, type Law } from './checker.ts';
import type { BatchCounts, HistoryEvent } from './history.ts';

const team = 't';
const product = { id: 'P', code: 'P1' };

/** Histories are written as events in a short form. */
const chunk = (
  write: string,
  fields: Record<string, string[]>,
  { batch = write, index = 0 as number | null } = {},
) => ({
  ...({ kind: 'chunk', write, team, batch, index } as const),
  records: Object.entries(fields).map(([account, names]) => ({ account, contact: `l-${account}`, fields: names })),
});
const taken = (write: string, start: number, end: number, more = {}) =>
  ({ kind: 'attempt', write, start, end, status: 202, duplicate: false, ...more }) as const;
const unanswered = (write: string, start: number, end: number, status: number | null = null) =>
  ({ kind: 'attempt', write, start, end, status }) as const;

type Changes = { status?: string; chunks?: Partial<BatchCounts['chunks']>; records?: Partial<BatchCounts['records']> };
const batch = (id: string, records: number, { status = 'completed', ...changes }: Changes = {}, at = 1000) => ({
  ...({ kind: 'batch-read', team, batch: id, start: at, end: at, status: 200, final: true } as const),
  counts: {
    status,
    chunks: { accepted: 1, completed: 1, failed: 0, ...changes.chunks },
    records: { accepted: records, applied: records, unchanged: 0, superseded: 0, rejected: 0, ...changes.records },
  },
});
const unknownBatch = (id: string, start = 1000, final = true) =>
  ({
    kind: 'batch-read',
    team,
    batch: id,
    start,
    end: start,
    status: 404,
    ...(final && { final: true as const }),
  }) as const;
const account = (number: string, traces: string[], fields: Record<string, string>, more = {}) =>
  ({
    ...{ kind: 'account-read', team, account: number, start: 1000, end: 1000, final: true, product },
    ...{ traces, fields },
    ...more,
  }) as const;

const calm = (at: number) => ({ kind: 'calm', at }) as const;

const lawsOf = (...events: object[]): Law[] => {
  const { violations } = judge(events as HistoryEvent[]);
  return [...new Set(violations.map(({ law }) => law))];
};

/** Two chunks for one account. The second is sent after the first was accepted. */
const inOrder = [
  chunk('c1', { A: ['nickname'] }),
  taken('c1', 0, 10),
  batch('c1', 1),
  chunk('c2', { A: ['nickname', 's0'] }),
  taken('c2', 20, 30),
  batch('c2', 1),
];
const applied = account('A', ['c1', 'c2'], { nickname: 'c2.0', s0: 'c2.0' });

describe('imports', () => {
  it('that went well are no violation', () => {
    expect(lawsOf(...inOrder, applied)).toEqual([]);
  });

  it('may take effect in either order when they were under way at once', () => {
    const atOnce = inOrder.map((event) => ('duplicate' in event ? { ...event, start: 0, end: 50 } : event));
    expect(lawsOf(...atOnce, applied)).toEqual([]);
    expect(lawsOf(...atOnce, account('A', ['c1', 'c2'], { nickname: 'c1.0', s0: 'c2.0' }))).toEqual([]);
  });

  it.each([
    ['is nowhere', [account('A', ['c1'], { nickname: 'c1.0' })]],
    ['left a trace but not its value', [account('A', ['c1', 'c2'], { nickname: 'c2.0' })]],
    ['is of an unknown batch', [applied, unknownBatch('c2', 500, false)]],
    ['is not counted', [applied, batch('c2', 0, { chunks: { accepted: 0, completed: 0 } })]],
  ])('a chunk that was acknowledged and %s is lost', (_, events) => {
    expect(lawsOf(...inOrder, ...events)).toContain('lost');
  });

  it('an account that was acknowledged and is not there is lost', () => {
    expect(lawsOf(...inOrder, account('B', [], {}))).toContain('lost');
  });

  it('an unknown batch is no violation before its chunk is acknowledged', () => {
    expect(lawsOf(...inOrder, applied, unknownBatch('c2', 25, false))).toEqual([]);
  });

  it('an older value over a newer one is out of order', () => {
    expect(lawsOf(...inOrder, account('A', ['c1', 'c2'], { nickname: 'c1.0', s0: 'c2.0' }))).toEqual(['order']);
  });

  it('two accounts that need opposite orders are found, although each may be right alone', () => {
    const both = { A: ['nickname'], B: ['nickname'] };
    const atOnce = ['c1', 'c2'].flatMap((write) => [chunk(write, both), taken(write, 0, 50), batch(write, 2)]);
    const a = account('A', ['c1', 'c2'], { nickname: 'c1.0' });
    expect(lawsOf(...atOnce, a, account('B', ['c1', 'c2'], { nickname: 'c1.1' }))).toEqual([]);
    expect(lawsOf(...atOnce, a, account('B', ['c1', 'c2'], { nickname: 'c2.1' }))).toEqual(['order']);
  });

  it('an order that only a third chunk rules out is found', () => {
    // c1 was answered before c3 was sent; A says c2 before c1, B says c3 before c2.
    const events = [
      ...[chunk('c1', { A: ['nickname'] }), taken('c1', 0, 10), batch('c1', 1)],
      ...[chunk('c2', { A: ['nickname'], B: ['nickname'] }), taken('c2', 0, 50), batch('c2', 2)],
      ...[chunk('c3', { B: ['nickname'] }), taken('c3', 20, 50), batch('c3', 1)],
    ];
    const a = account('A', ['c1', 'c2'], { nickname: 'c1.0' });
    expect(lawsOf(...events, a, account('B', ['c2', 'c3'], { nickname: 'c2.1' }))).toEqual(['order']);
    expect(lawsOf(...events, a, account('B', ['c2', 'c3'], { nickname: 'c3.0' }))).toEqual([]);
  });

  it('an earlier record of a chunk over a later one is out of order', () => {
    const twice = { ...chunk('c1', {}), records: [0, 1].map(() => ({ account: 'A', contact: 'l', fields: ['s0'] })) };
    const events = [twice, taken('c1', 0, 10), batch('c1', 2)];
    expect(lawsOf(...events, account('A', ['c1'], { s0: 'c1.1' }))).toEqual([]);
    expect(lawsOf(...events, account('A', ['c1'], { s0: 'c1.0' }))).toEqual(['order']);
  });

  it('a pair that was taken as new twice, or counted twice, is doubled', () => {
    expect(lawsOf(...inOrder, applied, taken('c2', 40, 50))).toContain('doubled');
    expect(lawsOf(...inOrder, applied, taken('c2', 40, 50, { duplicate: true }))).toEqual([]);
    const counted = batch('c2', 2, { chunks: { accepted: 2, completed: 2 } });
    expect(lawsOf(...inOrder, applied, counted)).toContain('doubled');
  });

  it.each([
    ['outcomes that do not add up', { records: { applied: 0 } }],
    ['a change counted as none', { records: { applied: 0, unchanged: 1 } }],
    ['chunks that have not ended', { chunks: { completed: 0 } }],
  ])('%s are wrong counts', (_, changes) => {
    expect(lawsOf(...inOrder, applied, batch('c2', 1, changes))).toEqual(['counts']);
  });

  it('records count as superseded only where something failed', () => {
    const superseded = batch('c1', 1, { records: { applied: 0, superseded: 1 } });
    expect(lawsOf(...inOrder, applied, superseded)).toEqual(['superseded']);
    const redriven = taken('c1', 40, 50, { duplicate: true, redriven: true });
    expect(lawsOf(...inOrder, applied, redriven, superseded)).toEqual([]);
  });

  it('a chunk may fail when the service died under it again and again, and not otherwise', () => {
    const failed = batch('c1', 1, { status: 'failed', chunks: { completed: 0, failed: 1 }, records: { applied: 0 } });
    const deaths = Array.from({ length: 5 }, (_, at) => ({ kind: 'death', at: 100 + at, of: 'service' }));
    const later = account('A', ['c2'], { nickname: 'c2.0', s0: 'c2.0' });
    expect(lawsOf(...inOrder, later, failed, ...deaths)).toEqual([]);
    expect(lawsOf(...inOrder, later, failed)).toEqual(['failed']);
  });

  it('an upload that nobody was told of may be there whole or not at all', () => {
    const upload = [chunk('c3', { A: ['s0'], B: ['s0'] }, { index: null }), unanswered('c3', 40, 50)];
    expect(lawsOf(...inOrder, applied, ...upload, unknownBatch('c3'))).toEqual([]);
    const a = account('A', ['c1', 'c2', 'c3'], { nickname: 'c2.0', s0: 'c3.0' });
    const b = account('B', ['c3'], { s0: 'c3.1' });
    expect(lawsOf(...inOrder, ...upload, batch('c3', 2), a, b)).toEqual([]);
    expect(lawsOf(...inOrder, ...upload, batch('c3', 2), a)).toContain('lost');
    expect(lawsOf(...inOrder, ...upload, unknownBatch('c3'), a, b)).toEqual(['invented']);
  });

  it('a trace of nothing that was sent is invented', () => {
    expect(lawsOf(...inOrder, account('A', ['c1', 'c2', 'c9'], applied.fields))).toEqual(['invented']);
  });

  it('what is open at the end, or ended two minutes after the last fault, waited too long', () => {
    expect(lawsOf(...inOrder, applied, batch('c2', 1, { status: 'processing' }))).toEqual(['waiting']);
    const late = [batch('c1', 1, { status: 'processing' }, 900), batch('c1', 1, {}, 130_000)];
    expect(lawsOf(...inOrder, applied, calm(5000), ...late)).toEqual(['waiting']);
    expect(lawsOf(...inOrder, applied, calm(50_000), ...late)).toEqual([]);
    expect(judge([...inOrder, applied, calm(50_000), ...late] as HistoryEvent[]).longestWait).toBe(80_000);
  });

  it('two products of one code are found', () => {
    const other = account('B', [], {}, { product: { id: 'Q', code: 'P1' } });
    expect(lawsOf(...inOrder, applied, other)).toEqual(['twice']);
  });
});

it('a start that did not succeed is found', () => {
  expect(lawsOf({ kind: 'start-failed', at: 5, output: 'The port is taken.' })).toEqual(['waiting']);
});

it('a status that the contract does not know for the call is found', () => {
  const response = (status: number | null) => ({ kind: 'request', at: 0, operation: 'GET /', status });
  expect(lawsOf(response(200), response(503), response(429), response(null))).toEqual([]);
  expect(lawsOf(response(500))).toEqual(['status']);
  expect(lawsOf(response(422))).toEqual(['status']);
});
