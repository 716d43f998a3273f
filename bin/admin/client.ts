import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import { isExpired, type StoredClient } from '../../lib/domain/client.ts';
import { allScopes, type Scope } from '../../lib/domain/scope.ts';
import { revokeClient } from '../../lib/operations/clients.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { listClients, loadClient } from '../../lib/store/clients.ts';
import type { Database } from '../../lib/store/database.ts';
import { listTeams } from '../../lib/store/teams.ts';
import { repeatable } from '../command.ts';
import { clientKeysOf } from './client-keys.ts';
import { requireConsent, yesOption } from './consent.ts';
import { documentOf } from './document.ts';
import { failure } from './failure.ts';
import {
  createClient,
  createKeyClient,
  type IssuedCredential,
  rotateClient,
  setClientKeys,
} from './operations/clients.ts';
import { aimed, aimedId, futureOption, nameOption } from './options.ts';
import { listing, tableOf } from './text.ts';
import { noIds, type Outcome, verb } from './verb.ts';

export function registerClient(program: Command): void {
  const client = program.command('client').description('Credentials with which a team gets access tokens');

  verb<{ team: string; name?: string; expires?: string; scope?: Scope[]; jwks?: string }>(
    client
      .command('create')
      .description('Create a credential; its secret is shown only once')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .option('--name <name>', 'the name of the credential in lists', nameOption)
      .option(
        '--expires <time>',
        'the time from which it is refused: a date (its beginning in UTC) or a time',
        futureOption,
      )
      .addOption(
        repeatable(
          new Option('--scope <scope>', 'a scope that its tokens may hold; repeatable (default: all scopes)').argParser(
            appendScope,
          ),
        ),
      )
      .option('--jwks <file>', jwksHelp),
    noIds,
    async ({ database }, { team, scope, jwks, name = null, expires: expiry = null }) => {
      const settings = { name, expiry };
      if (jwks === undefined) return issued(await createClient(dependenciesOn(database), team, scope, settings));
      const keys = clientKeysOf(documentOf(jwks));
      const made = await createKeyClient(dependenciesOn(database), team, keys, scope, settings);
      return { value: made, text: listing(made), ids: { client_id: made.client_id } };
    },
  );

  verb<ClientOption & Consent & { jwks: string }, [string?]>(
    aimedAtClient(
      client.command('set-keys'),
      'Replace the public keys of a credential; the old keys stop working at once',
    )
      .requiredOption('--jwks <file>', jwksHelp)
      .option(...yesOption),
    clientIds,
    async ({ database }, { jwks, yes, ...option }, argument) => {
      const id = clientIdOf(option, argument);
      const keys = clientKeysOf(documentOf(jwks));
      await requireClient(database, id);
      requireConsent(`The public keys of ${id} are replaced. Its old keys stop working at once.`, { yes });
      const changed = await setClientKeys(dependenciesOn(database), id, keys);
      if (!changed) throw noSuchClient();
      return { value: shown(changed), text: `${id} has ${authenticationOf(changed)} now.` };
    },
  );

  verb<{ team?: string }>(
    client
      .command('list')
      .description('List credentials, oldest first, including revoked ones')
      .option('--team <team_id>', 'only the credentials of this team'),
    'reads',
    async ({ database }, { team }) => listed(await clientsOf(database, team)),
  );

  verb<ClientOption & Consent, [string?]>(
    aimedAtClient(
      client.command('rotate'),
      'Give a credential a new secret; the present one works for seven more days, an earlier one ends at once',
    ).option(...yesOption),
    clientIds,
    async ({ database }, { yes, ...option }, argument) => {
      const id = clientIdOf(option, argument);
      const stored = await loadClient(database, id);
      const old = stored && oldSecretOf(stored);
      if (old) requireConsent(rotation(id, old), { yes });
      const credential = await rotateClient(dependenciesOn(database), id);
      if (!credential) throw noSuchClient();
      return issued(credential);
    },
  );

  verb<ClientOption & Consent, [string?]>(
    aimedAtClient(
      client.command('revoke'),
      'Revoke a credential permanently; its tokens stop working within 30 seconds',
    ).option(...yesOption),
    clientIds,
    async ({ database }, { yes, ...option }, argument) => {
      const id = clientIdOf(option, argument);
      await requireClient(database, id);
      requireConsent(`${id} is revoked permanently. Its tokens stop working within 30 seconds.`, { yes });
      const revoked = await revokeClient(dependenciesOn(database), id, 'administrator');
      if (!revoked) throw noSuchClient();
      return { value: shown(revoked), text: `${id} is revoked, since ${revoked.revoked_at}.` };
    },
  );
}

