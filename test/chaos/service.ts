import { appendFileSync } from 'node:fs';
import { KillableService } from '../support/killable-service.ts';
import type { History } from './history.ts';

const maxStartsInARow = 10;

/** The service, its starts and its deaths in the history. */
export class ServiceUnderTest {
  readonly killable: KillableService;
  readonly #history: History;
  /** The end of its output, over all starts. */
  readonly #output: () => string;

  private constructor(killable: KillableService, history: History, output: () => string) {
    this.killable = killable;
    this.#history = history;
    this.#output = output;
  }

  /** The output of the service is in the folder of the history. */
  static async prepare(history: History): Promise<ServiceUnderTest> {
    let output = '';
    const killable = await KillableService.prepare((text) => {
      output = (output + text).slice(-2000);
      appendFileSync(`${history.file}.log`, text);
    });
    return new ServiceUnderTest(killable, history, () => output);
  }

  /** Starts it, and retries if it ends, because the database may fail during the start. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      if (await this.killable.start()) return;
      this.#history.add({ kind: 'start-failed', at: this.#history.now(), output: this.#output().slice(-500) });
      if (attempt === maxStartsInARow) throw new Error(`the service does not start: ${this.#output()}`);
    }
  }

  async killService(): Promise<void> {
    await this.killable.kill();
    this.#history.add({ kind: 'death', at: this.#history.now(), of: 'service' });
  }

  async killEngine(): Promise<void> {
    if (!(await this.killable.killEngine())) return this.killService();
    this.#history.add({ kind: 'death', at: this.#history.now(), of: 'engine' });
  }
}
