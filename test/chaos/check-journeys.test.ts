import { describe, expect, it } from 'vitest';
import { judge, type Law } from './checker.ts';
import type { HistoryEvent } from './history.ts';

/** Histories of one journey, written by hand. */
const of = { team: 't', contact: 'j' };
const start = (write: string) => ({ kind: 'start', write, ...of });
const answer = (write: string, accepts = true) => ({ kind: 'answer', write, ...of, accepts });
const taken = (write: string, from: number, to: number, more = {}) => {
  return { kind: 'attempt', write, start: from, end: to, status: 204, ...more };
};
const started = (write: string, from: number, to: number, created = true, id = 'id') =>
  taken(write, from, to, { status: created ? 201 : 200, created, id });
const unanswered = (write: string, from: number, to: number) => taken(write, from, to, { status: null });
const read = (at: number, isCompleted: boolean, more = {}) => {
  return { kind: 'journey-read', ...of, start: at, end: at, id: 'id', isCompleted, ...more };
};
const list = (at: number, ...shown: [write: string, accepts?: boolean][]) => ({
  ...{ kind: 'answers-read', ...of, start: at, end: at },
  shown: shown.map(([write, accepts = true]) => ({ write, accepts })),
});
const final = { final: true };

const lawsOf = (...events: object[]): Law[] => {
  const { violations } = judge(events as HistoryEvent[]);
  return [...new Set(violations.map(({ law }) => law))];
};

/** One start, then one answer after another. */
const begun = [start('a0'), started('a0', 0, 10)];
const answered = [...begun, ...[answer('a1', false), taken('a1', 20, 30), answer('a2'), taken('a2', 40, 50)]];

describe('a journey', () => {
  it('that went well is no violation', () => {
    const reads = [read(15, false), read(35, false), read(60, true), list(60, ['a1', false], ['a2'])];
    expect(lawsOf(...answered, ...reads)).toEqual([]);
  });

  it('that two starts created, or none of them, or with two ids, is found', () => {
    expect(lawsOf(...begun, start('a9'), started('a9', 0, 12))).toEqual(['created']);
    expect(lawsOf(start('a0'), started('a0', 0, 10, false))).toEqual(['created']);
    expect(lawsOf(start('a0'), started('a0', 0, 10, false), start('a9'), unanswered('a9', 0, 5))).toEqual([]);
    expect(lawsOf(...begun, start('a9'), started('a9', 20, 30, false, 'other'))).toEqual(['twice']);
  });

  it('that is missing after its start was acknowledged is stale, and lost at the end', () => {
    const missing = { ...read(20, false), id: undefined };
    expect(lawsOf(...begun, missing)).toEqual(['stale']);
    expect(lawsOf(...begun, { ...missing, ...final })).toEqual(['lost']);
    expect(lawsOf(...begun, { ...missing, start: 5 })).toEqual([]);
  });

  it('that is not completed by an acknowledged answer is stale', () => {
    expect(lawsOf(...answered, read(45, false))).toEqual([]);
    expect(lawsOf(...answered, read(60, false))).toEqual(['stale']);
    expect(lawsOf(...answered, read(60, false, final))).toEqual(['lost']);
  });

  it('that is completed before anybody accepted is invented', () => {
    expect(lawsOf(...answered, read(35, true))).toEqual(['invented']);
  });

  it('that was shown as completed, and is not any more, is lost', () => {
    const late = [...begun, answer('a1'), unanswered('a1', 20, 30)];
    expect(lawsOf(...late, read(40, false), read(50, true))).toEqual([]);
    expect(lawsOf(...late, read(40, true), read(50, false))).toEqual(['lost']);
  });
});

describe('answers', () => {
  it('that were acknowledged and are missing are stale, and lost at the end', () => {
    expect(lawsOf(...answered, list(45, ['a1', false]))).toEqual([]);
    expect(lawsOf(...answered, list(60, ['a1', false]))).toEqual(['stale']);
    expect(lawsOf(...answered, { ...list(60, ['a2']), ...final })).toEqual(['lost']);
  });

  it('that nobody sent, or that say something else, or that come before they were sent, are invented', () => {
    expect(lawsOf(...answered, list(60, ['a1', false], ['a2'], ['a7']))).toEqual(['invented']);
    expect(lawsOf(...answered, list(60, ['a1', true], ['a2']))).toEqual(['invented']);
    expect(lawsOf(...answered, list(35, ['a1', false], ['a2']))).toContain('invented');
  });

  it('that are there twice are doubled', () => {
    expect(lawsOf(...answered, list(60, ['a1', false], ['a2'], ['a2']))).toContain('doubled');
  });

  it('that are not in the order of their acknowledgements are out of order', () => {
    expect(lawsOf(...answered, list(60, ['a2'], ['a1', false]))).toEqual(['order']);
    const atOnce = [answer('a1'), taken('a1', 20, 50), answer('a2'), taken('a2', 20, 50)];
    expect(lawsOf(...begun, ...atOnce, list(60, ['a2'], ['a1']))).toEqual([]);
    expect(lawsOf(...begun, ...atOnce, list(60, ['a2'], ['a1']), list(70, ['a1'], ['a2']))).toEqual(['order']);
  });

  it('without a response may come late or never, but what was shown stays', () => {
    const late = [...answered, answer('a3'), unanswered('a3', 20, 30)];
    const rest = (at: number) => list(at, ['a1', false], ['a2']);
    const all = (at: number) => list(at, ['a1', false], ['a2'], ['a3']);
    expect(lawsOf(...late, rest(60))).toEqual([]);
    expect(lawsOf(...late, rest(60), all(70))).toEqual([]);
    expect(lawsOf(...late, all(60), rest(70))).toEqual(['lost']);
  });
});
