import { randomBytes, randomUUID } from 'node:crypto';
import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import { type Area, type Attack, must } from './attack.ts';
import type { Received } from './send.ts';
import type { Side, World } from './world.ts';

/**
 * A token reaches only its own team. For an object of another team the response is the same as for an object that does
 * not exist: the same status, message and headers.
 */
export const tenancy: Area = async (world) => [
  ...paths(world),
  ...queries(world),
  ...bodies(world),
  ...sealed(world),
  ...writes(world),
];

/** The same request for an object that does not exist. */
const nobody = (): Side => {
  const unknown = (): string => randomUUID();
  const text = (like: string) => randomBytes(like.length).toString('hex').slice(0, like.length);
  return {
    ...{ teamId: unknown(), clientId: unknown(), clientSecret: '', token: '', uniqueId: `u-${unknown()}` },
    ...{ coreId: `core-${unknown()}`, email: `${unknown()}@example.com` },
    objectiveKey: `objective_${unknown().replaceAll('-', '_')}`,
    ...{ contactId: unknown(), templateId: unknown(), pageId: unknown(), closedTemplateId: unknown() },
    ...{ closedPageId: unknown(), channelId: unknown(), journeyId: unknown(), slug: text('x'.repeat(24)) },
    ...{ closedSlug: text('x'.repeat(24)), batchId: `batch-${unknown()}`, accountNumber: `account-${unknown()}` },
    ...{ webhookId: unknown(), cursor: text('x'.repeat(160)), reference: text('x'.repeat(290)) },
  };
};

/** The observable parts of a response, without those that differ for every request. */
function shape({ status, headers, text }: Received, side: Side): string {
  const { date, 'content-length': _, 'x-request-id': id, 'apigw-requestid': gatewayId, ...told } = headers;
  let said = text.replaceAll(String(id), '').replaceAll(String(gatewayId), '');
  for (const value of Object.values(side)) if (value.length > 8) said = said.replaceAll(value, '…');
  return JSON.stringify([status, Object.keys(told).sort(), said]);
}

type Ask = (side: Side) => Promise<Received>;

/** Requests an object of another team and one that does not exist. Both responses must be equal. */
function alike(group: string, name: string, world: World, ask: Ask, statuses: readonly number[] = [404]): Attack {
  const run = async () => {
    const unknown = nobody();
    const [about, control] = [await ask(world.theirs), await ask(unknown)];
    must(statuses.includes(about.status), `status ${about.status}, not ${statuses.join(' or ')}`, about.text);
    const [said, usual] = [shape(about, world.theirs), shape(control, unknown)];
    must(said === usual, 'another team’s and nobody’s are told apart', [said, usual]);
    leaksNothing(about, world.theirs);
  };
  return { group, name, run };
}

function leaksNothing({ text }: Received, { token, clientSecret, ...side }: Side): void {
  for (const secret of ['Annabel', '1985-03-27', 'seven thousand', side.email, side.slug, side.teamId]) {
    must(!text.includes(secret), `the answer holds ${secret}`, text);
  }
}

const parameters: Record<string, (side: Side, path: string) => string> = {
  id: (side, path) => {
    const { contactId: contacts, templateId: templates, webhookId: webhooks } = side;
    return { contacts, templates, webhooks }[path.split('/')[2]!] ?? side.journeyId;
  },
  contact_id: (side) => side.contactId,
  template_id: (side) => side.templateId,
  journey_id: (side) => side.journeyId,
  batch_id: (side) => side.batchId,
  channel_id: (side) => side.channelId,
};

const bodyOf = (id: string, ours: Side): unknown => {
  if (id === 'update-contact') return { city: 'Attacked' };
  if (id === 'create-journey') return { contact: { unique_id: ours.uniqueId } };
  if (id === 'opt-out' || id === 'verify-contact') return { channel: 'email' };
  return id === 'confirm-journey' ? { is_completion_confirmed: true } : undefined;
};

