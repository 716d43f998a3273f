import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { adminJson } from '../../support/service/admin.ts';
import type { TestService, TestTeam } from '../../support/service/service.ts';

/** A sandbox team that was reset once, with a client. */
export async function sandboxTeam(api: TestService): Promise<TestTeam> {
  const { value } = await adminJson('team', 'create', '--name', 'Sandbox', '--sandbox');
  const reset = await adminJson('team', 'reset', '--team', value.team_id, '--yes');
  if (reset.status !== 0) throw new Error(JSON.stringify(reset.value));
  const client = await createClient(serviceOn(api.database), value.team_id);
  const { client_id: clientId, client_secret: clientSecret } = client;
  return { teamId: value.team_id, clientId, clientSecret, token: await api.tokenFor(clientId, clientSecret) };
}

type Fields = Record<string, unknown>;

/** What the API returns of the team, without ids, slugs and times, which each reset makes anew. */
export async function stateOf(api: TestService, { token }: Pick<TestTeam, 'token'>) {
  const get = async (path: string) => (await api.request('GET', path, { token })).body;
  const { contacts } = await get('/v1/contacts?limit=100&sort_column=unique_id');
  const { batches } = await get('/v1/batches');
  const people = await Promise.all(
    contacts.map(async ({ id, unique_id, name_first, email }: Fields) => {
      const accounts = await get(`/v1/contacts/${id}/accounts`);
      const journeys = await get(`/v1/journeys?contact_id=${id}`);
      return {
        ...{ unique_id, name_first, email },
        accounts: accounts.map(({ role, account }: { role: string; account: { product: Fields } }) => [
          role,
          account.product.code,
        ]),
        journeys: journeys.map(
          ({ template, analytics_cache: progress, completion_verified_at }: Record<string, Fields>) => ({
            template: template!.name,
            viewed: (progress!.pages_viewed as string[]).length,
            completed: (progress!.pages_completed as string[]).length,
            is_completed: progress!.is_completed,
            is_confirmed: completion_verified_at !== null,
          }),
        ),
      };
    }),
  );
  return {
    people,
    batches: batches.map(({ batch_id, status }: Fields) => `${batch_id} ${status}`).sort(),
    templates: (await get('/v1/templates')).templates.map(({ name }: Fields) => name),
  };
}
