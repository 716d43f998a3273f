import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { LocalDescription } from '../../../bin/local/description.ts';
import type { PrivateKey } from '../../../lib/domain/access/signing-key.ts';
import { KeyFile } from '../../../lib/store/access/private-keys.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { localTable } from '../../support/engine/local-table.ts';
import { tokenOf } from '../../support/http/send.ts';
import { putContent } from '../../support/operations/content.ts';
import { newCredential, newTeam } from '../../support/operations/teams.ts';
import { type Received, type Sent, sendTo } from './send.ts';

/** A team with one object of each kind, and their ids. */
export type Side = {
  teamId: string;
  clientId: string;
  clientSecret: string;
  token: string;
  uniqueId: string;
  coreId: string;
  email: string;
  objectiveKey: string;
  contactId: string;
  templateId: string;
  pageId: string;
  closedTemplateId: string;
  closedPageId: string;
  channelId: string;
  journeyId: string;
  slug: string;
  closedSlug: string;
  batchId: string;
  accountNumber: string;
  webhookId: string;
  cursor: string;
  reference: string;
};

export type World = {
  baseUrl: string;
  database: Database;
  /** The team whose token the attacker has. */
  ours: Side;
  /** The team that the attacker tries to reach. */
  theirs: Side;
  send(sent: Sent): Promise<Received>;
  /** Headers of a caller that sends JSON with the attacker's token. */
  call(method: string, target: string, body?: unknown, token?: string): Promise<Received>;
  /** A credential of a team, to be revoked. */
  newClient(teamId: string): Promise<{ clientId: string; clientSecret: string; token: string }>;
  /** The service's private key, to build tokens with a single error. A real attacker never has it. */
  signingKey(): Promise<PrivateKey>;
  /** Everything visible of a team, to detect changes. */
  snapshot(side: Side): Promise<string>;
};

export async function makeWorld(description: LocalDescription): Promise<World> {
  const { base_url: baseUrl } = description;
  const database = localTable(description);
  const send = (sent: Sent) => sendTo(baseUrl, sent);

  const newClient = async (teamId: string) => {
    const credential = await newCredential(database, teamId);
    return { ...credential, token: await tokenOf(baseUrl, credential) };
  };
  const callWith = (token: string, method: string, target: string, body?: unknown) => {
    const json = body === undefined ? [] : ([['content-type', 'application/json']] as const);
    const headers = [['authorization', `Bearer ${token}`], ...json] as const;
    return send({ method, target, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };

  const side = async (): Promise<Side> => {
    const teamId = await newTeam(database);
    const client = await newClient(teamId);
    const names = {
      uniqueId: `u-${randomUUID()}`,
      coreId: `core-${randomUUID()}`,
      email: `${randomUUID()}@example.com`,
    };
    const objectiveKey = `objective_${randomUUID().replaceAll('-', '_')}`;
    const [templateId, closedTemplateId, channelId] = [randomUUID(), randomUUID(), randomUUID()];
    const [pageId, closedPageId] = [randomUUID(), randomUUID()];
    const container = {
      engagement_channel_id: channelId,
      content_blocks: [{ type: 'text', data: { heading: 'Yours' } }],
    };
    const page = { completion_condition: 'confirm', is_live: true, content: 'Good day {{name_first}}.' };
    const common = { status: 'live', content_block_status: 'published', is_cce_enabled: true };
    await putContent(database, teamId, {
      objectives: [{ key: objectiveKey, name: 'Objective' }],
      engagement_channels: [{ id: channelId, name: 'Channel', lookup_fields: ['email', 'meta_private[core_id]'] }],
      templates: [
        {
          ...common,
          id: templateId,
          name: 'Open',
          template_pages: [{ order: 1, page: { ...page, id: pageId, content_containers: [container] } }],
        },
        {
          ...common,
          id: closedTemplateId,
          name: 'Closed',
          is_auth_required: true,
          template_pages: [{ order: 1, page: { ...page, id: closedPageId } }],
        },
      ],
    });
    const call = (method: string, target: string, body?: unknown) => callWith(client.token, method, target, body);
    const contact = {
      ...{ unique_id: names.uniqueId, email: names.email, name_first: 'Annabel', birthdate: '1985-03-27' },
      ...{ post_code: '94110', meta_private: { core_id: names.coreId, limit: 'seven thousand' } },
    };
    const { id: contactId } = (await call('POST', '/v1/contacts', contact)).json;
    await call('POST', '/v1/contacts', { unique_id: `v-${randomUUID()}` });
    const start = async (template: string) => {
      return (await call('POST', `/v1/templates/${template}/journeys`, { contact: { id: contactId } })).json;
    };
    const [journey, closed] = [await start(templateId), await start(closedTemplateId)];
    const [batchId, accountNumber] = [`batch-${randomUUID()}`, `account-${randomUUID()}`];
    const records = [
      {
        account_number: accountNumber,
        contact: { unique_id: names.uniqueId },
        product: { code: 'P', type: 'checking' },
      },
    ];
    await call('POST', '/v1/batches', { type: 'accounts', batch_id: batchId, chunk_index: 0, records });
    for (let tries = 0; tries < 200; tries++) {
      if ((await call('GET', `/v1/batches/${batchId}`)).json.status === 'completed') break;
      await sleep(50);
    }
    const url = 'https://receiver.invalid/';
    const { id: webhookId } = (await call('POST', '/v1/webhooks', { url, types: ['file.*'] })).json;
    const { next_cursor: cursor } = (await call('GET', '/v1/contacts?limit=1')).json;
    const search = `/v1/engagement-channels/${channelId}/content-containers/search?unique_id=${names.uniqueId}`;
    const content = (await call('GET', search)).json;
    return {
      ...{ teamId, ...client, ...names, objectiveKey, contactId, templateId, pageId, closedTemplateId, closedPageId },
      ...{
        channelId,
        journeyId: journey.id,
        slug: journey.slug,
        closedSlug: closed.slug,
        batchId,
        accountNumber,
        webhookId,
        cursor,
      },
      reference: new URL(content.url).pathname.split('/').at(-1)!,
    };
  };

  const [ours, theirs] = [await side(), await side()];
  const keyFile = join(dirname(description.drop_box_folder), 'signing-keys.json');
  return {
    ...{ baseUrl, database, ours, theirs, send, newClient },
    call: (method, target, body, token = ours.token) => callWith(token, method, target, body),
    signingKey: async () => (await new KeyFile(pathToFileURL(keyFile).href).read())[0]!,
    snapshot: async ({ token, contactId, batchId, templateId, teamId }) => {
      const paths = [
        ...['/v1/contacts?limit=100', `/v1/contacts/${contactId}`, `/v1/contacts/${contactId}/accounts`],
        ...[`/v1/journeys?contact_id=${contactId}`, `/v1/batches/${batchId}`, '/v1/templates', '/v1/objectives'],
        '/v1/webhooks',
        `/v1/templates/${templateId}/template_pages`,
      ];
      const answers = await Promise.all(paths.map(async (path) => (await callWith(token, 'GET', path)).text));
      return JSON.stringify([teamId, ...answers]);
    },
  };
}
