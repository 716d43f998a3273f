import { describe, expect, it } from 'vitest';
import { judge, type Law } from './checker.ts';
import type { HistoryEvent } from './history.ts';

/** Histories of one contact, written by hand. */
const team = 't';
const unanswered = (write: string, start: number, end: number, status: number | null = null) =>
  ({ kind: 'attempt', write, start, end, status }) as const;
const contact = (write: string, fields: string[] = ['city']) =>
  ({ kind: 'contact', write, team, contact: 'n', fields }) as const;
const written = (write: string, start: number, end: number, { created = false, id = 'id' } = {}) =>
  ({ kind: 'attempt', write, start, end, status: created ? 201 : 200, created, id }) as const;
const contactRead = (traces: string[], fields: Record<string, string>, { at = 1000, final = true, id = 'id' } = {}) =>
  ({
    ...{ kind: 'contact-read', team, contact: 'n', start: at, end: at, status: 200, id, traces, fields },
    ...(final && { final: true }),
  }) as const;
const listed = (id = 'id') => ({ kind: 'listed', team, contact: 'n', id }) as const;

const lawsOf = (...events: object[]): Law[] => {
  const { violations } = judge(events as HistoryEvent[]);
  return [...new Set(violations.map(({ law }) => law))];
};

describe('contacts', () => {
  const events = [contact('w1'), written('w1', 0, 10, { created: true }), contact('w2'), written('w2', 20, 30)];
  const good = contactRead(['w1', 'w2'], { city: 'w2' });

  it('that went well are no violation', () => {
    expect(lawsOf(...events, good, listed())).toEqual([]);
  });

  it('an acknowledged write that is not there is lost', () => {
    expect(lawsOf(...events, contactRead(['w2'], { city: 'w2' }))).toEqual(['lost']);
    expect(lawsOf(...events, contactRead(['w1', 'w2'], { city: 'x' }))).toEqual(['lost']);
  });

  it('a read that does not show an earlier acknowledged write is stale', () => {
    const read = (at: number) => contactRead(['w1'], { city: 'w1' }, { at, final: false });
    expect(lawsOf(...events, good, read(25))).toEqual([]);
    expect(lawsOf(...events, good, read(40))).toEqual(['stale']);
  });

  it('an older value over a newer one is out of order', () => {
    expect(lawsOf(...events, contactRead(['w1', 'w2'], { city: 'w1' }))).toEqual(['order']);
  });

  it('a write without a response may come at any time, or never', () => {
    const late = [contact('w3'), unanswered('w3', 5, 15)];
    expect(lawsOf(...events, ...late, good)).toEqual([]);
    expect(lawsOf(...events, ...late, contactRead(['w1', 'w2', 'w3'], { city: 'w3' }))).toEqual([]);
  });

  it('two contacts of one unique_id are found, in responses and in the list', () => {
    const other = [contact('w3'), written('w3', 40, 50, { id: 'other' })];
    expect(lawsOf(...events, ...other, contactRead(['w1', 'w2', 'w3'], { city: 'w3' }))).toEqual(['twice']);
    expect(lawsOf(...events, good, listed(), listed('other'))).toEqual(['twice']);
  });

  it('exactly one creator is told that it created, unless a request was left without a clear response', () => {
    const created = [contact('w3'), written('w3', 0, 10, { created: true })];
    expect(lawsOf(...events, ...created, contactRead(['w1', 'w2', 'w3'], { city: 'w2' }))).toEqual(['created']);
    const none = [contact('w1'), written('w1', 0, 10)];
    const read = contactRead(['w1'], { city: 'w1' });
    expect(lawsOf(...none, read)).toEqual(['created']);
    expect(lawsOf(...none, contact('w0'), unanswered('w0', 0, 5), read)).toEqual([]);
    expect(lawsOf(...none, contact('w0'), unanswered('w0', 0, 5, 429), read)).toEqual(['created']);
  });

  it('a trace of nothing that was sent is invented', () => {
    expect(lawsOf(...events, contactRead(['w1', 'w2', 'w9'], { city: 'w2' }))).toEqual(['invented']);
  });

  describe('in reads and responses before the end', () => {
    const read = (at: number, traces: string[], fields: Record<string, string>) =>
      contactRead(traces, fields, { at, final: false });
    const city = contact('w3');
    const name = contact('w4', ['name_first']);
    const atOnce = [...events, city, written('w3', 40, 60), name, written('w4', 40, 60)];
    const all = { city: 'w3', name_first: 'w4' };

    it('both fields of two merged writes are there', () => {
      expect(lawsOf(...atOnce, read(70, ['w1', 'w2', 'w3', 'w4'], all))).toEqual([]);
    });

    it('a field that another write did not set and removed is a lost update', () => {
      expect(lawsOf(...atOnce, read(70, ['w1', 'w2', 'w3', 'w4'], { city: 'w3' }))).toEqual(['lost']);
      expect(lawsOf(...atOnce, read(70, ['w1', 'w2', 'w3', 'w4'], { ...all, city: 'w2' }))).toEqual(['order']);
    });

    it('a value without the trace of its write is lost or was never written', () => {
      expect(lawsOf(...events, read(35, ['w1', 'w2'], { city: 'w3' }))).toEqual(['lost']);
      expect(lawsOf(...events, read(35, ['w1', 'w2'], { city: 'w2', name_first: 'w9' }))).toEqual(['lost']);
    });

    it('two reads that show two writes in opposite orders are found', () => {
      const first = read(45, ['w1', 'w2', 'w3'], { city: 'w3' });
      const second = read(46, ['w1', 'w2', 'w4'], { city: 'w2', name_first: 'w4' });
      expect(lawsOf(...atOnce, first)).toEqual([]);
      expect(lawsOf(...atOnce, second)).toEqual([]);
      expect(lawsOf(...atOnce, first, second)).toEqual(['order']);
    });

    it('a merge in the wrong order is found once both writes are over', () => {
      const other = [...events, city, written('w3', 40, 60), contact('w5'), written('w5', 40, 60)];
      const traces = ['w1', 'w2', 'w3', 'w5'];
      expect(lawsOf(...other, read(70, traces, { city: 'w3' }), read(80, traces, { city: 'w3' }))).toEqual([]);
      expect(lawsOf(...other, read(70, traces, { city: 'w3' }), read(80, traces, { city: 'w5' }))).toEqual(['order']);
    });

    it('a write that is sent to the database twice may take effect on both sides of another', () => {
      const other = [...events, city, written('w3', 40, 60), contact('w5'), written('w5', 40, 60)];
      const traces = ['w1', 'w2', 'w3', 'w5'];
      const reads = [read(50, traces, { city: 'w5' }), read(70, traces, { city: 'w3' })];
      expect(lawsOf(...other, ...reads)).toEqual([]);
      expect(lawsOf(...other, ...reads, read(80, traces, { city: 'w5' }))).toEqual(['order']);
    });

    it('a write without a response that was shown stays', () => {
      const late = [...events, city, unanswered('w3', 25, 35)];
      const [without, withIt] = [
        ['w1', 'w2'],
        ['w1', 'w2', 'w3'],
      ];
      expect(lawsOf(...late, read(40, without, { city: 'w2' }), read(50, withIt, { city: 'w3' }))).toEqual([]);
      expect(lawsOf(...late, read(40, withIt, { city: 'w3' }), read(50, without, { city: 'w2' }))).toEqual(['order']);
    });

    it('the response to a write shows that write and all before it', () => {
      const responding = (shown: object) => [...events, city, { ...written('w3', 40, 60), shown }];
      expect(lawsOf(...responding({ traces: ['w1', 'w2', 'w3'], fields: { city: 'w3' } }))).toEqual([]);
      expect(lawsOf(...responding({ traces: ['w1', 'w2', 'w3'], fields: { city: 'w2' } }))).toEqual(['order']);
      expect(lawsOf(...responding({ traces: ['w1', 'w3'], fields: { city: 'w3' } }))).toEqual(['stale']);
      expect(lawsOf(...responding({ traces: ['w1', 'w2'], fields: { city: 'w2' } }))).toEqual(['stale']);
    });
  });
});
