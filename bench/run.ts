import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startService } from '../bin/demo/service.ts';
import type { LocalDescription } from '../bin/local/description.ts';
import { OnboardingClient } from '../client/index.ts';
import type { Service } from './functions/first-requests.ts';
import { benchFunctions, functionsText } from './functions.ts';
import { benchImport } from './import.ts';
import { residentMegabytes, rounded } from './measure.ts';
import { type BenchResult, textOf } from './report.ts';
import { benchRequests } from './requests.ts';

const command = new Command('npm run bench --')
  .description(
    'Measures imports and requests beside bare calls of the same engine, and size, load time and cold starts of the ' +
      'functions, on its own local service. Takes about five minutes on an idle machine. Compare only the ratios: ' +
      'both sides of each are measured in the same run.',
  )
  .option('--json', 'print the result as one JSON value', false);

/** Runs the work on a local service that is started for it, in memory. */
async function onService<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-bench-'));
  const { local, release } = await startService(directory, '--memory');
  try {
    const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
    const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
    return await work({ local, client, authorization: `Bearer ${await accessToken(local)}` });
  } finally {
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(service: Service): Promise<BenchResult> {
  const { local, client } = service;
  const say = (text: string) => console.error(text);
  const atRest = residentMegabytes(local.pid);
  say('measuring imports …');
  const imported = await benchImport(service);
  const afterImports = residentMegabytes(local.pid);
  say('measuring requests …');
  const { id } = await client.contacts.upsert({ unique_id: 'bench-reader', name_first: 'Jana' });
  const requests = await benchRequests(service, id);
  say('measuring functions …');
  const functions = await benchFunctions(service);
  const processors = `${cpus().length} × ${cpus()[0]?.model}`;
  return {
    at: new Date().toISOString(),
    node: process.version,
    machine: `${processors}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${rounded(loadavg()[0]!)}`,
    service_memory_mb: { at_rest: atRest, after_imports: afterImports },
    import: imported,
    requests,
    functions,
  };
}

async function accessToken({ base_url, client_id, client_secret }: LocalDescription): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${base_url}/oauth2/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`no token: ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

command.action(async ({ json }: { json: boolean }) => {
  const result = await onService(measure);
  console.log(json ? JSON.stringify(result) : textOf(result));
});

command
  .command('functions')
  .description("Measures only the functions: size, module load beside the SDK's clients, and cold starts.")
  .action(async (_: object, own: Command) => {
    const { json } = own.optsWithGlobals<{ json: boolean }>();
    const functions = await onService(benchFunctions);
    console.log(json ? JSON.stringify({ functions }) : functionsText(functions));
  });

command.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
