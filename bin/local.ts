import { join } from 'node:path';
import { Command } from './command.ts';
import { StartFailure } from './local/ports.ts';
import { startLocalService } from './local/service.ts';
import { settingsOf } from './local/settings.ts';

const command = new Command('npm start --')
  .description('Runs the whole service on this machine: every endpoint, the import queue and the table.')
  .option('--memory', 'keep the data in memory only', false)
  .addHelpText(
    'after',
    `
Environment:
  PORT                    the port of the service (default 3000; 0 for any free port)
  DATA_DIR                the folder for its data and local.json (default .data)
  TOKEN_LIFETIME_SECONDS  the lifetime of an access token (default 3600)
  LOG_LEVEL               the log level of the functions: DEBUG, INFO, WARN (default), ERROR, SILENT
  SMTP_URL                an SMTP server that really sends the messages, instead of the outbox
  DYNAMODB_PORT, SQS_PORT ports of the embedded database and queue (default: any free ports)
  DYNAMODB_ENDPOINT       a DynamoDB-compatible endpoint, instead of the embedded database
  FUNCTIONS_DYNAMODB_ENDPOINT, FUNCTIONS_SQS_ENDPOINT
  endpoints that the functions use, for a proxy in front of database and queue`,
  );

/** If stopping takes longer, the process exits at once. */
const stopMilliseconds = 5000;

async function main(): Promise<void> {
  const settings = settingsOf(process.env, command.parse().opts<{ memory: boolean }>());
  // Lambda would end only the instance with the unhandled rejection, so the service continues.
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

A first request, for an access token of the demo team:

  curl -u '${client_id}:${client_secret}' -d grant_type=client_credentials ${base_url}/oauth2/token

All operations, to read and to try with the same id and secret:  ${base_url}/docs

The messages that were sent to people:  ${base_url}/outbox

Files in these folders are imported:  ${join(drop_box_folder, team_id)}/accounts, …/contacts
`);
  await service.lost;
  await service.stop();
  throw new StartFailure('The database process has ended. The service cannot run without it.');
}

main().catch((error: unknown) => {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exit(1);
});
