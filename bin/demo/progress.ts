import type { Progress } from './load.ts';

/** One line on standard error that is overwritten as work continues; nothing if standard error is no terminal. */
function progressLine(label: string): { report: Progress; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { report: () => {}, end: () => {} };
  let shown = 0;
  return {
    report: (done, of) => {
      if (Date.now() - shown < 100) return;
      shown = Date.now();
      stderr.write(`\r\u001b[K  ${label} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`);
    },
    end: () => stderr.write('\r\u001b[K'),
  };
}

/** The result of the work, and the seconds it took. */
export async function timed<T>(
  label: string,
  work: (progress: Progress) => Promise<T>,
): Promise<{ result: T; seconds: number }> {
  const line = progressLine(label);
  const started = performance.now();
  try {
    const result = await work(line.report);
    return { result, seconds: (performance.now() - started) / 1000 };
  } finally {
    line.end();
  }
}
