import { clearScreenDown, moveCursor } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { print, printable, say } from '../output.ts';
import { flag, type Outcome } from './verb.ts';

/** Something that a verb shows, with `--watch` until it is over. */
type Watched<View> = {
  look(): Promise<View>;
  isOver(view: View): boolean;
  text(view: View): string;
  /** One line, for a log. */
  line(view: View): string;
};

export const watching = { watch: flag('show changes until nothing is in progress; Ctrl-C ends it') };

/**
 * Shows it once, or with `--watch` until it is over or the operator presses Ctrl-C. On a terminal the text is replaced at
 * each read. With `--json`, each change is one line of JSON. Else each change is a line on standard error, and the last
 * text is the result.
 * @param interval milliseconds between two reads
 * @returns the result to print, if it is not printed yet
 */
export async function shownOrWatched<View>(
  { look, isOver, text, line }: Watched<View>,
  { watch, json }: { watch?: boolean | undefined; json?: boolean | undefined },
  interval = 1000,
): Promise<Outcome> {
  const shown = (view: View) => ({ value: view, text: text(view) });
  if (!watch) return shown(await look());
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const frame = process.stdout.isTTY && !json ? new Frame(process.stdout) : undefined;
  let before = '';
  try {
    for (;;) {
      const view = await look();
      const now = changing(view);
      if (frame) frame.show(text(view));
      else if (json && now !== before) print(JSON.stringify(view));
      else if (!json && now !== before) say(line(view));
      before = now;
      const isEnded = isOver(view);
      if (!isEnded) await sleep(interval, undefined, { signal: stop.signal }).catch(() => {});
      if (isEnded || stop.signal.aborted) return frame || json ? undefined : shown(view);
    }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** An age alone is no change. */
const changing = (view: unknown): string =>
  JSON.stringify(view, (name, value) => (name === 'age_seconds' ? undefined : value));

/** A text on a terminal that replaces the text before it. */
class Frame {
  readonly #stream: NodeJS.WriteStream;
  #lines = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Lines that do not fit on the screen are left out, because the cursor cannot be moved back to them. */
  show(text: string): void {
    const { columns = 80, rows = 24 } = this.#stream;
    const all = text.split('\n').map((line) => line.slice(0, columns - 1));
    const shown = all.length < rows ? all : [...all.slice(0, rows - 2), `… and ${all.length - rows + 2} more lines`];
    if (this.#lines > 0) {
      moveCursor(this.#stream, -columns, -this.#lines);
      clearScreenDown(this.#stream);
    }
    this.#stream.write(printable(`${shown.join('\n')}\n`));
    this.#lines = shown.length;
  }
}
