import { type Command, InvalidArgumentError, Option } from 'commander';
import { hashSecret, newSecret } from '../../lib/auth/secrets.ts';
import type { StoredClient } from '../../lib/domain/client.ts';
import { allScopes, type Scope } from '../../lib/domain/scope.ts';
import { createClient, type IssuedCredential } from '../../lib/operations/create-client.ts';
import { revokeClient } from '../../lib/operations/revoke-client.ts';
import { rotateClient } from '../../lib/operations/rotate-client.ts';
import { listClients } from '../../lib/store/clients.ts';
import type { Database } from '../../lib/store/database.ts';
import { listTeams } from '../../lib/store/teams.ts';
import { AdminFailure } from './failure.ts';
import { requireTeam } from './require-team.ts';
import { listing, tableOf } from './text.ts';
import { type Outcome, verb } from './verb.ts';

const dependencies = (database: Database) => ({
  database,
  now: Date.now,
  newId: () => crypto.randomUUID(),
  newSecret,
  hashSecret,
});

export function registerClient(program: Command): void {
  const client = program.command('client').description('Credentials that a team gets its access tokens with');

  verb<{ team: string; scope?: Scope[] }>(
    client
      .command('create')
      .description('Make a credential; its secret is shown this once')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .addOption(
        new Option(
          '--scope <scope>',
          'a scope that its tokens may hold; may be given several times; without it all',
        ).argParser(appendScope),
      ),
    async ({ database }, { team, scope }) => {
      await requireTeam(database, team);
      return issued(await createClient(dependencies(database), team, scope));
    },
  );

  verb<{ team?: string }>(
    client
      .command('list')
      .description('List credentials, oldest first, revoked ones too')
      .option('--team <team_id>', 'only those of this team'),
    async ({ database }, { team }) => listed(await clientsOf(database, team)),
  );

  verb<ClientOption, [string?]>(
    aimed(client.command('rotate'), 'Give a credential a new secret; the one before it goes on for seven days'),
    async ({ database }, option, argument) => {
      const id = clientIdOf(option, argument);
      const credential = await rotateClient(dependencies(database), id);
      if (!credential) throw noSuchClient();
      return issued(credential);
    },
  );

  verb<ClientOption, [string?]>(
    aimed(client.command('revoke'), 'Shut a credential out for good; its tokens stop working within 30 seconds'),
    async ({ database }, option, argument) => {
      const id = clientIdOf(option, argument);
      const revoked = await revokeClient(dependencies(database), id, 'administrator');
      if (!revoked) throw noSuchClient();
      return { value: shown(revoked), text: `${id} is revoked, since ${revoked.revoked_at}.` };
    },
  );
}

function appendScope(text: string, before: Scope[] = []): Scope[] {
  const scope = allScopes.find((each) => each === text);
  if (!scope) throw new InvalidArgumentError(`The scopes are ${allScopes.join(', ')}.`);
  return [...before, scope];
}

type ClientOption = { client?: string };

/** The credential may be named either way. */
const aimed = (command: Command, description: string): Command =>
  command
    .description(description)
    .argument('[client_id]', 'the credential')
    .option('--client <client_id>', 'the same, as an option');

function clientIdOf({ client }: ClientOption, argument: string | undefined): string {
  const named = [...new Set([client, argument].filter((id) => id !== undefined))];
  if (named.length === 1) return named[0]!;
  const message = named.length === 0 ? 'which credential? Name its client_id' : 'names two different credentials';
  throw new AdminFailure('invalid_arguments', [{ path: '--client', message }]);
}

const noSuchClient = () =>
  new AdminFailure('not_found', [{ path: '--client', message: 'there is no such credential' }]);

async function clientsOf(database: Database, team: string | undefined): Promise<StoredClient[]> {
  if (team === undefined) {
    const teams = await listTeams(database);
    return (await Promise.all(teams.map(({ team_id }) => listClients(database, team_id)))).flat();
  }
  await requireTeam(database, team);
  return listClients(database, team);
}

const issued = (credential: IssuedCredential): Outcome => ({
  value: credential,
  text: `${listing(credential)}\n\nThe secret is kept nowhere: note it now.`,
});

const listed = (clients: readonly StoredClient[]): Outcome => ({
  value: clients.map(shown),
  text: tableOf(
    ['CLIENT', 'TEAM', 'MADE', 'SCOPES', 'STATE'],
    clients.map((each) => [
      each.client_id,
      each.team_id,
      each.inserted_at,
      each.scopes?.join(' ') ?? 'all',
      stateOf(each),
    ]),
    'There are no credentials yet.',
  ),
});

/** Everything but the hashes of the secrets. */
const shown = ({
  client_id,
  team_id,
  secrets,
  scopes,
  revoked_at,
  revoked_by,
  inserted_at,
  updated_at,
}: StoredClient) => ({
  client_id,
  team_id,
  secrets: secrets.map((secret) => ({ inserted_at: secret.inserted_at, expires_at: secret.expires_at })),
  scopes,
  revoked_at,
  revoked_by,
  inserted_at,
  updated_at,
});

function stateOf({ revoked_at, revoked_by, secrets }: StoredClient): string {
  if (revoked_at !== null) {
    const why = revoked_by === 'query_string' ? ' (its secret came in an address)' : '';
    return `revoked ${revoked_at}${why}`;
  }
  const old = secrets.find((secret) => secret.expires_at !== null && Date.parse(secret.expires_at) > Date.now());
  return old ? `live, old secret until ${old.expires_at}` : 'live';
}
