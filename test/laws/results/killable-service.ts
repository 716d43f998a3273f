import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { reservedPort } from '../../support/http/ports.ts';
import { description, launchService, type ServiceProcess, temporaryDirectory } from '../../support/service/process.ts';

const run = promisify(execFile);

/** The local service as a process that can be killed and started again with the same ports and data. */
export class KillableService {
  readonly directory = temporaryDirectory();
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly environment: Record<string, string>;
  readonly #onOutput: (text: string) => void;
  #local: LocalDescription | undefined;
  #process: ServiceProcess | undefined;

  private constructor([port, dynamodb, sqs]: [number, number, number], onOutput: (text: string) => void) {
    this.#onOutput = onOutput;
    this.dynamodbEndpoint = `http://127.0.0.1:${dynamodb}`;
    this.sqsEndpoint = `http://127.0.0.1:${sqs}`;
    const ports = { PORT: `${port}`, DYNAMODB_PORT: `${dynamodb}`, SQS_PORT: `${sqs}` };
    this.environment = { ...ports, TOKEN_LIFETIME_SECONDS: '86400' };
    process.once('exit', () => this.#process?.kill('SIGKILL'));
  }

  static async prepare(onOutput: (text: string) => void = () => {}): Promise<KillableService> {
    return new KillableService([await reservedPort(), await reservedPort(), await reservedPort()], onOutput);
  }

  get local(): LocalDescription {
    if (!this.#local) throw new Error('the service was never started');
    return this.#local;
  }

  /** @returns false if it ended before it was ready, or was not ready in time */
  async start(): Promise<boolean> {
    const { directory, environment } = this;
    const started = launchService({ directory, persistent: true, environment, onOutput: this.#onOutput });
    this.#process = started;
    let isRunning = true;
    started.exited.then(() => {
      isRunning = false;
    });
    try {
      this.#local = await description(directory, started.pid, () => isRunning, startRounds);
      return true;
    } catch {
      await this.kill();
      return false;
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
  }

  /** The service ends when its engine has ended. @returns false if it has none */
  async killEngine(): Promise<boolean> {
    const engine = this.#process && (await engineOf(this.#process.pid));
    if (engine === undefined) return false;
    process.kill(engine, 'SIGKILL');
    const killing = setTimeout(() => this.#process?.kill('SIGKILL'), endMilliseconds);
    await this.#process?.exited;
    clearTimeout(killing);
    return true;
  }

  /** Runs the admin command. @returns its JSON value */
  // biome-ignore lint/suspicious/noExplicitAny: the output of any verb
  async admin(...args: string[]): Promise<any> {
    const env = { ...process.env, DATA_DIR: this.directory };
    const ran = run(process.execPath, ['bin/admin.ts', ...args, '--json'], { env, maxBuffer: 2 ** 28 });
    // With `--json`, the reason of a failure is on standard output.
    const { stdout } = await ran.catch((error) => Promise.reject(new Error(`${error.message}${error.stdout}`)));
    return JSON.parse(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A minute, because its functions can meet faults while it starts. */
const startRounds = 3000;
/** How long the service may run without its engine. */
const endMilliseconds = 10_000;

/** The child process of the service that runs the database. */
async function engineOf(service: number): Promise<number | undefined> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, parent, name]) => Number(parent) === service && name?.includes('dynoxide'));
  return row && Number(row[0]);
}
