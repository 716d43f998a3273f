import { includeExisting, judgeEverybody } from '../../../bin/admin/operations/targeting/existing.ts';
import { resumeTargeting } from '../../../bin/admin/operations/targeting/resume.ts';
import { journeysToUndo, undoJourneys } from '../../../bin/admin/operations/targeting/undo.ts';
import { acceptBatch } from '../../../lib/operations/imports/accept.ts';
import { cancelJourney } from '../../../lib/operations/journeys/cancel.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { keyOfJourney } from '../../../lib/store/journeys/journey-items.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { posted } from '../../support/operations/import-operations.ts';
import { upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import type { World, WorldDependencies } from '../events/world.ts';
import {
  type CampaignName,
  campaignNames,
  campaignOf,
  campaigns,
  type Decision,
  pageOf,
  productTypes,
  templateOf,
} from './campaigns.ts';
import type { History } from './history.ts';
import type { FaultKind, Settings } from './settings.ts';

export type Task = (dependencies: WorldDependencies) => Promise<unknown>;
type Simulated = World<FaultKind>;

export const persons = ['a', 'b', 'c'];
const numbers = ['1', '2', '3', '4'];

/** What a client asks the service to do. */
export function clientTask(world: Simulated, history: History, isErasing: (uniqueId: string) => boolean): Task {
  const { random, team } = world;
  const unique_id = random.pick(persons.filter((each) => !isErasing(each)));
  const contactId = derivedContactId(team, unique_id);
  const kind = random.below(12);
  if (kind < 5) {
    const template_id = campaigns[random.pick(campaignNames.filter((name) => name !== 'note'))].id;
    const fields = {
      ...{ unique_id, ...(random.chance(0.8) ? { name_first: random.pick(['Ann', 'Eva', 'Ida']) } : {}) },
      ...(random.chance(0.15) ? { journey: { template_id } } : {}),
    };
    return (dependencies) => upsertContact(dependencies, team, record(fields));
  }
  if (kind < 10) {
    const records = Array.from({ length: 1 + random.below(2) }, () => ({
      ...{ account_number: random.pick(numbers), contact: { unique_id } },
      product: productOf(random.pick(['C', 'S'])),
      ...(random.chance(0.15) ? { closed_date: '2026-02-01' } : {}),
    }));
    return (dependencies) => acceptBatch(dependencies, { teamId: team }, posted({ records }));
  }
  return async (dependencies) => {
    const journeys = history.person(contactId)?.journeys ?? [];
    if (journeys.length === 0) return;
    const { journey } = random.pick(journeys);
    if (kind === 10) return cancelJourney(dependencies, team, journey.id);
    const action = { type: 'page_viewed', page_id: pageOf(campaignOf(journey.template_id)!) } as const;
    return recordPageAction(dependencies, { teamId: team, ...keyOfJourney(journey) }, action, () => false);
  };
}

const productOf = (code: string) => ({ code, type: productTypes[code]! });

export type Decisions = Record<CampaignName, Decision>;
export const firstDecisions = (): Decisions =>
  Object.fromEntries(campaignNames.map((name) => [name, { isLive: false, isMuted: false, form: 0 }])) as Decisions;

export const importOf =
  ({ team }: Simulated, decisions: Partial<Decisions>, { duration }: Settings): Task =>
  (dependencies) => {
    const templates = Object.entries(decisions).map(([name, each]) => templateOf(name as CampaignName, each, duration));
    return importContent({ ...dependencies, fits: () => true }, team, { templates } as never);
  };

/** What the administrator does. A campaign is changed on what is stored of it. */
export function administratorTask(world: Simulated, history: History, settings: Settings): Task {
  const { random, team } = world;
  const live = campaignNames.filter((name) => history.rules[name].isTargeting);
  const muted = campaignNames.filter((name) => history.rules[name].isMuted);
  const kind = random.below(10);
  if (kind < 5 || live.length === 0) {
    // Several go live at once in the beginning.
    const names = live.length === 0 ? random.some(campaignNames) : [random.pick(campaignNames)];
    const changed = names.map((name) => [name, changeOf(world, history.rules[name])]);
    return importOf(world, Object.fromEntries(changed), settings);
  }
  const name = random.pick(live);
  const templateId = campaigns[name].id;
  if (kind < 7 && muted.length > 0) {
    const undone = { templateId: campaigns[random.pick(muted)].id, since: '2026-03-02T01:00:00.000000Z' };
    return async (dependencies) => {
      const service = { ...dependencies, onProgress: () => {} };
      await undoJourneys(service, team, await journeysToUndo(service, team, undone));
    };
  }
  if (kind < 8) return (dependencies) => judgeEverybody(dependencies, team);
  const most = random.pick([1, 2, 50]);
  if (kind < 9) return reachBack(world, history, name, most);
  history.permitted.set(name, (history.permitted.get(name) ?? 0) + most);
  return (dependencies) => resumeTargeting(dependencies, team, templateId, most);
}

export function reachBack({ team }: Simulated, history: History, name: CampaignName, upTo: number): Task {
  history.reaching.set(name, (history.reaching.get(name) ?? 0) + upTo);
  return (dependencies) => {
    const service = { ...dependencies, onProgress: () => {} };
    return includeExisting(service, team, { templateId: campaigns[name].id, from: '', upTo });
  };
}

function changeOf({ random }: Simulated, { isLive, isMuted, form }: Decision): Decision {
  if (!isLive) return { isLive: true, isMuted: false, form: random.below(2) };
  if (isMuted) return { isLive, isMuted: random.chance(0.2), form: random.below(2) };
  return random.chance(0.5) ? { isLive, isMuted: true, form } : { isLive, isMuted, form: 1 - form };
}
