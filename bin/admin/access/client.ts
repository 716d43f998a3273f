import { isExpired, type StoredClient } from '../../../lib/domain/access/client.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { revokeClient } from '../../../lib/operations/access/clients.ts';
import { listClients, loadClient } from '../../../lib/store/access/clients.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { listTeams } from '../../../lib/store/teams/teams.ts';
import { documentOf } from '../document.ts';
import { failure } from '../failure.ts';
import {
  createClient,
  createKeyClient,
  type IssuedCredential,
  rotateClient,
  setClientKeys,
} from '../operations/access/clients.ts';
import { aimedId, futureOption, nameOption } from '../options.ts';
import { listing, tableOf } from '../text.ts';
import {
  anyTeam,
  noun,
  oneOf,
  optional,
  optionalArgument,
  repeated,
  requireConsent,
  required,
  team,
  verb,
  yes,
} from '../verb.ts';

const jwksHelp = 'public keys to authenticate with instead of a secret, as a JSON Web Key Set; - reads standard input';

/** A credential that is named by an argument or an option. */
const aimed = {
  clientId: optionalArgument('the credential'),
  client: optional('<client_id>', 'the credential, as an option'),
};
type Aimed = { client: string | undefined; clientId: string | undefined };
const idOf = ({ client, clientId }: Aimed): string => aimedId('client', 'credential', client, clientId);
const ids = (given: Aimed) => ({ client_id: idOf(given) });

export const verbs = noun('Credentials with which a team gets access tokens', {
  create: verb({
    does: 'Create a credential; its secret is shown only once',
    parameters: {
      team,
      name: optional('<name>', 'the name of the credential in lists', nameOption),
      expires: optional(
        '<time>',
        'the time from which it is refused: a date (its beginning in UTC) or a time',
        futureOption,
      ),
      scope: repeated(
        '<scope>',
        'a scope that its tokens may hold; repeatable (default: all scopes)',
        oneOf('scopes', allScopes),
      ),
      jwks: optional('<file>', jwksHelp),
    },
    run: async (installation, { team: teamId, scope, jwks, name = null, expires: expiry = null }) => {
      const settings = { name, expiry };
      if (jwks === undefined) return issued(await createClient(installation, teamId, scope, settings));
      const made = await createKeyClient(installation, teamId, await keysIn(jwks), scope, settings);
      return { value: made, ids: { client_id: made.client_id } };
    },
  }),

  'set-keys': verb({
    does: 'Replace the public keys of a credential; the old keys stop working at once',
    parameters: { ...aimed, jwks: required('<file>', jwksHelp), yes },
    ids,
    run: async (installation, given) => {
      const id = idOf(given);
      const keys = await keysIn(given.jwks);
      await requireClient(installation.database, id);
      requireConsent(`This replaces the public keys of ${id}. Its old keys stop working at once.`, given);
      const changed = await setClientKeys(installation, id, keys);
      if (!changed) throw noSuchClient();
      return { value: shown(changed), text: `${id} has ${authenticationOf(changed)} now.` };
    },
  }),

  list: verb({
    does: 'List credentials, oldest first, including revoked ones',
    parameters: { team: anyTeam },
    reads: true,
    run: async ({ database }, given) => {
      const teams = given.team === undefined ? await listTeams(database) : [{ team_id: given.team }];
      const clients = (await Promise.all(teams.map(({ team_id }) => listClients(database, team_id)))).flat();
      return { value: clients.map(shown), text: tableOf(clients, columns, 'There are no credentials yet.') };
    },
  }),

  rotate: verb({
    does: 'Give a credential a new secret; the present one works for seven more days, an earlier one ends at once',
    parameters: { ...aimed, yes },
    ids,
    run: async (installation, given) => {
      const id = idOf(given);
      const stored = await loadClient(installation.database, id);
      const old = stored && oldSecretOf(stored);
      if (old) requireConsent(rotation(id, old), given);
      const credential = await rotateClient(installation, id);
      if (!credential) throw noSuchClient();
      return issued(credential);
    },
  }),

  revoke: verb({
    does: 'Revoke a credential permanently; its tokens stop working within 30 seconds',
    parameters: { ...aimed, yes },
    ids,
    run: async (installation, given) => {
      const id = idOf(given);
      await requireClient(installation.database, id);
      requireConsent(`${id} is revoked permanently. Its tokens stop working within 30 seconds.`, given);
      const revoked = await revokeClient(installation, id, 'administrator');
      if (!revoked) throw noSuchClient();
      return { value: shown(revoked), text: `${id} is revoked, since ${revoked.revoked_at}.` };
    },
  }),
});

const rotation = (id: string, { inserted_at, expires_at }: StoredClient['secrets'][number]): string =>
  `${id} was rotated less than seven days ago. Its secret of ${inserted_at}, which would work until ${expires_at}, stops working at once. The present secret works for seven more days.`;

/** The secret before the present one, if it still works. */
const oldSecretOf = ({ secrets }: StoredClient) =>
  secrets.find(({ expires_at }) => expires_at !== null && Date.parse(expires_at) > Date.now());

async function requireClient(database: Database, id: string): Promise<void> {
  if (!(await loadClient(database, id))) throw noSuchClient();
}

const noSuchClient = () => failure('not_found', 'there is no credential with this id', '--client');

const keysIn = async (file: string) => (await import('./client-keys.ts')).clientKeysOf(documentOf(file));

const issued = (credential: IssuedCredential) => ({
  value: credential,
  text: `${listing(credential)}\n\nSave the secret now. It is not stored and cannot be shown again.`,
  ids: { client_id: credential.client_id },
});

/** Everything but the hashes of the secrets. */
const shown = ({ version, ...client }: StoredClient) => ({
  ...{ ...client, last_used_on: client.last_used_on ?? null },
  secrets: client.secrets.map(({ inserted_at, expires_at }) => ({ inserted_at, expires_at })),
});

const authenticationOf = ({ keys }: StoredClient): string =>
  keys === null ? 'a secret' : keys.length === 1 ? 'a key' : `${keys.length} keys`;

const columns = {
  CLIENT: 'client_id',
  TEAM: 'team_id',
  NAME: 'name',
  CREATED: 'inserted_at',
  HAS: authenticationOf,
  SCOPES: ({ scopes }: StoredClient) => scopes?.join(' ') ?? 'all',
  'LAST USED': ({ last_used_on }: StoredClient) => last_used_on ?? 'never',
  STATE: stateOf,
} as const;

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
