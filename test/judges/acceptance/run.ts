import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from './all.ts';
import { resent } from './http.ts';
import { type Result, runChecks } from './suite.ts';
import { type Admin, localTarget, type Target, World } from './world.ts';

const help = `Usage: npm run acceptance -- [options]

Checks sentence by sentence that a service does what the specification and the contract say. It sends requests as a
partner does, in sandbox teams that it makes with the admin command and empties at the end.

Options:
  --base-url <url>      send the requests to this URL
  --credentials <file>  JSON with client_id, client_secret, team_id, and optionally admin: how the admin command is called,
                        as an array. Checks that need an administrator are not checked without it
  --stack <name>        check this deployed stack, in the short form
  --short               only the checks that show that a deployed service works
  --all                 all checks, for --stack
  --no-wait             without the checks that wait for minutes
  --json                print one JSON value and nothing else
  --help                print this text

Environment:
  DATA_DIR  the folder of the local service (default .data), which is checked without --base-url and --stack

Exit status: 0 if no check failed, 1 if a check failed or the checks could not run.`;

const adminCommand = [process.execPath, join(import.meta.dirname, '../../../bin/admin.ts')];

const { values } = parseArgs({
  options: {
    ...{ 'base-url': { type: 'string' }, credentials: { type: 'string' }, stack: { type: 'string' } },
    ...{
      short: { type: 'boolean' },
      all: { type: 'boolean' },
      'no-wait': { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  },
} as const);

async function targetOf(): Promise<Omit<Target, 'skipsWaits'>> {
  const { 'base-url': baseUrl, credentials, stack } = values;
  if (stack !== undefined) {
    const outputs = await outputsOf(stack);
    const drop = async (Key: string, Body: string) => {
      const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
      await new S3Client().send(new PutObjectCommand({ Bucket: outputs.DropBoxBucket, Key, Body }));
    };
    return {
      baseUrl: baseUrl ?? outputs.ApiUrl!,
      isStack: true,
      admin: calling(adminCommand, ['--stack', stack]),
      drop,
    };
  }
  if (baseUrl === undefined) return localTarget(process.env.DATA_DIR || '.data', calling(adminCommand));
  if (credentials === undefined) return { baseUrl };
  const { admin, ...credential } = JSON.parse(readFileSync(credentials, 'utf8'));
  return { baseUrl, credential, ...(admin === undefined ? {} : { admin: calling(admin) }) };
}

/** The administrator's command in a process of its own. */
const calling =
  ([file, ...first]: readonly string[], last: readonly string[] = []): Admin =>
  (args, input) =>
    new Promise((resolve, reject) => {
      const child = execFile(file!, [...first, ...args, ...last, '--json'], (error, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr.slice(0, 400), { cause: error }));
        else resolve({ status: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout });
      });
      child.stdin!.end(input);
    });

async function outputsOf(stack: string): Promise<Record<string, string>> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName: stack }));
  return Object.fromEntries(Stacks![0]!.Outputs!.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

function printed(results: readonly Result[], cleanUp: readonly string[], seconds: number): string {
  const of = (result: Result['result']) => results.filter((each) => each.result === result);
  const [failed, skipped] = [of('failed'), of('not checked')];
  return [
    ...skipped.map(({ sentence, reason }) => `not checked  ${sentence}\n             ${reason}`),
    ...failed.map(({ sentence, reason }) => `FAILED       ${sentence}\n             ${reason}`),
    ...cleanUp.map((reason) => `FAILED       to clean up: ${reason}`),
    `${of('passed').length} checks passed, ${failed.length} failed, ${skipped.length} not checked, ${seconds} s`,
    ...(resent.count > 0 ? [`${resent.count} requests resent after a 503`] : []),
  ].join('\n');
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(help);
    return 0;
  }
  const startedAt = Date.now();
  const target = { ...(await targetOf()), skipsWaits: values['no-wait'] === true };
  const isShort = values.short || (values.stack !== undefined && !values.all);
  const world = new World(target);
  const results = await runChecks(
    world,
    checks.filter((each) => !isShort || each.isShort),
  );
  const cleanUp = await world.cleanUp();
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  if (values.json) {
    console.log(
      JSON.stringify({ base_url: target.baseUrl, seconds, results, clean_up_failures: cleanUp, resent: resent.count }),
    );
  } else console.log(printed(results, cleanUp, seconds));
  return results.some(({ result }) => result === 'failed') || cleanUp.length > 0 ? 1 : 0;
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
