import { randomUUID } from 'node:crypto';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import type { PageAction } from '../../../lib/domain/journeys/answer.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../../lib/operations/journeys/show.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedContactId, derivedProductId } from '../../../lib/store/table/ids.ts';
import { ModelDatabase } from '../models/model-database.ts';
import { record } from '../samples/contacts.ts';
import { applyRecords } from './import-operations.ts';
import { serviceOn, upsertContact } from './operations.ts';
import { newTeam } from './teams.ts';

export let database: Database;
export let team: string;
const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;

/** A team with its own table. */
export const open = () => openOn(new ModelDatabase());
export async function openOn(table: Database): Promise<void> {
  database = table;
  team = await newTeam(database, features);
}

/** No cache is shared between two calls. */
export const dependencies = (using = database) => serviceOn(using, { pause: async () => {} });
export const idOf = (uniqueId: string) => derivedContactId(team, uniqueId);
export const journeysOf = (uniqueId: string) => listJourneys(dependencies(), team, idOf(uniqueId));

export const act = async (slug: string, action: PageAction, using = dependencies()) =>
  recordPageAction(using, await journeyKeyOfSlug(using.database, slug), action, () => false);

const objective = { id: randomUUID(), key: 'enrolled' };
export const ids = {
  objective: randomUUID(),
  type: randomUUID(),
  product: randomUUID(),
  set: randomUUID(),
  view: randomUUID(),
};
const places = Object.values(ids).map(() => randomUUID());
export const templateId = randomUUID();
export const named = { journey: { template_id: templateId } };

export const documentOf = () => {
  const pages = [
    { id: ids.objective, completion_condition: 'objective', objective_id: objective.id },
    { id: ids.type, completion_condition: 'open', completion_product_type: 'savings' },
    { id: ids.product, completion_condition: 'open', completion_product_id: derivedProductId(team, 'CD') },
    { id: ids.set, completion_condition: 'open', completion_standardized_types: ['auto_loan'] },
    { id: ids.view, completion_condition: 'view' },
  ];
  const template_pages = pages.map((page, order) => ({ id: places[order]!, order, page }));
  return { objectives: [objective], templates: [{ id: templateId, name: 'Welcome', template_pages }] };
};
/** The same template without pages, or with other conditions. */
export const earlier = () => {
  const { objectives, templates } = documentOf();
  const template_pages = templates[0]!.template_pages.slice(0, 2).map(({ page, ...rest }) => ({
    ...rest,
    page: { id: page.id, completion_condition: 'confirm' },
  }));
  return { objectives, templates: [{ ...templates[0]!, template_pages }] };
};

let order = 0;
export const imported = async (...records: object[]) => {
  const chunk = { teamId: team, order: ++order, records: records.map((each) => accountRecord.parse(each)) };
  await applyRecords(serviceOn(database), chunk);
};
export const post = (fields: object) => upsertContact(dependencies(), team, record(fields));
