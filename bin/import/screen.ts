import { SingleBar } from 'cli-progress';
import { printable } from '../output.ts';
import { barLine, fractionOf, plainLine, type View } from './view.ts';

/** Shows the progress on standard error, because standard output contains only the result. */
export type Screen = {
  show(view: View): void;
  /** Prints a line that stays on the screen. */
  say(text: string): void;
  end(): void;
};

export const silence: Screen = { show: () => {}, say: () => {}, end: () => {} };

const plainEvery = 10_000;
const scale = 1000;

export const screenOf = (stream: NodeJS.WriteStream): Screen => (stream.isTTY ? terminal(stream) : plain(stream));

/** A progress bar that is overwritten. */
function terminal(stream: NodeJS.WriteStream): Screen {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    show: (view) => {
      if (!bar) {
        const format = (_: unknown, __: unknown, payload: { view: View }) =>
          barLine(payload.view, stream.columns || 80);
        bar = new SingleBar({ format, stream, fps: 8, clearOnComplete: true, hideCursor: true, gracefulExit: false });
        bar.start(scale, 0, { view });
      }
      bar.update(Math.round(scale * fractionOf(view)), { view });
    },
    say: (text) => {
      end();
      stream.write(`${printable(text)}\n`);
    },
    end,
  };
}

/** A line every ten seconds, for a log. */
function plain(stream: NodeJS.WriteStream): Screen {
  let shownAt = Date.now();
  return {
    show: (view) => {
      if (Date.now() - shownAt < plainEvery) return;
      shownAt = Date.now();
      stream.write(`${printable(plainLine(view))}\n`);
    },
    say: (text) => void stream.write(`${printable(text)}\n`),
    end: () => {},
  };
}