/** Every endpoint that requires a token, with every combination of another team's ids in its path. */
function paths(world: World): Attack[] {
  const behindToken = (routes as readonly Route[]).filter(
    ({ access, path }) => access === 'bearer' && path.includes('{'),
  );
  return behindToken.flatMap((route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const choices = [...Array(2 ** names.length).keys()]
      .slice(1)
      .map((bits) => names.filter((_, at) => bits & (1 << at)));
    return route.methods.flatMap((method) =>
      choices.map((foreign) => {
        const ask: Ask = (side) => {
          const target = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
            const value = parameters[name];
            must(value !== undefined, `no attack knows what {${name}} of ${route.path} stands for`);
            return encodeURIComponent(value(foreign.includes(name) ? side : world.ours, route.path));
          });
          const query = route.id === 'search-content-containers' ? `?unique_id=${world.ours.uniqueId}` : '';
          return world.call(method, target + query, bodyOf(route.id, world.ours));
        };
        return alike('ids in paths', `${method} ${route.path}, foreign ${foreign.join(' and ')}`, world, ask);
      }),
    );
  });
}

function queries(world: World): Attack[] {
  const group = 'ids and values in queries';
  const { ours } = world;
  const search = `/v1/engagement-channels/${ours.channelId}/content-containers/search`;
  const lookups: [string, (side: Side) => string][] = [
    ['id', ({ contactId }) => contactId],
    ['unique_id', ({ uniqueId }) => uniqueId],
    ['email', ({ email }) => email],
    ['meta_private[core_id]', ({ coreId }) => coreId],
  ];
  const get =
    (target: (side: Side) => string): Ask =>
    (side) =>
      world.call('GET', target(side));
  return [
    alike(
      group,
      'journeys of a contact',
      world,
      get((side) => `/v1/journeys?contact_id=${side.contactId}`),
      [200],
    ),
    alike(
      group,
      'a batch',
      world,
      get((side) => `/v1/batches?batch_id=${side.batchId}`),
    ),
    ...[(side: Side) => side.uniqueId, (side: Side) => side.email, (side: Side) => side.coreId].map((value, at) =>
      alike(
        group,
        `search for a value, ${at}`,
        world,
        get((side) => `/v1/contacts?search=${encodeURIComponent(value(side))}`),
        [200],
      ),
    ),
    ...lookups.map(([name, value]) =>
      alike(
        group,
        `lookup by ${name}`,
        world,
        get((side) => `${search}?${encodeURIComponent(name)}=${encodeURIComponent(value(side))}`),
        [200],
      ),
    ),
  ];
}

function bodies(world: World): Attack[] {
  const group = 'ids in bodies';
  const { ours } = world;
  const post =
    (target: string, body: (side: Side) => unknown): Ask =>
    (side) =>
      world.call('POST', target, body(side));
  const journeys = `/v1/templates/${ours.templateId}/journeys`;
  return [
    alike(
      group,
      'a contact’s journey of a template',
      world,
      post('/v1/contacts', ({ templateId }) => ({ unique_id: ours.uniqueId, journey: { template_id: templateId } })),
      [422],
    ),
    alike(
      group,
      'a batch’s journey of a template',
      world,
      post('/v1/contacts', ({ templateId }) => ({
        contacts: [{ unique_id: ours.uniqueId, journey: { template_id: templateId } }],
      })),
      [422],
    ),
    alike(
      group,
      'a journey for a contact',
      world,
      post(journeys, ({ contactId }) => ({ contact: { id: contactId } })),
      [422],
    ),
  ];
}

