import { count, type Screen } from '../import/progress.ts';

export type Progress = (done: number, of: number) => void;

/** Runs steps one after the other, says what each does, and measures its seconds. */
export class Steps<Name extends string> {
  readonly seconds = {} as Record<Name, number>;
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  async run<T>(name: Name, says: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    const started = performance.now();
    this.#screen.say(`  ${says}`);
    try {
      return await work((done, of) =>
        this.#screen.show(of > 0 ? done / of : 0, `  ${says}: ${count(done)} of ${count(of)}`),
      );
    } finally {
      this.seconds[name] = (performance.now() - started) / 1000;
      this.#screen.end();
    }
  }
}
