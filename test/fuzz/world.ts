import { setTimeout as sleep } from 'node:timers/promises';
import type { Known } from './arbitrary.ts';

export type Target = { baseUrl: string; clientId: string; clientSecret: string };

type Template = {
  id: string;
  is_archived: boolean;
  status: string;
  is_muted: boolean | null;
  is_auth_required: boolean | null;
};
type Page = {
  page: {
    id: string;
    completion_condition: string | null;
    content_containers: { engagement_channel_id: string | null }[];
  };
};
type Contact = { id: string; unique_id: string };
type Journey = { id: string; slug: string; template_id: string };

/** The objects that exist when the fuzz test begins, all read or created through the API. */
export type World = {
  target: Target;
  token: string;
  /** For each path template, the parameters of existing objects. */
  places: Record<string, Record<string, string>[]>;
  known: Known;
  contacts: Contact[];
  liveTemplates: ReadonlySet<string>;
  /** For each slug, whether each page can be completed on the journey page; empty if the journey is not shown. */
  pages: Map<string, Map<string, boolean>>;
  /** Slugs of the journeys that are shown only after a proof of identity. */
  guarded: ReadonlySet<string>;
  /** The state that invalid requests must not change. */
  snapshot(): Promise<unknown>;
};

const uniqueIds = ['fuzz-1', 'fuzz-2', 'jürgen@example.com', 'with/slash', 'with blank', '😀'];
const batchIds = ['fuzz-batch', 'fuzz batch 2'];

export async function makeWorld(target: Target): Promise<World> {
  const token = await tokenOf(target);
  const call = callerOf(target, token);
  const contacts = await seededContacts(call);
  for (const batch_id of batchIds) await seedBatch(call, batch_id);
  const { templates } = await call<{ templates: Template[] }>('GET', '/v1/templates');
  const live = templates.filter((each) => !each.is_archived && each.status !== 'archived');
  const pages = new Map<string, Page[]>();
  for (const { id } of live) pages.set(id, await call('GET', `/v1/templates/${id}/template_pages`));
  const journeys = await Promise.all(
    live.map(({ id }, at) =>
      call<Journey>('POST', `/v1/templates/${id}/journeys`, { contact: { id: contacts[at % contacts.length]!.id } }),
    ),
  );
  const channels = [
    ...new Set(
      [...pages.values()]
        .flat()
        .flatMap(({ page }) => page.content_containers.flatMap((each) => each.engagement_channel_id ?? [])),
    ),
  ];
  const contents = await contentPlaces(call, channels, contacts);
  const isMuted = (id: string) => live.some((each) => each.id === id && each.is_muted === true);
  const asksForProof = (id: string) => live.some((each) => each.id === id && each.is_auth_required === true);
  const { next_cursor } = await call<{ next_cursor: string }>('GET', '/v1/contacts?limit=2');
  const { next_cursor: batch_cursor } = await call<{ next_cursor: string }>('GET', '/v1/batches?limit=1');
  const slugs = journeys.map(({ slug }) => ({ slug }));
  const ids = (values: readonly string[], name = 'id') => values.map((value) => ({ [name]: value }));
  const contactIds = contacts.map(({ id }) => id);
  const liveIds = live.map(({ id }) => id);
  const templateIds = templates.map(({ id }) => id);
  return {
    target,
    token,
    contacts,
    liveTemplates: new Set(liveIds),
    pages: new Map(
      journeys.map(({ slug, template_id }) => [
        slug,
        new Map(
          (isMuted(template_id) ? [] : pages.get(template_id)!).map(({ page }) => [
            page.id,
            ['view', 'confirm', 'action'].includes(page.completion_condition ?? ''),
          ]),
        ),
      ]),
    ),
    guarded: new Set(journeys.filter(({ template_id }) => asksForProof(template_id)).map(({ slug }) => slug)),
    places: {
      '/v1/contacts/{id}': ids(contactIds),
      '/v1/contacts/{contact_id}/accounts': ids(contactIds, 'contact_id'),
      '/v1/batches/{batch_id}': ids(batchIds, 'batch_id'),
      '/v1/templates/{id}': ids(templateIds),
      '/v1/templates/{id}/template_messages': ids(templateIds),
      '/v1/templates/{id}/template_pages': ids(templateIds),
      '/v1/templates/{template_id}/journeys': ids(liveIds, 'template_id'),
      '/v1/templates/{template_id}/journeys/{journey_id}': journeys.map(({ id, template_id }) => ({
        template_id,
        journey_id: id,
      })),
      '/v1/journeys/{journey_id}/responses': ids(
        journeys.map(({ id }) => id),
        'journey_id',
      ),
      '/v1/engagement-channels/{channel_id}/content-containers/search': ids(channels, 'channel_id'),
      '/c/{channel_id}/{reference}': contents,
      '/j/{slug}': slugs,
      '/j/{slug}/actions': slugs,
      '/j/{slug}/identity': slugs,
      '/j/{slug}/pages/{page_id}/viewed.gif': journeys.flatMap(({ slug, template_id }) =>
        pages.get(template_id)!.map(({ page }) => ({ slug, page_id: page.id })),
      ),
    },
    known: {
      unique_id: uniqueIds,
      email: ['fuzz@example.com', uniqueIds[2]!],
      contact_id: contactIds,
      id: contactIds,
      template_id: liveIds,
      batch_id: batchIds,
      page_id: [...pages.values()].flat().map(({ page }) => page.id),
      page: [...pages.values()].flat().map(({ page }) => page.id),
      client_id: [target.clientId],
      client_secret: [target.clientSecret],
      cursor: [next_cursor],
      batch_cursor: [batch_cursor],
      contact: [],
      product: [],
      chunk_index: [],
    },
    snapshot: () => snapshotOf(call, contactIds, batchIds),
  };
}

