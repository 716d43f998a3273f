import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import type { Scope } from '../../../lib/domain/access/scope.ts';
import { serviceOn } from '../operations/operations.ts';
import type { TestService } from './service.ts';

/** A token of another client of the team that is limited to these scopes. */
export async function limitedToken(api: TestService, teamId: string, ...scopes: readonly Scope[]): Promise<string> {
  const dependencies = serviceOn(api.database);
  const client = await createClient(dependencies, teamId, scopes);
  return api.tokenFor(client.client_id, client.client_secret);
}
