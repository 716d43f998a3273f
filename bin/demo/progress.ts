export type Progress = (done: number, of: number) => void;

/** Runs steps one after the other, and measures the seconds of each. */
export class Steps<Name extends string> {
  readonly seconds = {} as Record<Name, number>;

  async run<T>(name: Name, work: (progress: Progress) => Promise<T>): Promise<T> {
    const line = progressLine(name.replace('_', ' '));
    const started = performance.now();
    try {
      return await work(line.report);
    } finally {
      this.seconds[name] = (performance.now() - started) / 1000;
      line.end();
    }
  }
}

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
