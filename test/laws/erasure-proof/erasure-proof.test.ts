import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { description, launchService, type ServiceProcess } from '../../support/service/process.ts';
import { eachValue, formerIdOf, markOf, phoneOf, uniqueIdOf } from './people.ts';
import { type Proof, prove } from './proof.ts';

/**
 * Persons with an identity attempt (4), a former unique_id (7), records in an open and a failed chunk (9), a rejected
 * row in a file of accounts (12) and of contacts (21).
 */
const erased = [4, 7, 9, 12, 21];

let service: ServiceProcess;
let proof: Proof;
beforeAll(async () => {
  service = launchService({ environment: { LOG_LEVEL: 'DEBUG' } });
  const local = await description(service.directory, service.pid);
  proof = await prove(local, { contacts: 110, erased, log: service.output, onProgress: () => {} });
}, 600_000);
afterAll(() => service.stop());

describe('a full scan', () => {
  const stage = (name: string) => proof.stages.find((each) => each.name === name)!;

  test('finds the persons before the erasure, in items, indexes, payloads and files', () => {
    const { values } = stage('before');
    const places = [
      'item C/CONTACT',
      'item C/RESPONSE',
      'item U/PART',
      'index directory',
      'dropped file',
      'file .rejected.csv',
    ];
    expect(Object.keys(values)).toEqual(expect.arrayContaining(places));
    expect(Object.keys(stage('after a restore of the table').values)).toContain('item C/CONTACT');
  });

  test.each([
    'after the erasure',
    'after the open and failed chunks were applied',
    'after the list of erasures was applied',
  ])('finds nothing of them %s, and everything of all others', (name) => {
    const { values, ids, lost } = stage(name);
    expect({ values, lost }).toEqual({ values: {}, lost: [] });
    // The slug is gone too. The list of erasures, the log and the audit log have the id of the contact, and events have ids for 30 days.
    const left = Object.keys(ids).filter(
      (each) => each !== 'contact id in list of erasures' && !each.endsWith(' in log'),
    );
    const known = ['contact id in item AUDIT/…', 'contact id in item E/PACK', 'journey id in item E/PACK'];
    expect(left.filter((each) => !known.includes(each))).toEqual([]);
  });

  test('finds only items that are declared, and that expire only where it is declared', () => {
    expect(proof.stages.flatMap(({ undeclared }) => undeclared)).toEqual([]);
  });

  test('agrees with the API', () => {
    expect(proof.contradictions).toEqual([]);
    // Without the one who is erased through the API.
    expect(proof.counts).toMatchObject({ contacts: 4, journeys: 4, identities: 2, identity_attempts: 1 });
  });

  test('recognizes each value of a person, also inside other text', () => {
    const found: string[] = [];
    const text = `${uniqueIdOf(42)}|${formerIdOf(42)}|ROW${markOf(42, 'e').toUpperCase()}@x|"${phoneOf(42)}"`;
    eachValue(text, (person, kind) => found.push(`${person}${kind}`));
    expect(found.sort()).toEqual(['42e', '42p', '42u', '42w']);
  });
});
