import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LocalDescription } from '../../bin/local/description.ts';
import { freePort } from '../../bin/local/ports.ts';
import type { History } from './history.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const startMilliseconds = 60_000;
const maxStartsInARow = 10;
/** How long the service may run without its engine. */
const endMilliseconds = 10_000;
const keptOutput = 20_000;

export type Credential = { teamId: string; clientId: string; clientSecret: string };

/** The local service as a process that can be killed and started again with the same ports and data. */
export class ServiceUnderTest {
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly #directory: string;
  readonly #history: History;
  /** The output of the service, in the folder of the history. */
  readonly #log: string;
  readonly #environment: Record<string, string> = {};
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(directory: string, history: History, [port, dynamodb, sqs]: [number, number, number]) {
    this.#directory = directory;
    this.#history = history;
    this.#log = `${history.file}.log`;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.dynamodbEndpoint = `http://127.0.0.1:${dynamodb}`;
    this.sqsEndpoint = `http://127.0.0.1:${sqs}`;
    Object.assign(this.#environment, {
      PORT: String(port),
      DYNAMODB_PORT: String(dynamodb),
      SQS_PORT: String(sqs),
      DATA_DIR: directory,
      TOKEN_LIFETIME_SECONDS: '86400',
    });
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  static async prepare(directory: string, history: History): Promise<ServiceUnderTest> {
    return new ServiceUnderTest(directory, history, [await freePort(), await freePort(), await freePort()]);
  }

  /** From the next start on, the functions use these endpoints of database and queue. */
  throughProxies(dynamodb: string, sqs: string): void {
    Object.assign(this.#environment, { FUNCTIONS_DYNAMODB_ENDPOINT: dynamodb, FUNCTIONS_SQS_ENDPOINT: sqs });
  }

  /** The end of its output, over all starts. */
  get output(): string {
    return this.#output;
  }

  /** Starts it, and retries if it ends, because the database may fail during the start. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const began = this.#history.now();
      if (await this.#launch()) {
        const at = this.#history.now();
        this.#history.add({ kind: 'restart', at, milliseconds: Math.round(at - began) });
        return;
      }
      this.#history.add({ kind: 'start-failed', at: this.#history.now(), output: this.#output.slice(-500) });
      if (attempt === maxStartsInARow) throw new Error(`the service does not start: ${this.#output.slice(-2000)}`);
    }
  }

  async #launch(): Promise<boolean> {
    const child = spawn(process.execPath, ['bin/local.ts'], {
      cwd: root,
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-keptOutput);
        appendFileSync(this.#log, text);
      });
    }
    const description = join(this.#directory, 'local.json');
    for (const end = Date.now() + startMilliseconds; Date.now() < end && isRunning(child); await sleep(25)) {
      if (!existsSync(description)) continue;
      const { pid } = JSON.parse(readFileSync(description, 'utf8')) as LocalDescription;
      // A killed process leaves its file behind.
      if (pid === child.pid) return true;
    }
    await this.#end('SIGKILL');
    return false;
  }

  async killService(): Promise<void> {
    await this.#end('SIGKILL');
    this.#history.add({ kind: 'death', at: this.#history.now(), of: 'service' });
  }

  /** The service ends when its engine has ended. */
  async killEngine(): Promise<void> {
    const child = this.#child;
    const engine = child && (await engineOf(child));
    if (!child || engine === undefined) return this.killService();
    process.kill(engine, 'SIGKILL');
    this.#history.add({ kind: 'death', at: this.#history.now(), of: 'engine' });
    await Promise.race([ended(child), sleep(endMilliseconds, undefined, { ref: false })]);
    await this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || !isRunning(child)) return;
    const over = ended(child);
    child.kill(signal);
    await over;
  }

  /** A team with a credential, made by the admin command. */
  async newTeam(name: string): Promise<Credential> {
    const { team_id: teamId } = await this.#admin('team', 'create', '--name', name);
    const { client_id: clientId, client_secret: clientSecret } = await this.#admin(
      ...['client', 'create', '--team', teamId],
    );
    return { teamId, clientId, clientSecret };
  }

  async importContent(teamId: string, document: object): Promise<void> {
    const file = join(this.#directory, `content-${teamId}.json`);
    writeFileSync(file, JSON.stringify(document));
    await this.#admin('content', 'import', file, '--team', teamId);
  }

  async #admin(...args: string[]) {
    const env = { ...process.env, DATA_DIR: this.#directory };
    const { stdout } = await run(process.execPath, ['bin/admin.ts', ...args, '--json'], { cwd: root, env });
    return JSON.parse(stdout) as { team_id: string; client_id: string; client_secret: string };
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function ended(child: ChildProcess): Promise<void> {
  if (isRunning(child)) await once(child, 'exit');
}

/** The child process of the service that runs the database. */
async function engineOf(service: ChildProcess): Promise<number | undefined> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, parent, name]) => Number(parent) === service.pid && name?.includes('dynoxide'));
  return row && Number(row[0]);
}
