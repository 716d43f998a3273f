import { afterEach, describe, expect, test, vi } from 'vitest';
import { shownOrWatched } from '../../../bin/admin/watch.ts';
import { captured } from '../../support/captured.ts';

type View = { step: number; age_seconds: number };

/** Shows the steps, one at each look. */
function counting(steps: readonly number[], onLook = (_: number) => {}) {
  let at = 0;
  return {
    look: async (): Promise<View> => {
      onLook(at);
      const step = steps[Math.min(at, steps.length - 1)]!;
      return { step, age_seconds: at++ };
    },
    isOver: ({ step }: View) => step === 3,
    text: ({ step }: View) => `STEP\n${step}${'x'.repeat(200)}`,
    line: ({ step }: View) => `step ${step}`,
  };
}

/** Runs it with time that passes at once. */
async function run(watched: ReturnType<typeof counting>, options: { json?: boolean } = {}) {
  let outcome: Awaited<ReturnType<typeof shownOrWatched>>;
  const written = await captured(async () => {
    outcome = await shownOrWatched(watched, { ...options, watch: true }, 1);
    return 0;
  });
  return { ...written, outcome };
}

const terminal = { isTTY: true, columns: 20, rows: 4 };
const before = Object.fromEntries(Object.keys(terminal).map((name) => [name, Reflect.get(process.stdout, name)]));
afterEach(() => {
  Object.assign(process.stdout, before);
  vi.restoreAllMocks();
});

describe('--watch', () => {
  test('without a terminal logs each change, and the last text is the result', async () => {
    const { stdout, stderr, outcome } = await run(counting([1, 1, 2, 3]));
    expect([stdout, stderr]).toEqual(['', 'step 1\nstep 2\nstep 3\n']);
    expect(outcome).toMatchObject({ value: { step: 3 }, text: expect.stringMatching(/^STEP\n3/) });
  });

  test('with --json prints a line for each change, of which an age alone is none', async () => {
    const { stdout, stderr, outcome } = await run(counting([1, 1, 2, 2, 3]), { json: true });
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).step)).toEqual([1, 2, 3]);
    expect([stderr, outcome]).toEqual(['', undefined]);
  });

  test('on a terminal replaces the text at each look, cut to its width', async () => {
    Object.assign(process.stdout, terminal);
    const { stdout, outcome } = await run(counting([1, 2, 3]));
    expect(outcome).toBeUndefined();
    // Two lines up, to the first column, and clear.
    const sequence = String.fromCharCode(27);
    const frames = stdout.split(`${sequence}[20D${sequence}[2A${sequence}[0J`);
    expect(frames).toEqual([1, 2, 3].map((step) => `STEP\n${step}${'x'.repeat(18)}\n`));
  });

  test('on a terminal that is too low leaves lines out', async () => {
    Object.assign(process.stdout, terminal);
    const watched = { ...counting([3]), text: () => ['a', 'b', 'c', 'd', 'e'].join('\n') };
    expect((await run(watched)).stdout).toBe('a\nb\n… and 3 more lines\n');
  });

  test.each([{ json: true }, {}])('ends at Ctrl-C, with what was seen last: %j', async (options) => {
    const listeners = process.listenerCount('SIGINT');
    const interrupted = counting([1, 2], (at) => {
      if (at === 2) process.listeners('SIGINT').at(-1)!('SIGINT');
    });
    const { stdout, outcome } = await run(interrupted, options);
    if (options.json) expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({ step: 2 });
    else expect(outcome).toMatchObject({ value: { step: 2 } });
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });
});