/** The content URLs of the channels for the contacts. */
const contentPlaces = (call: Call, channels: readonly string[], contacts: readonly Contact[]) =>
  Promise.all(
    channels.flatMap((channel_id) =>
      contacts.map(async ({ id }) => {
        const search = `/v1/engagement-channels/${channel_id}/content-containers/search?id=${id}`;
        const { url } = await call<{ url: string }>('GET', search);
        return { channel_id, reference: new URL(url).pathname.split('/').at(-1)! };
      }),
    ),
  );

async function tokenOf({ baseUrl, clientId, clientSecret }: Target): Promise<string> {
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  const response = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers: json, body });
  if (!response.ok) throw new Error(`no token was given: ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

const json = { 'content-type': 'application/json' };
type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

const callerOf =
  ({ baseUrl }: Target, token: string): Call =>
  async <T>(method: string, path: string, body?: object) => {
    const headers = { ...json, authorization: `Bearer ${token}` };
    const response = await fetch(baseUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };

async function seededContacts(call: Call): Promise<Contact[]> {
  const contacts = uniqueIds.map((unique_id) => ({
    unique_id,
    phone_mobile: '5551234567',
    meta_private: { core_id: unique_id },
  }));
  const { new_contacts, existing_contacts } = await call<Record<'new_contacts' | 'existing_contacts', Contact[]>>(
    'POST',
    '/v1/contacts',
    { contacts },
  );
  return [...new_contacts, ...existing_contacts];
}

async function seedBatch(call: Call, batch_id: string): Promise<void> {
  const records = uniqueIds.map((unique_id, at) => ({
    account_number: `fuzz-${at}`,
    contact: { unique_id },
    product: { code: 'FUZZ', type: 'checking' },
  }));
  await call('POST', '/v1/batches', { type: 'accounts', batch_id, chunk_index: 0, records });
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await call<{ status: string }>('GET', `/v1/batches/${encodeURIComponent(batch_id)}`);
    if (status !== 'processing') return;
    await sleep(50);
  }
  throw new Error('the accounts of the fuzz were not imported');
}

/** The hundred most recently changed contacts (so that any write is visible), and all that the seed created. */
async function snapshotOf(call: Call, contactIds: readonly string[], batches: readonly string[]): Promise<unknown> {
  const paths = [
    '/v1/contacts?sort_column=updated_at&sort_direction=desc&limit=100',
    ...contactIds.flatMap((id) => [`/v1/contacts/${id}/accounts`, `/v1/journeys?contact_id=${id}`]),
    ...batches.map((id) => `/v1/batches/${encodeURIComponent(id)}`),
  ];
  return Promise.all(paths.map((path) => call('GET', path)));
}
