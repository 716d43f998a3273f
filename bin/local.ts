import { join } from 'node:path';
import { Command } from 'commander';
import { StartFailure } from './local/failure.ts';
import { startLocalService } from './local/service.ts';
import { settingsOf } from './local/settings.ts';

const command = new Command('npm start --')
  .description('Runs the whole service on this machine: every endpoint, the import queue and the table.')
  .option('--memory', 'keep nothing', false)
  .addHelpText(
    'after',
    `
Environment:
  PORT                    where it listens (default 3000; 0 takes any free port)
  DATA_DIR                where it keeps its data and local.json (default .data)
  TOKEN_LIFETIME_SECONDS  how long an access token is good for (default 3600)
  LOG_LEVEL               what the functions log: DEBUG, INFO, WARN (default), ERROR, SILENT
  DYNAMODB_PORT, SQS_PORT ports of the embedded database and queue (default: any free ones)
  DYNAMODB_ENDPOINT       a DynamoDB-compatible endpoint to use in place of the embedded database
  FUNCTIONS_DYNAMODB_ENDPOINT, FUNCTIONS_SQS_ENDPOINT
                          where the functions reach database and queue, for a proxy in between`,
  );

/** A stop that takes longer than this is cut short. */
const stopMilliseconds = 2000;

async function main(): Promise<void> {
  const settings = settingsOf(process.env, command.parse().opts<{ memory: boolean }>());
  // Lambda would end the one function instance that lost a promise; the service goes on.
  process.on('unhandledRejection', console.error);
  let stop = async () => {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), stopMilliseconds).unref();
      stop().then(() => process.exit(0));
    });
  }
  const service = await startLocalService(settings);
  stop = service.stop;
  const { base_url, client_id, client_secret, team_id, drop_box_folder } = service.description;
  console.log(`Listening on ${base_url}  (Ctrl-C stops it${settings.inMemory ? '; nothing is kept' : ''})

A first call, for an access token of the demo team:

  curl -u '${client_id}:${client_secret}' -d grant_type=client_credentials ${base_url}/oauth2/token

Every call, to read and to try with the same id and secret:  ${base_url}/docs

Files that are put here are imported:  ${join(drop_box_folder, team_id)}/accounts, …/contacts
`);
  await service.lost;
  await service.stop();
  throw new StartFailure('The database has ended; nothing can be served without it.');
}

main().catch((error: unknown) => {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exit(1);
});
