import { describe, expect, test, vi } from 'vitest';
import { lostRace, untilAllWritten, untilWritten } from '../../../lib/operations/retry.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';

const pausing = () => ({ pause: vi.fn(async (_: number) => {}) });

describe('an attempt', () => {
  test('that succeeds at once is made once, without a pause', async () => {
    const dependencies = pausing();
    expect(await untilWritten(dependencies, 'conflicting', async (round) => `round ${round}`)).toBe('round 0');
    expect(dependencies.pause).not.toHaveBeenCalled();
  });

  test('that lost its race is made again after a pause', async () => {
    const dependencies = pausing();
    const attempt = async (round: number) => (round < 2 ? lostRace : round);
    expect(await untilWritten(dependencies, 'conflicting', attempt)).toBe(2);
    expect(dependencies.pause.mock.calls).toEqual([[1], [2]]);
  });

  test('that loses every race makes the service unavailable, and its reason is logged', async () => {
    const attempt = vi.fn(async () => lostRace);
    const given = untilWritten(pausing(), 'too many conflicts on the thing', attempt, 3);
    await expect(given).rejects.toThrow(StoreUnavailable);
    await expect(given).rejects.toMatchObject({ code: 'unavailable', message: 'too many conflicts on the thing' });
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  test('that fails is not made again', async () => {
    const attempt = vi.fn(() => Promise.reject(new Error('failed')));
    await expect(untilWritten(pausing(), 'conflicting', attempt)).rejects.toThrow('failed');
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});

test('of several items those that lost are attempted again', async () => {
  const attempted: number[][] = [];
  await untilAllWritten(pausing(), 'conflicting', [1, 2, 3], async (pending) => {
    attempted.push([...pending]);
    return pending.slice(1);
  });
  expect(attempted).toEqual([[1, 2, 3], [2, 3], [3]]);
});
