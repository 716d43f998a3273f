import { type WebhookProgress, webhookLane } from '../../../lib/domain/events/webhook.ts';
import { importLane, maxAttempts } from '../../../lib/domain/imports/chunk.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { type Lane, wakeAfter } from '../../../lib/domain/waiting-work/lane.ts';
import { appendEvents } from '../../../lib/operations/events/append-events.ts';
import { deliverWebhook, endOfDelivery } from '../../../lib/operations/events/deliver-webhook.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { wakeWebhooks, webhooksThatWait } from '../../../lib/operations/events/wake-webhooks.ts';
import { completionsThatWait, workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { acceptBatch } from '../../../lib/operations/imports/accept.ts';
import { importsThatWait, workTeam } from '../../../lib/operations/imports/work.ts';
import { askForWalk } from '../../../lib/operations/targeting/ask-for-walk.ts';
import { targetingThatWaits } from '../../../lib/operations/targeting/targeting-that-waits.ts';
import { workMarks } from '../../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../../lib/operations/targeting/work-walks.ts';
import type { Standing } from '../../../lib/operations/waiting-work/sweep.ts';
import { type Turn, type TurnEnd, workLane } from '../../../lib/operations/waiting-work/turn.ts';
import { wake } from '../../../lib/operations/waiting-work/wake.ts';
import { completionLane, completionWork } from '../../../lib/store/events/completion-work.ts';
import { loadFailed } from '../../../lib/store/imports/import-work.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import {
  chunkKey,
  claimKey,
  contactMarkKey,
  duePartition,
  journeyActionKey,
  journeyKey,
  laneOfMark,
  payloadKey,
  targetingRuleKey,
  webhookKey,
} from '../../../lib/store/table/keys.ts';
import { lanesOf, writeMarks } from '../../../lib/store/targeting/marks.ts';
import { walkLane } from '../../../lib/store/targeting/walks.ts';
import { posted } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { event } from '../../support/samples/events.ts';
import {
  pages,
  shortTemplateId,
  targetedTemplateId,
  templateId,
  type World,
  type WorldDependencies,
} from '../events/world.ts';
import type { FaultKind } from './settings.ts';

type Simulated = World<FaultKind>;

/** A subject whose work waits. Pieces of work are numbered. */
export interface User {
  lane: Lane;
  /** A client stores a piece of work and wakes the lane. It can be repeated. */
  store(dependencies: WorldDependencies, piece: number): Promise<unknown>;
  /** Something makes the stored piece defective. Only where a lane sets such work aside at once. */
  spoil?(piece: number): void;
  standing(dependencies: WorldDependencies): Promise<Standing>;
  work(dependencies: WorldDependencies, turn: Turn): Promise<TurnEnd>;
  /** Whether nothing waits, as the table shows it. */
  isEmpty(): boolean;
  /** When the lane can be worked again, if it is paused. */
  pausedUntil?(): number;
  /** What became of the piece: done, set aside with this reason, or something else. */
  outcome(piece: number): Promise<string>;
}

export const done = 'done';

function imports({ team, table }: Simulated): User {
  const spoilt = (piece: number) => table.model.read(claimKey(team, 'b', chunkKey(team, 'b', piece).sk))!;
  return {
    lane: importLane(team),
    store: (dependencies, piece) => {
      const records = [{ account_number: `${piece}`, contact: { unique_id: 'a' } }];
      return acceptBatch(
        dependencies,
        { teamId: team, clientId: 'test' },
        posted({ batch_id: 'b', chunk_index: piece, records }),
      );
    },
    spoil: (piece) => {
      const { status, payload_id } = spoilt(piece);
      if (status === 'open') table.model.damage(payloadKey(team, String(payload_id), 0), { data: Buffer.from('no') });
    },
    standing: (dependencies) => importsThatWait(dependencies, team),
    work: async (dependencies, { hasTime }) => (await workTeam(dependencies, team, hasTime)).outcome,
    isEmpty: () => table.model.page({ pk: `T#${team}#Q`, prefix: 'OPEN#' }).items.length === 0,
    outcome: async (piece) => {
      const failed = (await loadFailed(table.model, team)).find(({ index }) => index === piece);
      return failed?.failure ?? (spoilt(piece).status === 'completed' ? done : `is ${spoilt(piece).status}`);
    },
  };
}

function completions(world: Simulated): User {
  const { team, table } = world;
  const idOf = (piece: number) => derivedContactId(team, `p${piece}`);
  const passedOver = new Map<string, string>();
  return {
    lane: completionLane(team),
    store: async (dependencies, piece) => {
      const work = completionWork(team, timestamp(dependencies.now()), `change ${piece}`, {
        contactIds: [idOf(piece)],
      });
      await dependencies.database.write(work);
      await wake(dependencies, completionLane(team));
    },
    spoil: (piece) => table.model.damage({ pk: `T#${team}#C#${idOf(piece)}`, sk: 'CONTACT' }, { data: 7 }),
    standing: (dependencies) => completionsThatWait(dependencies, team),
    work: (dependencies, { hasTime }) => {
      const onContactFailure = (error: unknown, id: string) => passedOver.set(id, (error as Error).message);
      return workCompletions({ ...dependencies, onContactFailure }, team, hasTime);
    },
    isEmpty: () => table.model.page({ pk: `T#${team}#Q#COMPLETIONS` }).items.length === 0,
    outcome: async (piece) => {
      const action = { kind: 'completed', page_id: pages.objective };
      const isRecorded = table.model.read(journeyActionKey(team, idOf(piece), templateId, action)) !== undefined;
      return isRecorded ? done : (passedOver.get(idOf(piece)) ?? 'is not recorded');
    },
  };
}