/** Sealed text of one team is invalid for another, however its parts are combined. */
function sealed(world: World): Attack[] {
  const { ours, theirs, send } = world;
  const group = 'cursors, slugs and references';
  const [, ...ourSeal] = ours.reference.split('.');
  const [theirTeam = '', ...theirSeal] = theirs.reference.split('.');
  const mixed: [string, string, string][] = [
    ['their reference under our channel', ours.channelId, theirs.reference],
    ['our reference under their channel', theirs.channelId, ours.reference],
    ['their team with our seal', theirs.channelId, [theirTeam, ...ourSeal].join('.')],
    ['our team with their seal', ours.channelId, [ours.reference.split('.')[0], ...theirSeal].join('.')],
    ['a cursor as a reference', theirs.channelId, `${theirTeam}.${theirs.cursor}`],
  ];
  const opened = mixed.flatMap(([name, channel, reference]) =>
    [
      { method: 'GET', end: '' },
      { method: 'POST', end: '/actions' },
    ].map(
      ({ method, end }): Attack => ({
        group,
        name: `${method} with ${name}`,
        run: async () => {
          const json =
            method === 'POST'
              ? { headers: [['content-type', 'application/json'] as const], body: '{"type":"page_viewed"}' }
              : {};
          const answer = await send({ method, target: `/c/${channel}/${reference}${end}`, ...json });
          must(answer.status === 404, `status ${answer.status}`, answer.text);
          must(!answer.text.includes('Yours'), 'the content is shown', answer.text);
        },
      }),
    ),
  );
  return [
    alike(group, 'a cursor', world, (side) => world.call('GET', `/v1/contacts?cursor=${side.cursor}`), [400]),
    alike(
      group,
      'a reference as a cursor',
      world,
      (side) => world.call('GET', `/v1/contacts?cursor=${side.reference}`),
      [400],
    ),
    alike(group, 'an action on a page of another team’s campaign', world, (side) =>
      send({
        ...{ method: 'POST', target: `/j/${ours.slug}/actions`, headers: [['content-type', 'application/json']] },
        body: JSON.stringify({ type: 'page_viewed', page_id: side.pageId }),
      }),
    ),
    alike(group, 'a page of another team’s campaign', world, (side) =>
      send({ target: `/j/${ours.slug}?page=${side.pageId}` }),
    ),
    ...opened,
  ];
}

/** Objects with the same name in two teams are different objects. */
function writes({ call, ours, theirs }: World): Attack[] {
  const group = 'writes under another team’s names';
  const attack = (name: string, run: () => Promise<void>): Attack => ({ group, name, run });
  return [
    attack('a contact of the same unique_id is a new one', async () => {
      const made = await call('POST', '/v1/contacts', { unique_id: theirs.uniqueId, name_first: 'Attacker' });
      must(made.status === 201 && made.json.id !== theirs.contactId, 'it is the other team’s', made.text);
      must(made.json.email === null, 'it has the other team’s fields', made.text);
    }),
    attack('a contact of the same email is a new one', async () => {
      const made = await call('POST', '/v1/contacts', { email: theirs.email });
      must(made.status === 201 && made.json.id !== theirs.contactId, 'it is the other team’s', made.text);
    }),
    attack('another team’s id in a contact means nothing', async () => {
      const made = await call('POST', '/v1/contacts', {
        unique_id: `w-${randomUUID()}`,
        id: theirs.contactId,
        team_id: theirs.teamId,
      });
      must(made.status === 201 && made.json.id !== theirs.contactId, 'it took the id', made.text);
    }),
    attack('another team’s objective is an unknown field', async () => {
      const made = await call('POST', '/v1/contacts', { unique_id: ours.uniqueId, [theirs.objectiveKey]: 'yes' });
      must(made.status === 200 && !made.text.includes(theirs.objectiveKey), 'it is known', made.text);
    }),
    attack('another team’s pair of batch_id and chunk_index is free', async () => {
      const records = [
        {
          account_number: theirs.accountNumber,
          contact: { unique_id: theirs.uniqueId },
          product: { code: 'P', type: 'loan' },
        },
      ];
      const sent = { type: 'accounts', batch_id: theirs.batchId, chunk_index: 0, records };
      const made = await call('POST', '/v1/batches', sent);
      must(made.status === 202 && made.json.duplicate === false, 'it is known', made.text);
    }),
    attack('lists hold nothing of another team', async () => {
      for (const path of [
        '/v1/contacts?limit=100',
        '/v1/templates',
        '/v1/objectives',
        `/v1/contacts/${ours.contactId}/accounts`,
      ]) {
        const { text } = await call('GET', path);
        for (const id of [theirs.contactId, theirs.templateId, theirs.objectiveKey, theirs.teamId]) {
          must(!text.includes(id), `${path} holds ${id}`);
        }
      }
    }),
  ];
}
