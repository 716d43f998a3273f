import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { newSecret } from '../../lib/auth/secrets.ts';
import { fits } from '../../lib/http/reply.ts';
import { importContent } from '../../lib/operations/publishing/import-content.ts';
import { serviceOn } from '../../lib/runtime/table.ts';
import { loadClient } from '../../lib/store/access/clients.ts';
import { KeyFile } from '../../lib/store/access/private-keys.ts';
import { loadPublicKeys } from '../../lib/store/access/signing-keys.ts';
import type { Database } from '../../lib/store/table/database.ts';
import { createClient } from '../admin/operations/access/clients.ts';
import { fillLookups } from '../admin/operations/contacts/fill-lookups.ts';
import { createTeam, localMessages } from '../admin/operations/teams/teams.ts';
import { writeSecret } from './data-directory.ts';

const sampleContent = new URL('../../examples/campaigns.json', import.meta.url);

/** The institution in the sample campaigns. */
const demoTeam = {
  name: 'Cedar Valley Credit Union',
  features: [],
  privacy_policy_url: 'https://www.cedarvalley.example/privacy',
  terms_of_service_url: 'https://www.cedarvalley.example/terms',
  timezone: 'America/Chicago',
};

const credentialSchema = z.object({ client_id: z.string(), client_secret: z.string(), team_id: z.string() });
export type DemoCredential = z.output<typeof credentialSchema>;

/**
 * The credential of the demo team, which is created at the first start with the sample campaigns. The table contains only
 * the hash of the secret, so the secret is in a file of the data folder.
 */
export async function demoCredential(database: Database, folder: string): Promise<DemoCredential> {
  const path = join(folder, 'demo-credential.json');
  const kept = readCredential(path);
  if (kept && (await loadClient(database, kept.client_id))?.revoked_at === null) return kept;
  const service = serviceOn(database);
  const team = await createTeam(service, { ...demoTeam, ...localMessages });
  await importContent({ ...service, fits }, team.team_id, JSON.parse(readFileSync(sampleContent, 'utf8')));
  // No client has a credential of the team yet, so no writes can be running.
  await fillLookups(service, team.team_id);
  const credential = await createClient(service, team.team_id);
  writeSecret(path, `${JSON.stringify(credential, undefined, 2)}\n`);
  return credential;
}

function readCredential(path: string): DemoCredential | undefined {
  try {
    return credentialSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Creates the first signing key as Secrets Manager would, with the steps of the rotation function. Does nothing if a
 * private key at `location` (a `file:` URL) is published in the table.
 */
export async function ensureSigningKey(
  database: Database,
  location: string,
  rotate: (event: unknown) => Promise<unknown>,
): Promise<void> {
  const [published, kept] = await Promise.all([loadPublicKeys(database), new KeyFile(location).read()]);
  if (kept.some(({ kid }) => published.some((key) => key.kid === kid))) return;
  const rotation = { SecretId: location, ClientRequestToken: randomUUID() };
  await rotate({ ...rotation, Step: 'createSecret' });
  await rotate({ ...rotation, Step: 'finishSecret' });
}

/** The URL of the file with the secret of messages, which is created on the first start. */
export function messagesSecretAt(folder: string): string {
  const path = join(folder, 'messages-secret');
  if (!existsSync(path)) writeSecret(path, newSecret());
  return pathToFileURL(path).href;
}
