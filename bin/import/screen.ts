import { Presets, SingleBar } from 'cli-progress';
import { printable } from '../output.ts';

/** Shows the progress on standard error, because standard output contains only the result. */
export type Screen = {
  /** @param share of the work, from 0 to 1 */
  show(share: number, facts: string): void;
  /** Prints a line that stays on the screen. */
  say(text: string): void;
  end(): void;
};

export const silence: Screen = { show: () => {}, say: () => {}, end: () => {} };

const logEvery = 10_000;
const scale = 1000;
/** A terminal cuts what does not fit into the line. */
const look = { format: '{bar}  {facts}', barsize: 20, fps: 8, clearOnComplete: true, hideCursor: true };

/** In a terminal a bar that is overwritten, and in a log a line every ten seconds. */
export function screenOf(stream: NodeJS.WriteStream): Screen {
  let bar: SingleBar | undefined;
  let loggedAt = Date.now();
  const write = (text: string) => void stream.write(`${printable(text)}\n`);
  const draw = (share: number, text: string) => {
    const facts = printable(text);
    if (!bar) {
      bar = new SingleBar({ ...look, stream, gracefulExit: false }, Presets.shades_classic);
      bar.start(scale, 0, { facts });
    }
    bar.update(Math.round(scale * share), { facts });
  };
  const log = (_: number, facts: string) => {
    if (Date.now() - loggedAt < logEvery) return;
    loggedAt = Date.now();
    write(facts);
  };
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  const say = (text: string) => {
    end();
    write(text);
  };
  return { show: stream.isTTY ? draw : log, say, end };
}
