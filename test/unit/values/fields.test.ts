import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  date,
  day,
  decimal,
  fieldKinds,
  flag,
  identifier,
  integer,
  isBlank,
  isCalendarDate,
  text,
} from '../../../lib/domain/values/fields.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { metadataField } from '../../../lib/domain/values/metadata.ts';

const messages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((each) => each.message);

test.each<[string, () => z.ZodType]>([
  ['text', text],
  ['text', () => identifier(8)],
  ['flag', flag],
  ['integer', () => integer()],
  ['decimal', () => decimal()],
  ['object', metadataField],
])('a column of kind %s', (kind, schema) => {
  expect(fieldKinds.get(schema())).toEqual({ kind });
});

test.each([
  [undefined, true],
  [null, true],
  ['', true],
  [' \t\n', true],
  ['a', false],
  [0, false],
  [false, false],
])('%j is blank: %s', (value, expected) => {
  expect(isBlank(value)).toBe(expected);
});

describe('text', () => {
  test.each(['', 'x'.repeat(1024), '😀'.repeat(1024), 'a\u0000b', '\ud83d\ude00'])('takes %.12j', (value) => {
    expect(text().parse(value)).toBe(value);
  });

  test('is counted in characters, not in code units', () => {
    expect(messages(text(), 'x'.repeat(1025))).toEqual(['must be at most 1024 characters']);
    expect(messages(text(), '😀'.repeat(1025))).toEqual(['must be at most 1024 characters']);
    expect(messages(text(), 'x'.repeat(1_000_000))).toEqual(['must be at most 1024 characters']);
  });

  test.each(['\ud800', 'a\udc00b', '\udc00\ud800'])('refuses the lone surrogate in %j', (value) => {
    expect(messages(text(), value)).toEqual(['must be well-formed Unicode, without lone surrogates']);
  });

  test.each([1, true, [], {}, null])('refuses %j', (value) => {
    expect(messages(text(), value)).toEqual(['must be a string']);
  });

  test('is required', () => {
    expect(messages(text(), undefined)).toEqual(['is required']);
  });
});

test('an identifier is counted in bytes too', () => {
  expect(identifier(1024).parse('x'.repeat(1024))).toHaveLength(1024);
  expect(identifier(1024).parse('é'.repeat(512))).toHaveLength(512);
  expect(messages(identifier(1024), 'é'.repeat(513))).toEqual(['must be at most 1024 bytes of UTF-8']);
});

test.each([0, 1, 'true', null])('a flag is true or false, never %j', (value) => {
  expect(messages(flag(), value)).toEqual(['must be true or false']);
});

describe('a day', () => {
  test.each(['2024-02-29', '2000-02-29', '1970-12-31', '0001-01-01', '9999-12-31'])('takes %s', (value) => {
    expect(day().parse(value)).toBe(value);
  });

  test.each([
    ...['2023-02-29', '1900-02-29', '2024-04-31', '2024-13-01', '2024-00-10', '2024-01-00', '2024-1-1', '24-01-01'],
    ...['2024-01-01T00:00:00Z', ' 2024-01-01', '2024-01-01\n', '20240101', '', 'yesterday', '٢٠٢٤-٠١-٠١'],
  ])('refuses %j', (value) => {
    expect(messages(day(), value)).toEqual(['must be an existing calendar date, as YYYY-MM-DD']);
  });

  test('is a day of the calendar for every day there is', () => {
    for (let day = 0; day < 366 * 8; day++) {
      expect(isCalendarDate(new Date(Date.UTC(1999, 0, 1 + day)).toISOString().slice(0, 10))).toBe(true);
    }
  });
});

describe('a date', () => {
  test.each([
    ...['2024-02-29', '2024-02-29T13:45Z', '2024-02-29T13:45:00Z', '2024-02-29t13:45:00z', '2024-02-29 13:45:00'],
    ...['2024-02-29T13:45:00.123456789+02:00', '2024-02-29T13:45:00,5-0330', '2024-02-29T13:45:00+02'],
    '2016-12-31T23:59:60Z',
  ])('takes %s as it is written', (value) => {
    expect(date().parse(value)).toBe(value);
  });

  test.each([
    ...['2023-02-29T13:45:00Z', '2024-02-29T24:00:00Z', '2024-02-29T13:60Z', '2024-02-29T13', '2024-02-29T13:45:61Z'],
    ...['now', ''],
  ])('refuses %j', (value) => {
    expect(messages(date(), value)).toEqual(['must be an ISO 8601 date or date-time, such as 2024-12-31']);
  });
});

test.each([5, null, {}])('a day or date is not %j', (value) => {
  for (const schema of [day(), date()]) expect(messages(schema, value)).toEqual(['must be a string']);
});

describe('a decimal', () => {
  test.each(['12.50', '1e3', '-0', '0.1', '12345678901234567890.123456789', '5'])(
    'keeps the number %s to the digit',
    (number) => {
      expect(decimal().parse(parseJson(number))).toBe(number);
    },
  );

  test.each(['12.50', '+1', '-.5', '.25', '1.', '1e10', '000'])('takes the string %j', (value) => {
    expect(decimal().parse(value)).toBe(value);
  });

  test.each([...['', ' 1', '1,5', '0x10', 'NaN', 'Infinity', '.', '1e', '1e99999'], ...[true, [], ['1'], {}, null]])(
    'refuses %.12j',
    (value) => {
      const message = 'must be a decimal: a JSON number, or a string of digits such as "12.50"';
      expect(messages(decimal(), value)).toEqual([message]);
    },
  );

  test('has no more characters than are kept, as a number or as a string', () => {
    const longest = `0.${'1'.repeat(126)}`;
    for (const written of [longest, `"${longest}"`]) expect(decimal().parse(parseJson(written))).toBe(longest);
    for (const written of [`${longest}1`, `"${longest}1"`]) {
      expect(messages(decimal(), parseJson(written))).toEqual(['must be at most 128 characters']);
    }
  });
});

describe('an integer', () => {
  test.each([
    ['3', 3],
    ['3.0', 3],
    ['3e0', 3],
    ['1e3', 1000],
    ['-0', 0],
    ['-7', -7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('takes %s', (written, expected) => {
    expect(Object.is(integer().parse(parseJson(written)), expected)).toBe(true);
  });

  test.each(['3.5', '9007199254740992', '1e300'])('refuses the number %s', (written) => {
    expect(messages(integer(), parseJson(written))).toContain('must be a whole number');
  });

  test.each(['"3"', 'true', 'null', '[]', '{}'])('refuses %s', (written) => {
    expect(messages(integer(), parseJson(written))).toEqual(['must be a number']);
  });

  test('keeps to its range', () => {
    expect(messages(integer(0, 9), -1)).toEqual(['must be from 0 to 9']);
    expect(messages(integer(0, 9), 10)).toEqual(['must be from 0 to 9']);
    expect(integer(0, 9).parse(9)).toBe(9);
  });
});
