import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { idParam, wholeNumber } from '../../../lib/http/params.ts';
import { checkedBody, checkedQuery, validBody } from '../../../lib/http/validation.ts';
import { eventOf } from '../../support/http/event.ts';

const schema = z.object({ a: z.string(), list: z.array(z.number()).optional() });

describe('a body', () => {
  test('that is invalid is a 422 with all errors, of which there are at most 100', () => {
    const errors = checkedBody(schema, {}).errors;
    expect(checkedBody(schema, { a: '', list: Array(150).fill('x') }).errors).toHaveLength(100);
    expect(() => validBody(schema, {})).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: errors }),
    );
  });
});

describe('a body that the code fails on', () => {
  const failure = new TypeError('a bug');
  const record = z.string().transform((value) => {
    if (value === 'bug') throw failure;
    return value;
  });
  const records = z.object({ records: z.array(record) });

  test('is invalid where a record fails, because it would fail again', () => {
    const message = 'cannot be processed because of an internal error';
    expect(checkedBody(records, { records: ['a', 'bug', 'b', 'bug'] })).toEqual({
      value: undefined,
      errors: ['/records/1', '/records/3'].map((path) => ({ path, message })),
      cause: failure,
    });
    const { errors } = checkedBody(z.object({ a: record }), { a: 'bug' });
    expect(errors).toEqual([{ path: '', message }]);
  });

  test('is a 422 with the failure as its cause, for the log', () => {
    expect(() => validBody(records, { records: ['bug'] })).toThrow(
      expect.objectContaining({ code: 'validation_failed', cause: failure }),
    );
  });
});

describe('query parameters', () => {
  const query = z.object({ q: z.string().optional(), limit: z.string().regex(/^\d$/).optional() });
  const check = (rawQueryString: string, using: z.ZodType = query) => checkedQuery(using, eventOf({ rawQueryString }));

  test('are optional', () => {
    expect(check('')).toEqual({ value: {}, errors: [] });
    expect(checkedQuery(query, { headers: {} } as never)).toEqual({ value: {}, errors: [] });
  });

  test('have errors with their name', () => {
    expect(check('limit=x').errors).toEqual([{ path: 'limit', message: expect.any(String) }]);
  });

  test('that repeat are one error each, whatever their value', () => {
    const error = (path: string) => ({ path, message: 'must be sent once' });
    expect(check('q=a&q=a&q=b').errors).toEqual([error('q')]);
    expect(check('limit=x&limit=y').errors).toEqual([error('limit')]);
    expect(check('limit=x&q=a&q=b').errors).toEqual([error('q'), { path: 'limit', message: expect.any(String) }]);
  });

  test('that no schema has are ignored, also if they repeat', () => {
    expect(check('other=1&other=2').errors).toEqual([]);
    expect(check('other=1&other=2', z.record(z.string(), z.string())).errors).toEqual([]);
  });

  test('of a transformed schema are known', () => {
    expect(
      check(
        'q=a&q=b',
        query.transform(({ q }) => q),
      ).errors,
    ).toHaveLength(1);
    expect(
      check(
        'q=a',
        query.transform(({ q }) => q),
      ).value,
    ).toBe('a');
  });

  test('of a nested field have a path with dots', () => {
    const nested = z.object({ a: z.string() }).transform((sent, context) => {
      context.addIssue({ code: 'custom', message: 'wrong', path: ['b', 'c'] });
      return sent;
    });
    expect(check('a=1', nested).errors).toEqual([{ path: 'b.c', message: 'wrong' }]);
  });
});

describe('an id in the path', () => {
  const id = '0f9619ff-8b86-4011-b42d-00c04fc964ff';

  test('is read in lower case', () => {
    expect(idParam({ id: id.toUpperCase() }, 'id')).toBe(id);
  });

  test.each([{}, { id: '' }, { id: 'x' }, { other: id }])('in %j does not exist', (params) => {
    expect(() => idParam(params as Record<string, string>, 'id')).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});

describe('a whole number', () => {
  const limit = wholeNumber({ description: 'A limit.', minimum: 5, maximum: 20 });

  test.each([
    ['5', 5],
    ['20', 20],
    ['007', 7],
    [undefined, undefined],
  ])('%j is %j', (sent, value) => {
    expect(limit.parse(sent)).toBe(value);
  });

  test.each(['4', '21', '', ' 7', '7 ', '7.5', '-7', '+7', '1e1', 'x'])('is not %j', (sent) => {
    const { issues } = limit.safeParse(sent).error!;
    expect(issues.map(({ message }) => message)).toEqual(['must be a whole number from 5 to 20']);
  });

  test('is described with its range', () => {
    expect(z.toJSONSchema(limit, { io: 'input' })).toMatchObject({ type: 'integer', minimum: 5, maximum: 20 });
  });
});
