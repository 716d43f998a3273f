import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Played, pageOf } from './page.ts';
import { evening, morning, prelude, type Step } from './steps.ts';

/**
 * Plays the morning on a local service of its own and writes docs/morning.md. It takes about five minutes: an hour must pass
 * at which a file is missing, a chunk must fail five times, and an erasure waits until no earlier request is running.
 */
const root = new URL('../../', import.meta.url).pathname;
const page = join(root, 'docs/morning.md');
const execute = promisify(execFile);

type Local = { team_id: string; drop_box_folder: string };

/** Starts a service with a new data folder. */
async function start(directory: string): Promise<{ local: Local; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['bin/local.ts', '--memory'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'SILENT' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const path = join(directory, 'local.json');
  for (let round = 0; round < 600; round++) {
    if (existsSync(path)) return { local: JSON.parse(readFileSync(path, 'utf8')), stop };
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error('the local service did not start');
}

/** Runs the commands of a step, as a person would paste them. Prints each with its output. */
async function play(step: Step, environment: Record<string, string>): Promise<Played[]> {
  console.log(`\n## ${step.heading}\n`);
  const played: Played[] = [];
  for (const command of step.commands) {
    const script = `${prelude}\n{ ${command}\n} 2>&1`;
    const env = { ...process.env, ...environment };
    const { stdout } = await execute('bash', ['-c', script], { cwd: root, env, maxBuffer: 16 * 1024 * 1024 });
    const output = stdout.trimEnd();
    console.log(`$ ${command}\n${output}\n`);
    played.push({ command, output });
  }
  return played;
}

const header = 'account_number,contact.unique_id,contact.role,product.code,product.type,balance';
const accounts = (count: number, prefix: string) =>
  [header, ...Array.from({ length: count }, (_, n) => `${prefix}${n},person-${n},primary,FREE,checking,${n}.50`)].join(
    '\n',
  );
const people = (count: number) =>
  [
    'unique_id,name_first,email,birthdate',
    ...Array.from({ length: count }, (_, n) => {
      return `person-${n},Person ${n},person-${n}@example.com,${n % 3 === 2 ? '30.2.1980' : '1980-02-29'}`;
    }),
  ].join('\n');

function drop(box: string, key: string, content: string): void {
  const path = join(box, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${content}\n`);
}

async function waitFor(path: string): Promise<void> {
  for (let round = 0; round < 1200 && !existsSync(path); round++) await sleep(100);
}

/** The minute that begins next, or the one after it if that is too near to expect a file by it. */
function nextMinute(): { hour: string; at: number } {
  const at = Math.ceil((Date.now() + 5000) / 60_000) * 60_000;
  return { hour: new Date(at).toISOString().slice(11, 16), at };
}

async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'morning-'));
  const { local, stop } = await start(directory);
  try {
    const { team_id: team, drop_box_folder: box } = local;
    const { hour, at } = nextMinute();
    const environment = { DATA_DIR: directory, TEAM: team, BOX: box, HOUR: hour };
    const played = new Map<Step, Played[]>();
    played.set(evening, await play(evening, environment));

    const poison = { heading: 'The night', text: '', commands: ['admin drill poison-chunk --team "$TEAM"'] };
    await play(poison, environment);
    drop(box, `${team}/contacts/people.csv`, people(300));
    drop(box, 'acounts-team/accounts/nightly.csv', accounts(700, 'A-'));
    await Promise.all([
      waitFor(join(box, `${team}/contacts/people.csv.report.json`)),
      waitFor(join(box, 'acounts-team/accounts/nightly.csv.report.json')),
      execute('bash', ['-c', `${prelude}\nadmin batch list --team "$TEAM" --watch`], {
        cwd: root,
        env: { ...process.env, ...environment },
      }),
    ]);
    await sleep(Math.max(0, at - Date.now() + 1000));

    for (const step of morning) {
      // Dropped just before it is cancelled, while it is being read.
      if (step.heading === 'A wrong file is cancelled') {
        drop(box, `${team}/accounts/wrong.csv`, accounts(60_000, 'W-'));
        await sleep(4000);
      }
      played.set(step, await play(step, environment));
    }
    writeFileSync(page, pageOf(played));
    console.log(`Written: ${page}`);
  } finally {
    await stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await run();
