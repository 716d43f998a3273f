import { describe, expect, test } from 'vitest';
import { completed, completionTime, exactInstant } from '../../../lib/domain/contacts/objective.ts';
import { type JsonObject, parseJson } from '../../../lib/domain/values/json.ts';

const now = '2025-06-01T12:00:00.000000Z';

describe('the time of completion', () => {
  test.each([
    ...['true', '1', '1.0', '"true"', '"t"', '"1"', '"y"', '"yes"', '"complete"', '"completed"', '"done"'],
    ...['"TRUE"', '"Yes"', '"DoNe"'],
  ])('%s means the time of receipt', (value) => {
    expect(completionTime(parseJson(value), now)).toBe(now);
  });

  test.each([
    ['2024-02-29T13:45:00Z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29t13:45:00z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29T13:45Z', '2024-02-29T13:45:00.000000Z'],
    ['2024-02-29T13:45:00.5Z', '2024-02-29T13:45:00.500000Z'],
    ['2024-02-29T13:45:00,123456789Z', '2024-02-29T13:45:00.123456Z'],
    ['2024-02-29T00:45:00+02:00', '2024-02-28T22:45:00.000000Z'],
    ['2024-02-29T00:45:00-0330', '2024-02-29T04:15:00.000000Z'],
    ['2024-02-29T00:45:00+02', '2024-02-28T22:45:00.000000Z'],
    ['2024-02-29 13:45:00', '2024-02-29T13:45:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000000Z'],
    ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00.000000Z'],
  ])('is the timestamp %s, in UTC', (value, expected) => {
    expect(completionTime(value, now)).toBe(expected);
  });

  test('a date alone means midnight UTC', () => {
    expect(completionTime('2024-02-29', now)).toBe('2024-02-29T00:00:00.000000Z');
  });

  test.each([
    ...['false', '0', '2', '1.5', 'null', '""', '"no"', '" yes"', '"1.0"', '[]', '[true]', '{}', '{"done":true}'],
    ...['"2023-02-29"', '"2024-02-29T25:00:00Z"', '"0000-01-01T00:00:00+01:00"'],
  ])('%s does nothing', (value) => {
    expect(completionTime(parseJson(value), now)).toBeUndefined();
  });
});

test.each([
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000000Z'],
  ['2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.500000Z'],
  ['2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00,123456789Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00.123456070Z', '2024-01-01T00:00:00.1234561Z'],
  ['2024-01-01T00:00:00.123456000Z', '2024-01-01T00:00:00.123456Z'],
  ['2024-01-01T00:00:00+01:00', undefined],
  ['2024-01-01', undefined],
  ['now', undefined],
])('the exact time of %s is %s', (value, expected) => {
  expect(exactInstant(value)).toBe(expected);
});

describe('completing objectives', () => {
  const objectives = [
    { id: 'own', key: 'opened_app' },
    { id: 'global', key: 'opened_app' },
    { id: 'other', key: 'constructor' },
  ];
  const fields = (text: string) => parseJson(text) as JsonObject;

  test('a field named like a key completes every objective with that key', () => {
    expect(completed({}, fields('{"opened_app":"yes"}'), objectives, now)).toEqual({ own: now, global: now });
  });

  test('the first completion stands', () => {
    const stored = { own: '2020-01-01T00:00:00.000000Z' };
    expect(completed(stored, fields('{"opened_app":"2019-01-01"}'), objectives, now)).toEqual({
      own: '2020-01-01T00:00:00.000000Z',
      global: '2019-01-01T00:00:00.000000Z',
    });
  });

  test.each(['{"opened_app":false}', '{"opened_app":null}', '{"opened_app":"no"}', '{"OPENED_APP":true}', '{}'])(
    'nothing un-completes: %s',
    (text) => {
      const stored = { own: '2020-01-01T00:00:00.000000Z' };
      expect(completed(stored, fields(text), objectives, now)).toEqual(stored);
    },
  );

  test('a key that every object inherits is completed only when it is sent', () => {
    expect(completed({}, fields('{"a":1}'), objectives, now)).toEqual({});
    expect(completed({}, fields('{"constructor":true}'), objectives, now)).toEqual({ other: now });
  });
});
