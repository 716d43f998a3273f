import { describe, expect, it } from 'vitest';
import { eventViolations } from './check-events.ts';
import type { Law } from './checker.ts';
import type { HistoryEvent } from './history.ts';

/** What is stored at the end: a contact with two writes, a journey that was accepted, and a batch. */
const at = { team: 't', start: 100, end: 100, final: true };
const counts = {
  status: 'completed',
  chunks: { accepted: 1, completed: 1, failed: 0 },
  records: { accepted: 1, applied: 1, unchanged: 0, superseded: 0, rejected: 0 },
};
const stored = [
  { ...at, kind: 'contact-read', contact: 'n', status: 200, id: 'n', traces: ['w1', 'w2'], fields: {} },
  { ...at, kind: 'journey-read', contact: 'j', id: 'n', isCompleted: true },
  { ...at, kind: 'answers-read', contact: 'j', shown: [{ write: 'a2', accepts: true }] },
  { ...at, kind: 'batch-read', batch: 'b', status: 200, counts },
];
type Told = { id: string; type: string } & Record<string, unknown>;
const journey = (id: string, type: string): Told => ({ id, type, contact_id: 'c', journey_id: 'n' });
const told: Told[] = [
  { id: '1', type: 'contact.created', contact_id: 'n' },
  { id: '2', type: 'contact.updated', contact_id: 'n' },
  journey('3', 'journey.created'),
  journey('4', 'response.recorded'),
  journey('5', 'journey.page_completed'),
  journey('6', 'journey.completed'),
  { id: '7', type: 'batch.completed', batch_id: 'b', records: counts.records },
];
const changed = (id: string, changes: object) => told.map((each) => (each.id === id ? { ...each, ...changes } : each));
const without = (id: string) => told.filter((each) => each.id !== id);

/** @param kept by the reader that kept its cursor */
function lawsOf(whole: readonly Told[], kept: readonly Told[] = whole): Law[] {
  const reads = [
    ...kept.map((event) => ({ kind: 'event-read', team: 't', event })),
    ...whole.map((event) => ({ kind: 'event-read', team: 't', event, final: true })),
  ];
  const violations = eventViolations('t', [...stored, ...reads] as unknown as HistoryEvent[]);
  return [...new Set(violations.map(({ law }) => law))];
}

describe('what was told', () => {
  it('is right with repeats, and if the reader has not read the end', () => {
    expect(lawsOf([...told, ...told.slice(2)])).toEqual([]);
    expect(lawsOf(told, told.slice(0, 4))).toEqual([]);
  });

  it.each(told.map(({ id, type }) => [type, id]))('is not right without %s', (_, id) => {
    expect(lawsOf(without(id))).toContain('lost');
  });

  it.each<[string, Told[], Law]>([
    ['with one id for two contents', [...told, { ...told[0]!, type: 'contact.updated' }], 'doubled'],
    ['with a contact that was created twice', changed('2', { type: 'contact.created' }), 'twice'],
    ['with a contact that was created last', [told[1]!, told[0]!, ...told.slice(2)], 'order'],
    ['with a journey that was created last', [...without('3'), told[2]!], 'order'],
    ['with a journey that was completed twice', [...told, journey('8', 'journey.completed')], 'invented'],
    ['with other counts of a batch', changed('7', { records: { ...counts.records, applied: 0 } }), 'counts'],
  ])('is not right %s', (_, whole, law) => {
    expect(lawsOf(whole)).toEqual([law]);
  });

  it('is not right if a cursor has skipped an event, or told it at another place', () => {
    expect(lawsOf(told, without('3'))).toEqual(['lost']);
    expect(lawsOf(told, [told[1]!, told[0]!, ...told.slice(2)])).toContain('order');
  });
});
