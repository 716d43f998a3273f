import { describe, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import {
  cancellationReasons,
  failureOf,
  IncompleteResponse,
  isConflict,
  isLost,
  isTransient,
  isTransientCode,
  LeftUndone,
  WriteRefused,
} from '../../../lib/store/table/errors.ts';
import { defaultBackoff, Retries, randomDelay } from '../../../lib/store/table/retrying.ts';

const named = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });

test.each([
  ['ConditionalCheckFailed', true],
  ['ConditionalCheckFailedException', true],
  ['DuplicateItem', true],
  ['DuplicateItemExceptionX', false],
  ['DuplicateExceptionItem', false],
  ['TransactionConflict', false],
])('%s means that the race is lost: %s', (code, isSo) => {
  expect(isLost(code)).toBe(isSo);
});

test('a conflict of transactions has its own code', () => {
  expect(['TransactionConflict', 'TransactionConflictException', 'Throttling'].map(isConflict)).toEqual([
    true,
    true,
    false,
  ]);
});

const transient = [
  ...['ProvisionedThroughputExceeded', 'Throttling', 'ThrottlingError', 'RequestLimitExceeded', 'LimitExceeded'],
  ...['TooManyRequests', 'Throttled', 'RequestTimeTooSkewed', 'Unknown'],
  ...['InternalServerError', 'InternalFailure', 'ServiceUnavailable', 'TransactionConflict', 'TransactionInProgress'],
  ...['ReplicatedWriteConflict', 'ExpiredToken', 'UnrecognizedClient', 'CredentialsProviderError', 'TimeoutError'],
  ...['RequestThrottled', 'KmsThrottled', 'SlowDown', 'RequestTimeout', 'AbortError'],
];
const connection = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];

describe('an error', () => {
  test.each(transient)('%s can pass', (name) => {
    expect(isTransient(named(name))).toBe(true);
    expect(isTransientCode(`${name}Exception`)).toBe(true);
  });

  test.each([...connection, 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', 'ERR_STREAM_PREMATURE_CLOSE'])(
    'of the connection, %s, can pass',
    (code) => {
      expect(isTransient(named('Error', { code }))).toBe(true);
    },
  );

  test.each([
    [new SyntaxError('x'), true],
    [new IncompleteResponse(), true],
    [new LeftUndone('x'), true],
    [named('X', { $metadata: { httpStatusCode: 500 } }), true],
    [named('X', { $metadata: { httpStatusCode: 429 }, $fault: 'client' }), true],
    [named('X', { $metadata: { httpStatusCode: 499 }, $fault: 'client' }), false],
    [named('X', { $metadata: { httpStatusCode: 499 } }), true],
    [named('X', { $metadata: { clockSkewCorrected: true }, $fault: 'client' }), true],
    [named('X', { code: 'HPE_INVALID_CONSTANT' }), true],
    [named('X', { $metadata: {} }), false],
    [named('AccessDeniedException'), false],
    [named('X', { code: 'EACCES' }), false],
    [new WriteRefused('x'), false],
    [{ name: 'Throttling' }, false],
    ['Throttling', false],
  ])('%s can pass: %s', (error, isSo) => {
    expect(isTransient(error)).toBe(isSo);
  });

  test('that can pass is reported as unavailable, another as itself', () => {
    const passing = named('Throttling');
    expect(failureOf(passing, 'the queue')).toEqual(new StoreUnavailable('the queue', { cause: passing }));
    expect((failureOf(passing, 'the queue') as Error).cause).toBe(passing);
    const lasting = named('AccessDenied');
    expect(failureOf(lasting, 'the queue')).toBe(lasting);
  });
});

describe('the reasons of a cancelled transaction', () => {
  const name = 'TransactionCanceledException';
  test.each([
    [named(name, { CancellationReasons: [{ Code: 'a' }, {}] }), ['a', 'None']],
    [named(name), undefined],
    [named('Other', { CancellationReasons: [{ Code: 'a' }] }), undefined],
    [{ name, CancellationReasons: [] }, undefined],
  ])('%s: %j', (error, reasons) => {
    expect(cancellationReasons(error)).toEqual(reasons);
  });
});

describe('retries', () => {
  test('return the first result', async () => {
    let attempts = 0;
    const result = await new Retries(() => 0).of('get')(async () => {
      if (++attempts < 3) throw named('Throttling');
      return attempts;
    });
    expect(result).toBe(3);
  });

  test('wait longer with each round, and end after eight', async () => {
    const rounds: number[] = [];
    const failing = new Retries((round) => rounds.push(round) * 0).of('get');
    await expect(failing(async () => Promise.reject(named('Throttling')))).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the get failed after all retries',
      cause: { name: 'Throttling' },
    });
    expect(rounds).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('end at once for an error that cannot pass', async () => {
    let attempts = 0;
    const failing = new Retries(() => 0).of('get')(async () => {
      attempts++;
      throw named('AccessDenied');
    });
    await expect(failing).rejects.toThrow('AccessDenied');
    expect(attempts).toBe(1);
  });

  test.each([
    [6500, 2],
    [6501, 1],
  ])('begin no round more than 6.5 seconds after the call: %i ms', async (wait, expected) => {
    vi.useFakeTimers();
    try {
      let attempts = 0;
      const failing = new Retries(() => wait).of('get')(async () => {
        attempts++;
        throw named('Throttling');
      });
      const settled = expect(failing).rejects.toThrow('the get failed');
      await vi.advanceTimersByTimeAsync(60_000);
      await settled;
      expect(attempts).toBe(expected);
    } finally {
      vi.useRealTimers();
    }
  });

  test('of all calls together are limited by a quota, which calls that succeed give back', async () => {
    let attempts = 0;
    const retries = new Retries(() => 0, { rounds: 4, milliseconds: 1000, quota: 4 });
    const fail = async () => {
      attempts++;
      throw named('Throttling');
    };
    const attemptsOfCall = async () => {
      const before = attempts;
      await expect(retries.of('get')(fail)).rejects.toThrow('the get failed');
      return attempts - before;
    };
    expect([await attemptsOfCall(), await attemptsOfCall(), await attemptsOfCall()]).toEqual([4, 2, 1]);
    for (let call = 0; call < 5; call++) await retries.of('get')(async () => {});
    expect([await attemptsOfCall(), await attemptsOfCall()]).toEqual([2, 1]);
  });

  test.each([
    [1, 99],
    [2, 198],
    [3, 396],
    [5, 990],
    [20, 990],
  ])('wait at random, after round %i up to %i ms', (round, most) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    expect(defaultBackoff(round)).toBeCloseTo(most);
    expect(randomDelay(10, 20)(1)).toBeCloseTo(19.8);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(defaultBackoff(round)).toBe(0);
    vi.restoreAllMocks();
  });
});
