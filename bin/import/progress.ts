import type { Batch } from '../../client/index.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import type { Screen } from './screen.ts';
import type { View } from './view.ts';

const showEvery = 125;

/** Collects the progress of a running import and shows it. */
export class Progress {
  readonly #screen: Screen;
  readonly #size: number;
  readonly #view: Pick<View, 'name' | 'chunks'> & { phase: View['phase'] };
  #rate = new Rate();
  /** Share of the file that was read, from 0 to 1. */
  #read = 0;
  #bytes = 0;
  #rowsRead = 0;
  #rowsDone = 0;
  #rejected = 0;
  #applied: number | undefined;
  #shownAt = 0;

  constructor(screen: Screen, name: string, size: number) {
    this.#screen = screen;
    this.#size = size;
    this.#view = { phase: 'checking', name, chunks: undefined };
  }

  /**
   * @param kind accounts are done when they are applied, contacts when the request succeeds
   * @param rows the number of rows that earlier runs have read
   */
  begin(phase: 'checking' | 'sending', kind: FileKind, rows = 0): void {
    this.#view.phase = phase;
    this.#rate = new Rate();
    this.#applied = phase === 'sending' && kind === 'accounts' ? 0 : undefined;
    this.#bytes = 0;
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

  applied({ chunks, records }: Batch): void {
    this.#view.chunks = { accepted: chunks.accepted, applied: chunks.completed };
    this.#applied = records.applied + records.unchanged + records.superseded + records.rejected;
    this.#show();
  }

  #show(): void {
    const rowsDone = Math.min(this.#rowsDone, (this.#applied ?? this.#rowsDone) + this.#rejected);
    this.#rate.note(rowsDone, Date.now());
    if (Date.now() - this.#shownAt < showEvery) return;
    this.#shownAt = Date.now();
    const [read, rowsRead, rejected] = [this.#read, this.#rowsRead, this.#rejected];
    const left = read > 0 ? this.#rate.secondsFor(rowsRead / read - rowsDone) : undefined;
    this.#screen.show({ ...this.#view, read, rowsRead, rowsDone, rejected, rate: this.#rate.perSecond(), left });
  }
}

const window = 20_000;

/** Rows a second over the last 20 seconds, and the remaining time at that rate. */
export class Rate {
  readonly #samples: { at: number; done: number }[] = [];

  note(done: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last && at - last.at < 200) last.done = done;
    else this.#samples.push({ at, done });
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > window) this.#samples.shift();
  }

  /** `undefined` until samples span a second. */
  perSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 1000) return undefined;
    return (1000 * (last.done - first.done)) / (last.at - first.at);
  }

  secondsFor(rows: number): number | undefined {
    const rate = this.perSecond();
    return rate ? rows / rate : undefined;
  }
}
