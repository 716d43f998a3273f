import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { PageAction } from '../../../lib/domain/journeys/answer.ts';
import { notFound } from '../../../lib/domain/values/problem.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { listResponses } from '../../../lib/operations/journeys/responses.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadJourneys } from '../../../lib/store/journeys/journeys.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { type JourneyCall, type JourneyResult, journeyCalls, journeyModel, pages, people } from './journeys.ts';
import { type Dependencies, testModel } from './run.ts';

const idOf = (n: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${n}`;
const [teamId, templateId, archivedId, blockId] = [idOf(0), idOf(1), idOf(2), idOf(3)];
const pageIds = Object.fromEntries(pages.map((name, index) => [name, idOf(5 + index)]));

function documentOf(status: string): object {
  const conditions = [
    { completion_condition: 'view' },
    { completion_condition: 'confirm', content_blocks: [{ id: blockId, type: 'agreement', data: {} }] },
    { completion_condition: 'objective', objective_id: idOf(4) },
  ];
  const template_pages = conditions.map((page, order) => ({ order, page: { id: pageIds[pages[order]!], ...page } }));
  const [late] = [{ order: 0, page: { completion_condition: 'confirm', id: idOf(8) } }];
  const templates = [
    { id: templateId, name: 'Welcome', template_pages },
    { id: archivedId, name: 'Late', status, template_pages: [late] },
  ];
  return { objectives: [{ id: idOf(4), key: 'enrolled', name: 'Enrolled' }], templates };
}

/** A team with a template and a journey of `p` from it, and one from a second template, which is archived afterwards. */
async function open() {
  const database = new ModelDatabase();
  await createTeam(serviceOn(database, { newId: () => teamId }), { name: 'Test', features: [] });
  await putContent(database, teamId, documentOf('live'));
  const { contact, journey } = { contact: { unique_id: 'p' }, journey: { template_id: archivedId } };
  await upsertContact(serviceOn(database), teamId, record({ ...contact, journey }));
  const open = record({ ...contact, journey: { template_id: templateId } });
  await upsertContact(serviceOn(database), teamId, open);
  await putContent(database, teamId, documentOf('archived'));
  return { database, send };
}

async function journeyOf(database: Database, who: string, template = templateId) {
  const [stored] = await loadJourneys(database, teamId, [
    { contactId: derivedContactId(teamId, who), templateId: template },
  ]);
  if (!stored) throw notFound();
  return stored.journey;
}

async function send(call: JourneyCall, dependencies: Dependencies): Promise<JourneyResult> {
  const { database, now } = dependencies;
  const caches = { content: new ContentCache(database, now), productCache: new ProductCache(database) };
  const full = { ...dependencies, ...caches, baseUrl: 'https://example.com' };
  const act = async (who: string, action: PageAction, template = templateId) => {
    await journeyOf(database, who, template);
    const key = { teamId, contactId: derivedContactId(teamId, who), templateId: template };
    await recordPageAction(full, key, action, () => false);
    return {};
  };
  switch (call.kind) {
    case 'enrol':
      await upsertContact(full, teamId, record({ unique_id: call.who, enrolled: true }));
      return {};
    case 'start': {
      const change = call.source === undefined ? {} : { source: call.source };
      const request = { contact: record({ unique_id: call.who }), change, errors: [] };
      const { journey, created } = await createJourney(full, { teamId }, templateId, request);
      return { created, source: journey.source };
    }
    case 'confirm': {
      const { id: journeyId } = await journeyOf(database, call.who);
      const journey = await confirmJourney(full, teamId, { templateId, journeyId }, call.isConfirmed);
      return { source: journey.source, isConfirmed: journey.completion_verified_at !== null };
    }
    case 'view':
      return act(call.who, { type: 'page_viewed', page_id: pageIds[call.page]! });
    case 'complete': {
      const { answer, name } = call;
      const answers = answer ? [{ block_id: blockId, answer, typed_name: name }] : [];
      return act(call.who, { type: 'page_completed', page_id: pageIds[call.page]!, answers });
    }
    case 'late':
      return act('p', { type: call.answer ? 'page_completed' : 'page_viewed', page_id: idOf(8) }, archivedId);
    case 'read': {
      const listed = await listJourneys(full, teamId, derivedContactId(teamId, call.who));
      const journey = listed.find((each) => each.template_id === templateId);
      if (!journey) return { progress: null };
      const { source, analytics_cache: analytics, completion_verified_at } = journey;
      const namesOf = (ids: readonly string[]) => pages.filter((name) => ids.includes(pageIds[name]!));
      const [viewed, completed] = [namesOf(analytics.pages_viewed), namesOf(analytics.pages_completed)];
      const isConfirmed = completion_verified_at !== null;
      return { progress: { source, viewed, completed, isCompleted: analytics.is_completed, isConfirmed } };
    }
    case 'answers': {
      const { id } = await journeyOf(database, call.who);
      const { responses } = await listResponses({ database }, teamId, id);
      return { names: responses.map(({ answer, typed_name }) => `${answer} ${typed_name}`) };
    }
  }
}

testModel(
  'concurrent starts, views, answers and reads of journeys have results that one order explains',
  'journeys.test.ts',
  {
    model: journeyModel,
    calls: journeyCalls,
    open,
    last: people.flatMap((who): JourneyCall[] => [
      { kind: 'read', who },
      { kind: 'answers', who },
    ]),
    repeated: (call) => (call.kind === 'start' ? { ...call, isRepeat: true as const } : undefined),
    maxCalls: 12,
    runs: 200,
  },
);
