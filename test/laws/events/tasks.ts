import { acceptBatch } from '../../../lib/operations/imports/accept.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { loadJourneys } from '../../../lib/store/journeys/journeys.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { posted } from '../../support/operations/import-operations.ts';
import { upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { pages, templateId, type World } from './world.ts';

/** What a client asks the service to do. It can be repeated. */
export type Task = (dependencies: ReturnType<World['dependenciesOf']>) => Promise<unknown>;

const persons = ['a', 'b', 'c'];

export function tasksOf(world: World, count: number): Task[] {
  const indexes = new Map<string, number>();
  return Array.from({ length: count }, () => taskOf(world, indexes));
}

function taskOf({ random, team }: World, indexes: Map<string, number>): Task {
  const unique_id = random.pick(persons);
  const contactId = derivedContactId(team, unique_id);
  const kind = random.below(10);
  if (kind < 4) {
    const fields = {
      ...{ unique_id, name_first: random.pick(['Ann', 'Eva', null]) },
      ...(random.chance(0.5) ? { journey: { template_id: templateId } } : {}),
      ...(random.chance(0.3) ? { enrolled: '2026-01-01' } : {}),
    };
    return (dependencies) => upsertContact(dependencies, team, record(fields));
  }
  if (kind < 6) {
    return async (dependencies) => {
      const [found] = await loadJourneys(dependencies.database, team, [{ contactId, templateId }]);
      const key = { teamId: team, contactId, templateId };
      const action = { type: 'page_viewed', page_id: random.pick([pages.view, pages.open]) } as const;
      if (found) await recordPageAction(dependencies, key, action, () => false);
    };
  }
  const batch_id = random.pick(['one', 'two']);
  const chunk_index = indexes.get(batch_id) ?? 0;
  indexes.set(batch_id, chunk_index + 1);
  const product = { code: random.pick(['S', 'L']), type: 'savings' };
  const records = [
    { account_number: random.pick(['1', '2']), contact: { unique_id }, ...(random.chance(0.7) ? { product } : {}) },
  ];
  const chunk_count = batch_id === 'two' ? { chunk_count: 2 } : {};
  const sent = posted({ batch_id, chunk_index, ...chunk_count, records });
  return (dependencies) => acceptBatch(dependencies, { teamId: team }, sent);
}
