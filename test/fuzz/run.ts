import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startService } from '../../bin/demo/service.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';
import { textOf } from './report.ts';
import type { Target } from './world.ts';

type Options = { requests: number; seed: number; baseUrl?: string; json: boolean };

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number below a thousand million`);
  return Number(text);
};

const command = new Command('npm run fuzz --')
  .description(
    'Sends random requests, made from the OpenAPI document that the service gives, to every operation of it: half of ' +
      'them forbidden by the document, half allowed. Holds every answer to the document. Exit status 1 where one fails.',
  )
  .option('--requests <number>', 'how many', wholeNumber, 20_000)
  .option('--seed <number>', 'the same seed makes the same requests', wholeNumber, Math.floor(Math.random() * 1e9))
  .option(
    '--base-url <url>',
    'a service that runs (by CLIENT_ID and CLIENT_SECRET of the environment); it is written to',
  )
  .option('--json', 'print the report as one JSON value', false)
  .addHelpText('after', '\nWithout --base-url it starts a service of its own that keeps nothing, and stops it.');

async function main(): Promise<void> {
  const { baseUrl, json, ...options } = command.parse().opts<Options>();
  const report = await withTarget(baseUrl, (target) => fuzz(target, options));
  console.log(json ? JSON.stringify(report) : textOf(report));
  if (report.failures.length > 0 || !report.untouched) process.exitCode = 1;
}

async function withTarget(
  baseUrl: string | undefined,
  work: (target: Target) => Promise<FuzzReport>,
): Promise<FuzzReport> {
  if (baseUrl !== undefined) {
    const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
    if (!clientId || !clientSecret)
      throw new Error('Set CLIENT_ID and CLIENT_SECRET to the credentials for that service.');
    return work({ baseUrl: baseUrl.replace(/\/$/, ''), clientId, clientSecret });
  }
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-fuzz-'));
  const { local, release } = await startService(directory, '--memory');
  try {
    return await work({ baseUrl: local.base_url, clientId: local.client_id, clientSecret: local.client_secret });
  } finally {
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
