import { timestamp } from '../../domain/values/timestamp.ts';
import { holdersPage } from '../../store/accounts/holders.ts';
import { directoryPage } from '../../store/contacts/directory.ts';
import { writeOne } from '../../store/table/database.ts';
import { directoryShards } from '../../store/table/keys.ts';
import { endHeld, heldPage } from '../../store/targeting/marks.ts';
import {
  listWalks,
  type Walk,
  type WalkData,
  type WalkOver,
  walkDeletion,
  walkWrite,
} from '../../store/targeting/walks.ts';
import { again } from './ask-for-walk.ts';
import { saveCount } from './count-contacts.ts';
import { judgeContacts, type TargetingService } from './judge-contacts.ts';
import type { Bound } from './start.ts';
import { loadTeamRules } from './team-rules.ts';

/** Contacts that one step looks at. */
const contactsAtOnce = 200;

/** Those that are short come first. */
const order: readonly WalkOver['kind'][] = ['holders', 'held', 'existing', 'everybody'];

/** Works the walks of the team that may begin, a page at a time. */
export async function workWalks(
  service: TargetingService,
  teamId: string,
  hasTime: () => boolean,
): Promise<'empty' | 'out of time'> {
  const { database, now } = service;
  for (;;) {
    const walks = await listWalks(database, teamId);
    const ready = walks.filter(({ begins_at }) => Date.parse(begins_at) <= now());
    const [next] = ready.sort((a, b) => order.indexOf(a.over.kind) - order.indexOf(b.over.kind));
    if (!next) return 'empty';
    if (!hasTime()) return 'out of time';
    if (next.began_at === null) await begin(service, teamId, next);
    else await step(service, teamId, next);
  }
}

/** From now on, changes are marked again: this walk can have passed whom they concern. */
async function begin({ database, now, newId }: TargetingService, teamId: string, walk: Walk): Promise<void> {
  const at = timestamp(now());
  const begun = { ...walk, began_at: at, moved_at: at, replaces_marks: false };
  await writeOne(database, walkWrite(teamId, begun, walk, newId()));
}

type WalkPage = { contactIds: readonly string[]; next: string | undefined };

/**
 * Judges a page and moves the cursor, unless the walk was changed meanwhile. A page that is judged twice starts nothing
 * twice.
 */
async function step(service: TargetingService, teamId: string, walk: Walk): Promise<void> {
  const { database, now, newId } = service;
  const { contactIds, next } = await pageOf(service, teamId, walk);
  const bound = boundOf(walk);
  const { started, held, tooMany } = await judgeContacts(service, teamId, contactIds, {
    bound,
    isSeldom: walk.over.kind !== 'held',
  });
  const before = bound.kind === 'walk' ? bound.walk : walk;
  if (walk.over.kind === 'held') {
    const { template_id } = walk.over;
    const again = new Set(held.flatMap((each) => (each.template_id === template_id ? [each.contact.id] : [])));
    const done = contactIds.filter((id) => !again.has(id));
    await endHeld(database, teamId, template_id, done);
  }
  const isAcross = walk.over.kind === 'everybody' || walk.over.kind === 'existing';
  const isLast = next === undefined && (!isAcross || walk.shard === directoryShards - 1);
  // What the brake or the bound holds back now, it holds back from everybody who follows.
  const isStopped = held.length > 0 && (walk.over.kind === 'held' || walk.over.kind === 'existing');
  const moved: WalkData = {
    ...before,
    moved_at: timestamp(now()),
    looked: walk.looked + contactIds.length,
    started: bound.kind === 'walk' ? before.started : walk.started + started,
    held: walk.held + held.length,
    too_many: walk.too_many + tooMany,
    ...(next === undefined ? { shard: walk.shard + 1, after: null } : { after: next }),
  };
  if (!isLast && !isStopped) await writeOne(database, walkWrite(teamId, moved, before, newId()));
  else await end(service, teamId, before, moved);
}

async function end(
  service: TargetingService,
  teamId: string,
  walk: Walk,
  { looked: contacts, too_many: too_many_accounts }: WalkData,
): Promise<void> {
  const { database, now, newId } = service;
  if (walk.over.kind === 'everybody') {
    await saveCount(service, teamId, await loadTeamRules(service, teamId), { contacts, too_many_accounts });
  }
  if (walk.again_at === null) await database.transact([walkDeletion(teamId, walk)]);
  else await writeOne(database, walkWrite(teamId, again(walk, now()), walk, newId()));
}

function boundOf(walk: Walk): Bound {
  const { over } = walk;
  return over.kind === 'existing' ? { kind: 'walk', walk: { ...walk, over } } : { kind: 'brakes' };
}

async function pageOf({ database }: TargetingService, teamId: string, walk: Walk): Promise<WalkPage> {
  const { over, shard, after } = walk;
  const page = { limit: contactsAtOnce, after: after ?? undefined };
  switch (over.kind) {
    case 'holders': {
      const { contactIds, next } = await holdersPage(database, teamId, over.account_number, page);
      return { contactIds, next };
    }
    case 'held':
      return heldPage(database, teamId, over.template_id, page);
    default:
      return directoryPage(database, teamId, shard, page);
  }
}
