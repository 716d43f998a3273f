import { Presets, SingleBar } from 'cli-progress';
import type { Batch } from '../../client/index.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
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

const showEvery = 125;

/** Collects the progress of a running import and shows it. */
export class Progress {
  readonly #screen: Screen;
  readonly #name: string;
  readonly #size: number;
  #phase = 'checking';
  #startedAt = Date.now();
  /** Share of the file that was read, from 0 to 1. */
  #read = 0;
  #bytes = 0;
  #rowsBefore = 0;
  #rowsRead = 0;
  #rowsDone = 0;
  #rejected = 0;
  #applied: number | undefined;
  #chunks: Batch['chunks'] | undefined;
  #shownAt = 0;

  constructor(screen: Screen, name: string, size: number) {
    this.#screen = screen;
    this.#name = name;
    this.#size = size;
  }

  /**
   * Begins to send.
   * @param kind accounts are done when they are applied, contacts when the request succeeds
   * @param rows the number of rows that earlier runs have read
   */
  send(kind: FileKind, rows: number): void {
    this.#phase = 'importing';
    this.#startedAt = Date.now();
    this.#applied = kind === 'accounts' ? 0 : undefined;
    this.#bytes = 0;
    this.#rowsBefore = rows;
    this.#rowsRead = rows;
    this.#rowsDone = rows;
  }

  /** Called with the number of bytes that were read from the file. */
  readonly bytes = (length: number): void => {
    this.#bytes += length;
  };

  /** Called for each chunk that was read. Progress is its offset, or for gzip the number of compressed bytes. */
  chunk({ rows, next }: FileChunk): void {
    this.#rowsRead += rows.length;
    this.#read = this.#size > 0 ? Math.min(1, (next.layout.gzip ? this.#bytes : next.offset) / this.#size) : 1;
    this.#show();
  }

  /** Called for rows whose request succeeded. For accounts, the status of the batch later says how many are applied. */
  done(rows: number, rejected: number): void {
    this.#rowsDone += rows;
    this.#rejected = rejected;
    this.#show();
  }

  readonly applied = ({ chunks, records }: Batch): void => {
    this.#chunks = chunks;
    this.#applied = records.applied + records.unchanged + records.superseded + records.rejected;
    this.#show();
  };

  #show(): void {
    if (Date.now() - this.#shownAt < showEvery) return;
    this.#shownAt = Date.now();
    const done = Math.min(this.#rowsDone, (this.#applied ?? this.#rowsDone) + this.#rejected);
    // The number of rows in the file is estimated from the share that was read.
    const expected = this.#read > 0 ? this.#rowsRead / this.#read : 0;
    const share = expected > 0 ? Math.min(1, done / expected) : 0;
    const rate = (1000 * (done - this.#rowsBefore)) / Math.max(1, Date.now() - this.#startedAt);
    const left = (expected - done) / rate;
    const facts = [
      `${Math.floor(100 * share)} %`,
      `${count(done)} rows`,
      ...(rate >= 1 ? [`${count(rate)} rows/s`] : []),
      ...(rate >= 1 && left >= 1 ? [`${duration(left)} left`] : []),
      ...(this.#chunks ? [`${count(this.#chunks.completed)} of ${count(this.#chunks.accepted)} chunks applied`] : []),
      ...(this.#rejected > 0 ? [`${count(this.#rejected)} rejected`] : []),
    ];
    this.#screen.show(share, `${this.#phase}: ${facts.join(', ')} (${this.#name})`);
  }
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');

/** `4 s`, `3 min 12 s`, `2 h 05 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
