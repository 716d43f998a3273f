import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startService } from '../bin/demo/service.ts';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { OnboardingClient } from '../client/index.ts';
import { benchColdStarts, coldStartsText } from './cold-starts.ts';
import { benchFunctions, functionsText } from './functions.ts';
import { growthPicture } from './growth/picture.ts';
import { benchGrowth, growthText } from './growth.ts';
import { benchImport } from './import.ts';
import { benchLists, listsText } from './lists.ts';
import { benchLookup } from './lookup.ts';
import { residentMegabytes, rounded } from './measure.ts';
import { benchPages, pagesText } from './pages.ts';
import { type BenchResult, textOf } from './report.ts';
import { benchRequests } from './requests.ts';
import { benchWaits, timingOptions, type WaitResult, waitsText } from './waits.ts';
import { benchWorker, workerText } from './worker.ts';

const command = new Command('npm run bench --')
  .description(
    'Measures imports, requests, channel lookups, the size and load time of each function, and where clients wait, on ' +
      'its own local service. Takes about nine minutes on an idle machine. Compare only the ratios: both sides of each ' +
      'are measured in the same run.',
  )
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText('after', '\nThe result is saved as bench/results/<time>.json and .md.');

/** Runs the work on a local service that is started for it, in memory unless it is told otherwise. */
async function onService<Result>(
  work: (local: LocalDescription) => Promise<Result>,
  flags: '--memory'[] = ['--memory'],
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-bench-'));
  const { local, release } = await startService(directory, ...flags);
  try {
    return await work(local);
  } finally {
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(local: LocalDescription): Promise<Omit<BenchResult, 'waits'>> {
  const say = (text: string) => console.error(text);
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
  const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
  const atRest = residentMegabytes(local.pid);
  say('measuring imports …');
  const imported = await benchImport(local, client);
  const afterImports = residentMegabytes(local.pid);
  say('measuring requests …');
  const contact = await client.contacts.upsert({ unique_id: 'bench-reader', name_first: 'Jana' });
  const requests = await benchRequests(local, `Bearer ${await accessToken(local)}`, contact.id);
  say('measuring lookups …');
  const lookups = await benchLookup(local);
  say('measuring functions …');
  const functions = await benchFunctions();
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${rounded(loadavg()[0]!)}`,
    service_memory_mb: { at_rest: atRest, after_imports: afterImports },
    import: imported,
    requests,
    lookups,
    functions,
  };
}

async function accessToken({ base_url, client_id, client_secret }: LocalDescription): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${base_url}/oauth2/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`no token: ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

function keep(result: BenchResult): void {
  const folder = new URL('results/', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${result.at.replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
  writeFileSync(path.replace(/json$/, 'md'), `${textOf(result)}\n`);
}

async function all({ json }: { json: boolean }): Promise<void> {
  const measured = await onService(measure);
  console.error('measuring waits …');
  const result = { ...measured, waits: await measureWaits() };
  keep(result);
  console.log(json ? JSON.stringify(result) : `\n${textOf(result)}`);
}

command.action(all);

/** A command that measures one part. */
const part = <Result>(
  name: string,
  description: string,
  measured: (options: { million?: boolean }) => Promise<Result>,
  textOf: (result: Result) => string,
): Command =>
  command
    .command(name)
    .description(description)
    .action(async (options: { million?: boolean }, own: Command) => {
      const result = await measured(options);
      console.log(own.optsWithGlobals<{ json: boolean }>().json ? JSON.stringify(result) : textOf(result));
    });

part(
  'pages',
  'Measures only the pages of the sample campaign, in a browser: bytes, requests, time to the first paint.',
  () => onService(benchPages),
  pagesText,
);

part(
  'lists',
  'Measures only the list of contacts, among 1,000 to 100,000 contacts: requests, read units and time.',
  () => onService(benchLists),
  listsText,
);

part(
  'growth',
  'Measures only the main operations among 1,000 to 100,000 contacts, and draws docs/images/growth.svg.',
  // With a data directory: the engine in memory is too slow for a million contacts, see docs/performance.md.
  async ({ million = false }) => {
    const results = await onService((local) => benchGrowth(local, million), []);
    writeFileSync(new URL('../docs/images/growth.svg', import.meta.url), growthPicture(results));
    return results;
  },
  growthText,
)
  .option('--million', 'also among 1,000,000 contacts, which takes a quarter of an hour longer', false)
  .addHelpText(
    'after',
    '\nThe table is a file in the folder for temporary files. On a disk, each write waits for it: a million contacts then\n' +
      'take an hour. On Linux, put the file in memory: TMPDIR=/dev/shm npm run bench -- growth --million',
  );

/** On a service of its own, which measures itself. */
async function measureWaits(): Promise<WaitResult[]> {
  const { NODE_OPTIONS = '' } = process.env;
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${timingOptions}`;
  try {
    return await onService(async (local) => benchWaits(local, `Bearer ${await accessToken(local)}`));
  } finally {
    process.env.NODE_OPTIONS = NODE_OPTIONS;
  }
}

part(
  'waits',
  'Measures only where a client waits at 50 requests a second, without and with an import.',
  measureWaits,
  waitsText,
);

part(
  'functions',
  "Measures only the functions: size, and CPU time of the module load beside that of the SDK's clients.",
  benchFunctions,
  functionsText,
);

part(
  'cold-starts',
  "Measures only cold starts of some functions under Lambda's runtime client, on Linux. Compiles the client at the " +
    'first run, which needs cmake and a C++ compiler and takes some minutes.',
  () => onService(async (local) => benchColdStarts(local, await accessToken(local))),
  coldStartsText,
);

part(
  'worker',
  'Measures only the import worker, on a model of AWS: the rate of one team, and what limits it.',
  benchWorker,
  workerText,
);

command.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
