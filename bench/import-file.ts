import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { freePort } from '../bin/local/ports.ts';
import { Checker } from './import-file/check.ts';
import { Copies } from './import-file/copies.ts';
import { type Run, runImporter, Service } from './import-file/processes.ts';

const command = new Command('npm run bench:import --')
  .description(
    'Imports many copies of the sample bank with the importer into its own local service. Kills the importer once and ' +
      'the service once, and finally compares every record with the file.',
  )
  .option('--rows <n>', 'account records', wholeNumber, 1_000_000)
  .option('--no-kills', 'import without killing anything, so that one process of the service gets all rows')
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText('after', '\nThe result is saved as bench/results/import-file-<time>.json.');

/** Reading a million records through the API takes longer than importing them, so only each twentieth copy is read. */
const apiReadEvery = 20;

type Result = {
  at: string;
  node: string;
  rows: number;
  file_megabytes: number;
  contacts: number;
  contacts_seconds: number;
  accounts_seconds: number;
  accounts_a_second: number;
  importer_killed_at_row: number;
  service_killed_at_row: number;
  /** Rows a second that the service answered, for each tenth of the file. */
  rows_a_second_by_tenth: number[];
  importer_peak_megabytes: number;
  service_peak_megabytes: number;
  /** Resident memory when each tenth of the file was answered, and when all rows were applied. */
  service_megabytes_by_tenth: number[];
  applied: number;
  rejected: number;
  check_seconds: number;
  differences: number;
};

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

/** Rows that the journal of the importer counts as answered. */
function rowsAnswered(path: string): number {
  const journal = `${path}.import.json`;
  if (!existsSync(journal)) return 0;
  return (JSON.parse(readFileSync(journal, 'utf8')) as { totals: { read: number } }).totals.read;
}