type Consent = { yes?: boolean };

const rotation = (id: string, { inserted_at, expires_at }: StoredClient['secrets'][number]): string =>
  `${id} was rotated less than seven days ago. Its secret of ${inserted_at}, which would work until ${expires_at}, stops working at once. The present secret works for seven more days.`;

/** The secret before the present one, if it still works. */
const oldSecretOf = ({ secrets }: StoredClient) =>
  secrets.find(({ expires_at }) => expires_at !== null && Date.parse(expires_at) > Date.now());

async function requireClient(database: Database, id: string): Promise<void> {
  if (!(await loadClient(database, id))) throw noSuchClient();
}

const jwksHelp = 'public keys to authenticate with instead of a secret, as a JSON Web Key Set; - reads standard input';

function appendScope(text: string, before: Scope[] = []): Scope[] {
  const scope = allScopes.find((each) => each === text);
  if (!scope) throw new InvalidArgumentError(`The scopes are ${allScopes.join(', ')}.`);
  return [...before, scope];
}

type ClientOption = { client?: string };

const aimedAtClient = (command: Command, description: string): Command =>
  aimed(command.description(description), 'client', 'credential');

const clientIdOf = ({ client }: ClientOption, argument: string | undefined): string =>
  aimedId('client', 'credential', client, argument);

const clientIds = (option: ClientOption, [argument]: readonly [string?]): AuditIds => ({
  client_id: clientIdOf(option, argument),
});

const noSuchClient = () => failure('not_found', 'there is no credential with this id', '--client');

async function clientsOf(database: Database, team: string | undefined): Promise<StoredClient[]> {
  if (team === undefined) {
    const teams = await listTeams(database);
    return (await Promise.all(teams.map(({ team_id }) => listClients(database, team_id)))).flat();
  }
  return listClients(database, team);
}

const issued = (credential: IssuedCredential): Outcome => ({
  value: credential,
  text: `${listing(credential)}\n\nSave the secret now. It is not stored and cannot be shown again.`,
  ids: { client_id: credential.client_id },
});

const listed = (clients: readonly StoredClient[]): Outcome => ({
  value: clients.map(shown),
  text: tableOf(
    ['CLIENT', 'TEAM', 'NAME', 'CREATED', 'HAS', 'SCOPES', 'LAST USED', 'STATE'],
    clients.map((each) => [
      each.client_id,
      each.team_id,
      each.name ?? '',
      each.inserted_at,
      authenticationOf(each),
      each.scopes?.join(' ') ?? 'all',
      each.last_used_on ?? 'never',
      stateOf(each),
    ]),
    'There are no credentials yet.',
  ),
});

const shownFields = [
  'client_id',
  'team_id',
  'name',
  'expiry',
  'last_used_on',
  'secrets',
  'keys',
  'scopes',
  'revoked_at',
  'revoked_by',
  'inserted_at',
  'updated_at',
] as const;

/** Everything but the hashes of the secrets. */
function shown(client: StoredClient) {
  const secrets = client.secrets.map(({ inserted_at, expires_at }) => ({ inserted_at, expires_at }));
  const fields = { ...client, secrets };
  return Object.fromEntries(shownFields.map((name) => [name, fields[name] ?? null]));
}

const authenticationOf = ({ keys }: StoredClient): string =>
  keys === null ? 'a secret' : keys.length === 1 ? 'a key' : `${keys.length} keys`;

function stateOf(client: StoredClient): string {
  const { revoked_at, revoked_by, expiry } = client;
  if (revoked_at !== null) {
    const why = revoked_by === 'query_string' ? ' (its credentials were sent in a URL)' : '';
    return `revoked ${revoked_at}${why}`;
  }
  if (isExpired(client, Date.now())) return `expired ${expiry}`;
  const live = expiry === null ? 'live' : `live until ${expiry}`;
  const old = oldSecretOf(client);
  return old ? `${live}, old secret until ${old.expires_at}` : live;
}
