import { randomUUID } from 'node:crypto';
import { createClient } from '../../bin/admin/operations/clients.ts';
import { allScopes, type Scope } from '../../lib/domain/scope.ts';
import { contracts } from '../../lib/http/contracts/all.ts';
import type { Route } from '../../lib/route.ts';
import { routes } from '../../lib/routes.ts';
import { askFor, dependencies } from './assertions.ts';
import { type Attack, must } from './attack.ts';
import type { Received } from './send.ts';
import type { World } from './world.ts';

function lacking({ status, json, text, headers }: Received): void {
  must(status === 403 && json?.error === 'insufficient_scope', `status ${status}`, text);
  must(String(headers['www-authenticate']).startsWith('Bearer error="insufficient_scope"'), 'no challenge', headers);
}

/** A token allows only what its scopes say, however more is requested. */
export async function scopes(world: World): Promise<Attack[]> {
  const { ours } = world;
  const limited = async (...names: Scope[]) => {
    const client = await createClient(dependencies(world), ours.teamId, names);
    const fields = { client_id: client.client_id, client_secret: client.client_secret };
    return { fields, token: (await askFor(world, fields)).json.access_token as string };
  };
  const none = await limited('accounts:read');
  const reader = await limited(...allScopes.filter((scope) => scope !== 'contacts:private'));
  const group = 'beyond the scope';

  const guarded = (routes as readonly Route[]).flatMap(({ id, path, methods }) => {
    const scope = contracts.find((contract) => contract.id === id)?.scope;
    return scope === undefined || scope === 'accounts:read' ? [] : methods.map((method) => ({ method, path }));
  });
  const calls = guarded.map(({ method, path }): Attack => {
    const target = path.replace(/\{\w+\}/g, ours.contactId);
    const body = method === 'GET' ? undefined : {};
    return {
      group,
      name: `${method} ${path}`,
      run: async () => lacking(await world.call(method, target, body, none.token)),
    };
  });

  const greedy = [...allScopes.filter((scope) => scope !== 'accounts:read'), 'accounts:read contacts:read'];
  const asked = [...greedy, '*', 'all', 'accounts:*', 'accounts:read\tcontacts:read', 'constructor', '%00'].map(
    (scope): Attack => ({
      group,
      name: `a token for ${JSON.stringify(scope)}`,
      run: async () => {
        const { status, json, text } = await askFor(world, { ...none.fields, scope });
        must(status === 400 && json?.error === 'invalid_scope', `status ${status}`, text);
      },
    }),
  );

  const search = `/v1/engagement-channels/${ours.channelId}/content-containers/search`;
  const names = [
    'meta_private[core_id]',
    'meta_private%5Bcore_id%5D',
    'meta%5Fprivate[core_id]',
    '%6deta_private[core_id]',
  ];
  const lookups = names.map(
    (name): Attack => ({
      group: 'private metadata without the scope',
      name: `lookup by ${name}`,
      run: async () => lacking(await world.call('GET', `${search}?${name}=${ours.coreId}`, undefined, reader.token)),
    }),
  );
  const reads: [string, string, unknown?][] = [
    ['GET', `/v1/contacts/${ours.contactId}`],
    ['GET', '/v1/contacts?limit=100'],
    ['GET', `/v1/contacts?search=${ours.coreId}`],
    ['GET', `/v1/contacts?search=${ours.coreId}&unique_id=${ours.uniqueId}`],
    ['GET', `/v1/contacts?search=${ours.coreId}&sort_column=email`],
    ['GET', `/v1/journeys?contact_id=${ours.contactId}`],
    ['PATCH', `/v1/contacts/${ours.contactId}`, {}],
    ['PUT', `/v1/contacts/${ours.contactId}`, { meta_private: {} }],
    ['POST', '/v1/contacts', { unique_id: ours.uniqueId }],
    ['POST', '/v1/contacts', { contacts: [{ unique_id: ours.uniqueId }] }],
    ['POST', `/v1/templates/${ours.templateId}/journeys`, { contact: { unique_id: ours.uniqueId } }],
  ];
  const shown = reads.map(
    ([method, target, body]): Attack => ({
      group: 'private metadata without the scope',
      name: `${method} ${target.split('?')[0]}`,
      run: async () => {
        const { status, text } = await world.call(method, target, body, reader.token);
        must(status < 300, `status ${status}`, text);
        must(!text.includes(ours.coreId) && !text.includes('meta_private'), 'it is shown', text);
        const found = target.includes('search=') && !text.includes('"contacts":[]');
        must(!found, 'the search found it', text);
      },
    }),
  );
  const lengths: Attack = {
    group: 'private metadata without the scope',
    name: 'its length, by the limit and a batch that writes nothing',
    run: async () => {
      const invalid = { unique_id: randomUUID(), birthdate: 'x' };
      const answerTo = async (uniqueId: string, length: number) => {
        const contacts = [{ unique_id: uniqueId, meta_private: { filler: 'x'.repeat(length) } }, invalid];
        return (await world.call('POST', '/v1/contacts', { contacts }, reader.token)).json.details;
      };
      for (const length of [16_000, 16_300, 16_350, 16_360]) {
        const [own, unknown] = [await answerTo(ours.uniqueId, length), await answerTo(randomUUID(), length)];
        must(JSON.stringify(own) === JSON.stringify(unknown), `the limit shows what is stored beside ${length}`, own);
      }
    },
  };
  return [...calls, ...asked, ...lookups, ...shown, lengths];
}