function webhooks(world: Simulated): User {
  const { team, table, webhook } = world;
  const progress = (): WebhookProgress =>
    JSON.parse(String(table.model.read(webhookKey(team, webhook.webhook_id))?.progress));
  return {
    lane: webhookLane(webhook),
    store: async (dependencies, piece) => {
      const before = await appendEvents(dependencies, team, [event(piece, { team_id: team })]);
      const waking = { ...dependencies, wake: (lane: Lane) => wake(dependencies, lane) };
      await wakeWebhooks(waking, team, before!);
    },
    standing: (dependencies) => webhooksThatWait(dependencies, team),
    work: async (dependencies, turn) => {
      const send = async ({ body }: { body: string }) => {
        if (world.happens('receiver fails')) return 503;
        world.received.push(JSON.parse(body).data);
        return 204;
      };
      const delivering = { ...dependencies, send, retentionDays: 365 };
      const report = await deliverWebhook(delivering, { ...webhook, group: turn.group }, turn.hasTime);
      return endOfDelivery(report, turn, dependencies.now());
    },
    isEmpty: () => {
      const head = table.model.read({ pk: `T#${team}#E`, sk: 'HEAD' });
      const { items } = table.model.page({ pk: `T#${team}#W#${webhook.webhook_id}`, prefix: 'RETRY#' });
      return progress().position.seq > Number(head?.seq ?? 0) && items.length === 0;
    },
    pausedUntil: () => Date.parse(progress().next_at ?? '1970-01-01'),
    outcome: async (piece) => (world.received.some(({ id }) => id === event(piece).id) ? done : 'was never received'),
  };
}

/** The smallest user: a piece of work is an item. Its attempts are counted, but not those that an outage ended. */
function model({ team, table }: Simulated): User {
  const lane: Lane = { work: 'completions', team_id: team, id: 'model' };
  const pk = `T#${team}#MODEL`;
  const nameOf = (piece: number) => String(piece).padStart(4, '0');
  const keyOf = (list: 'WORK' | 'DONE' | 'ASIDE', name: string) => ({ pk, sk: `${list}#${name}` });
  return {
    lane,
    store: async (dependencies, piece) => {
      const at = dependencies.now();
      const item = { ...keyOf('WORK', nameOf(piece)), at, attempts: 0 };
      const marker = { pk, sk: `STORED#${nameOf(piece)}` };
      await dependencies.database.transact([
        { kind: 'insert', item: marker },
        { kind: 'insert', item },
      ]);
      await wake(dependencies, lane);
    },
    spoil: (piece) => table.model.damage(keyOf('WORK', nameOf(piece)), { isDefective: true }),
    standing: async ({ database }) => {
      const { items } = await database.query({ pk, prefix: 'WORK#', limit: 1 });
      return { lanes: items.map(({ at }) => ({ lane, since: Number(at), wakeAt: Number(at) + wakeAfter })) };
    },
    work: ({ database }, { hasTime }) =>
      workLane(
        hasTime,
        async () => (await database.query({ pk, prefix: 'WORK#', limit: 1 })).items[0],
        async ({ sk, attempts, isDefective }) => {
          const name = sk.slice('WORK#'.length);
          const key = keyOf('WORK', name);
          const expect = { attempts };
          if (isDefective && Number(attempts) < 2) {
            return database.write([{ kind: 'update', key, set: { attempts: Number(attempts) + 1 }, expect }]);
          }
          const end = isDefective ? { ...keyOf('ASIDE', name), reason: 'a defect' } : keyOf('DONE', name);
          return void (await database.transact([
            { kind: 'delete', key, expect },
            { kind: 'insert', item: end },
          ]));
        },
      ),
    isEmpty: () => table.model.page({ pk, prefix: 'WORK#' }).items.length === 0,
    outcome: async (piece) => {
      const [isDone, aside] = [keyOf('DONE', nameOf(piece)), keyOf('ASIDE', nameOf(piece))].map((key) =>
        table.model.read(key),
      );
      if (isDone && aside) return 'has two ends';
      return isDone ? done : String(aside?.reason ?? 'has no end');
    },
  };
}