async function measure(rows: number, kills: boolean, say: (text: string) => void): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-import-bench-'));
  const service = new Service(directory, await freePort());
  const [accountsPath, contactsPath] = [join(directory, 'accounts.csv'), join(directory, 'contacts.csv')];
  try {
    const copies = new Copies(rows);
    await copies.write(accountsPath, contactsPath);
    let local = await service.start();
    say(`contacts: ${copies.contacts} …`);
    const contacts = await seconds(() => finished(['contacts', contactsPath], directory, async () => undefined));
    say(`accounts: ${rows}, ${kills ? 'with a kill of the importer and one of the service' : 'without kills'} …`);
    const killed = { importer: 0, service: 0 };
    const pace = new Pace(rows, () => service.megabytes());
    let servicePeak = 0;
    const look = () => {
      pace.note(rowsAnswered(accountsPath));
      servicePeak = Math.max(servicePeak, service.peakMegabytes());
    };
    const importerKill = async () => {
      look();
      killed.importer = rowsAnswered(accountsPath);
      return killed.importer >= rows / 3 ? ('kill' as const) : undefined;
    };
    const serviceKill = async () => {
      look();
      if (!kills || killed.service > 0 || rowsAnswered(accountsPath) < (2 * rows) / 3) return undefined;
      killed.service = rowsAnswered(accountsPath);
      await service.end('SIGKILL');
      await sleep(1000);
      local = await service.start();
      return undefined;
    };
    const accounts = await seconds(async () => {
      const first = kills ? await runImporter(['accounts', accountsPath], directory, importerKill) : undefined;
      if (first?.summary) throw new Error('the importer was done before it could be killed');
      const run = await finished(['accounts', accountsPath], directory, serviceKill);
      pace.note(rows);
      return { ...run, peakMegabytes: Math.max(run.peakMegabytes, first?.peakMegabytes ?? 0) };
    });
    say('checking …');
    const checked = await seconds(() => differencesIn(copies, new Checker(local), say));
    const { summary, peakMegabytes } = accounts.result;
    return {
      at: new Date().toISOString(),
      node: process.version,
      rows,
      file_megabytes: Math.round(statSync(accountsPath).size / 1e6),
      contacts: copies.contacts,
      contacts_seconds: contacts.seconds,
      accounts_seconds: accounts.seconds,
      accounts_a_second: Math.round(rows / accounts.seconds),
      importer_killed_at_row: killed.importer,
      service_killed_at_row: killed.service,
      rows_a_second_by_tenth: pace.byTenth(),
      importer_peak_megabytes: Math.max(peakMegabytes, contacts.result.peakMegabytes),
      service_peak_megabytes: servicePeak,
      service_megabytes_by_tenth: pace.megabytes,
      applied: summary?.rows.applied ?? 0,
      rejected: summary?.rows.rejected ?? 0,
      check_seconds: checked.seconds,
      differences: checked.result,
    };
  } finally {
    await service.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Records when each tenth of the file was answered, and the memory of the service then. */
class Pace {
  readonly megabytes: number[] = [];
  readonly #rows: number;
  readonly #memory: () => number;
  readonly #times = [performance.now()];

  constructor(rows: number, memory: () => number) {
    this.#rows = rows;
    this.#memory = memory;
  }

  note(answered: number): void {
    while (this.#times.length <= 10 && answered >= (this.#times.length * this.#rows) / 10) {
      this.#times.push(performance.now());
      this.megabytes.push(this.#memory());
    }
  }

  byTenth(): number[] {
    return this.#times.slice(1).map((time, tenth) => Math.round((this.#rows * 100) / (time - this.#times[tenth]!)));
  }
}

/** Runs an import that must complete. */
async function finished(args: string[], directory: string, look: () => Promise<undefined>): Promise<Run> {
  const run = await runImporter(args, directory, look);
  if (run.summary?.status !== 'completed') throw new Error(`the import did not end: ${JSON.stringify(run.summary)}`);
  return run;
}

async function differencesIn(copies: Copies, checker: Checker, say: (text: string) => void): Promise<number> {
  let found = 0;
  for (let copy = 0; copy < copies.count; copy++) {
    const bank = copies.bank(copy);
    const differences = await checker.inTable(bank);
    if (copy % apiReadEvery === 0) differences.push(...(await checker.inResponses(bank)));
    found += differences.length;
    for (const each of differences.slice(0, 5)) say(`differs: ${each}`);
  }
  return found;
}

async function seconds<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: Math.round((performance.now() - started) / 100) / 10 };
}

function textOf(result: Result): string {
  const lines: [string, string | number][] = [
    ['account rows', `${result.rows.toLocaleString('en')} (${result.file_megabytes} MB)`],
    ['applied', result.applied.toLocaleString('en')],
    ['rejected', result.rejected],
    ['time', `${result.accounts_seconds} s, ${result.accounts_a_second.toLocaleString('en')} rows a second`],
    ['importer killed at row', result.importer_killed_at_row.toLocaleString('en')],
    ['service killed at row', result.service_killed_at_row.toLocaleString('en')],
    ['rows a second by tenth', result.rows_a_second_by_tenth.map((rate) => rate.toLocaleString('en')).join(' ')],
    ['peak memory of importer', `${result.importer_peak_megabytes} MB`],
    ['peak memory of service', `${result.service_peak_megabytes} MB`],
    ['by tenth', `${result.service_megabytes_by_tenth.join(' ')} MB`],
    ['contacts', `${result.contacts.toLocaleString('en')} in ${result.contacts_seconds} s`],
    ['check', `${result.check_seconds} s, ${result.differences} differences`],
  ];
  return lines.map(([name, value]) => `  ${name.padEnd(26)}${value}`).join('\n');
}

async function main(): Promise<void> {
  const { rows, kills, json } = command.parse().opts<{ rows: number; kills: boolean; json: boolean }>();
  const result = await measure(rows, kills, (text) => console.error(text));
  const folder = new URL('results/', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `import-file-${result.at.replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(json ? JSON.stringify(result) : textOf(result));
  process.exitCode = result.differences === 0 && result.rejected === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