/** Journeys that expire. The sweep moves them to the lane of completions. */
function dueJourneys({ team, table }: Simulated): User {
  const idOf = (piece: number) => derivedContactId(team, `d${piece}`);
  const journey = (piece: number) => table.model.read(journeyKey(team, idOf(piece), shortTemplateId));
  const due: number[] = [];
  return {
    lane: { ...completionLane(team), id: 'due' },
    store: async (dependencies, piece) => {
      const fields = { unique_id: `d${piece}`, journey: { template_id: shortTemplateId } };
      await upsertContact(dependencies, team, record(fields));
      due.push(Date.parse(String(journey(piece)?.due_at)));
    },
    standing: (dependencies) => moveDue(dependencies, team),
    work: async () => 'empty',
    isEmpty: () => {
      const waiting = [...table.model.items.values()].filter(
        ({ pk, sk }) =>
          (pk === duePartition(team) && sk.includes('#JOURNEY#')) ||
          (pk.endsWith('#COMPLETIONS') && sk.startsWith('DUE#')),
      );
      return waiting.length === 0;
    },
    // The mover may have another clock than the client.
    pausedUntil: () => Math.max(0, ...due) + 4000,
    outcome: async (piece) => {
      return journey(piece)?.expired_at ? done : 'has not expired';
    },
  };
}

/** A contact with this prefix whose marks are in the first lane of targeting. */
function uniqueIdOf(team: string, prefix: string, piece: number): string {
  for (let n = 0; ; n++) {
    const uniqueId = `${prefix}${piece}-${n}`;
    if (laneOfMark(contactMarkKey(team, derivedContactId(team, uniqueId))) === '0') return uniqueId;
  }
}

/** Contacts that are marked, and contacts that only a walk over everybody finds: of each, a rule holds. */
function targeting({ team, table }: Simulated): User[] {
  const passedOver = new Map<string, string>();
  const idOf = (prefix: string) => (piece: number) => derivedContactId(team, uniqueIdOf(team, prefix, piece));
  const [marked, walked] = [idOf('m'), idOf('w')];
  const judging = (dependencies: WorldDependencies) => ({
    ...dependencies,
    onRuleFailure: (error: unknown) => {
      throw error;
    },
    onPassedOver: (error: unknown, id = '') => void passedOver.set(id, (error as Error).message),
  });
  const outcomeOf = (id: string) => {
    const isStarted = table.model.read(journeyKey(team, id, targetedTemplateId)) !== undefined;
    return isStarted ? done : (passedOver.get(id) ?? 'has no journey');
  };
  const [lane, walks] = [lanesOf(team)[0]!, walkLane(team)];
  const marks: User = {
    lane,
    store: async (dependencies, piece) => {
      const { database, now, newId: newToken } = dependencies;
      await writeMarks(database, team, [{ contactId: marked(piece) }], { at: timestamp(now()), newToken });
      await wake(dependencies, lane);
    },
    spoil: (piece) => table.model.damage({ pk: `T#${team}#C#${marked(piece)}`, sk: 'CONTACT' }, { data: 7 }),
    standing: (dependencies) => targetingThatWaits(dependencies, team),
    work: (dependencies, { hasTime }) => workMarks(judging(dependencies), team, 0, hasTime),
    isEmpty: () => table.model.page({ pk: `T#${team}#Q#TARGETING#0` }).items.length === 0,
    outcome: async (piece) => outcomeOf(marked(piece)),
  };
  return [
    marks,
    {
      lane: walks,
      store: (dependencies) => askForWalk(dependencies, team, { kind: 'everybody' }),
      // The marks tell of both.
      standing: async () => ({ lanes: [] }),
      work: (dependencies, { hasTime }) => workWalks(judging(dependencies), team, hasTime),
      isEmpty: () => table.model.page({ pk: `T#${team}#Q#WALKS` }).items.length === 0,
      outcome: async (piece) => outcomeOf(walked(piece)),
    },
  ];
}

/** Reasons for which work may be set aside, if it is defective. */
export const reasons = ['its stored records cannot be read', 'a stored contact is invalid: data', 'a defect'];
/** A chunk whose attempts are all used up. A worker that dies uses one up. */
export const givenUp = `given up after ${maxAttempts} attempts`;

/** The users on one table, with contacts whose completions nobody has recorded. */
export async function usersOf(world: Simulated, pieces: number): Promise<User[]> {
  const { table, content } = world;
  let ids = 0;
  const newId = () => `00000000-0000-4000-8002-${String(ids++).padStart(12, '0')}`;
  const calm = serviceOn(table.model, {
    ...{ content, now: () => world.clock, newId, newSlug: newId, pause: async () => {} },
  });
  for (let piece = 0; piece < pieces; piece++) {
    const fields = { unique_id: `p${piece}`, journey: { template_id: templateId }, enrolled: '2026-01-01' };
    await upsertContact(calm, world.team, record(fields));
    for (const prefix of ['m', 'w']) {
      const unique_id = uniqueIdOf(world.team, prefix, piece);
      await upsertContact(calm, world.team, record({ unique_id, meta_public: { targeted: 'yes' } }));
    }
  }
  // For all contacts.
  table.model.damage(targetingRuleKey(world.team, targetedTemplateId), { live: true, since: '' });
  return [imports(world), completions(world), webhooks(world), dueJourneys(world), ...targeting(world), model(world)];
}
