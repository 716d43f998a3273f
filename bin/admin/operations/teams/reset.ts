import * as z from 'zod';
import { identityErrors, parsedContact } from '../../../../lib/domain/contacts/contact-record.ts';
import { batchRequest } from '../../../../lib/domain/imports/batch.ts';
import { sentAnswers } from '../../../../lib/domain/journeys/answer.ts';
import { pageActionTypes } from '../../../../lib/domain/journeys/completion.ts';
import { isSandbox } from '../../../../lib/domain/teams/sandbox.ts';
import { isSenderOf, type Team } from '../../../../lib/domain/teams/team.ts';
import { isJsonObject, type JsonValue } from '../../../../lib/domain/values/json.ts';
import { Problem } from '../../../../lib/domain/values/problem.ts';
import { upsertBatch } from '../../../../lib/operations/contacts/upsert.ts';
import { acceptBatch } from '../../../../lib/operations/imports/accept.ts';
import { workTeam } from '../../../../lib/operations/imports/work.ts';
import { confirmJourney } from '../../../../lib/operations/journeys/confirm.ts';
import { recordPageAction } from '../../../../lib/operations/journeys/record-action.ts';
import { startJourneys } from '../../../../lib/operations/journeys/start.ts';
import { replanJourneys } from '../../../../lib/operations/messages/work-due.ts';
import { type ImportContentService, importContent } from '../../../../lib/operations/publishing/import-content.ts';
import type { ImportService, JourneyService } from '../../../../lib/operations/service.ts';
import { loadByUniqueId } from '../../../../lib/store/contacts/contacts.ts';
import { digestOf } from '../../../../lib/store/table/digest.ts';
import { loadTeam } from '../../../../lib/store/teams/teams.ts';
import { fillLookups } from '../contacts/fill-lookups.ts';
import { type ClearService, clearTeam } from './clear.ts';

export type ResetService = ClearService & SeedService & ImportContentService & { onProgress(text: string): void };

/** What a reset deleted and created. */
export type ResetReport = { deleted_items: number; contacts: number; batches: number; journeys: number };

/**
 * Deletes the data of a sandbox team and creates its test data. If it is interrupted, call it again: every step can be
 * repeated.
 * @param content the campaigns, as `content import` takes them
 * @throws Problem `conflict` for any other team, before anything is read or written
 */
export async function resetTeam(
  service: ResetService,
  teamId: string,
  { content, data }: { content: JsonValue; data: SandboxData },
): Promise<ResetReport> {
  if (!isSandbox(teamId)) throw new Problem('conflict', [notSandbox]);
  const { onProgress } = service;
  onProgress('deleting the data of the team');
  const deleted_items = await clearTeam(service, teamId);
  onProgress('creating the test data');
  await importContent(service, teamId, withSendersOf(await loadTeam(service.database, teamId), content), {
    replaces: true,
    act: { who: null, what: 'reset' },
  });
  await seedTeam(service, teamId, data);
  await fillLookups(service, teamId);
  const { contacts, batches, journeys } = data;
  return { deleted_items, contacts: contacts.length, batches: batches.length, journeys: journeys.length };
}

/** The campaigns without senders that the team does not have: a sandbox sends nothing, so their messages keep no sender. */
function withSendersOf(team: Team | undefined, content: JsonValue): JsonValue {
  if (!isJsonObject(content) || !Array.isArray(content.templates) || !team?.senders.length) return content;
  const templates = content.templates.map((template) => {
    if (!isJsonObject(template)) return template;
    const { email_sender_address: sender, ...others } = template;
    return typeof sender === 'string' && !isSenderOf(team, sender) ? others : template;
  });
  return { ...content, templates };
}

export const notSandbox = { path: '--team', message: 'is not a sandbox team; only team create --sandbox makes one' };

const action = z.object({
  type: z.enum(pageActionTypes),
  page_id: z.string(),
  answers: sentAnswers().default([]),
});
const journey = z.object({
  unique_id: z.string(),
  template_id: z.string(),
  /** The state of the journey, for people. */
  state: z.string(),
  /** Number of days ago that it was started. */
  days_ago: z.int().default(0),
  actions: z.array(action).default([]),
  is_completion_confirmed: z.boolean().default(false),
});

/** The test data of a sandbox team. The contacts and batches are those of API requests. */
export const sandboxData = z.object({
  contacts: z.array(parsedContact(identityErrors)),
  batches: z.array(batchRequest.extend({ batch_id: z.string(), chunk_index: z.int() })),
  journeys: z.array(journey),
});
type SandboxData = z.output<typeof sandboxData>;

type SeedService = ImportService & JourneyService;

const dayMilliseconds = 86_400_000;

/** Creates the test data, through the operations of the API. It is safe to stop it and to call it again. */
async function seedTeam(service: SeedService, teamId: string, data: SandboxData): Promise<void> {
  const { journeys } = await upsertBatch(service, { teamId, clientId: 'admin' }, data.contacts);
  await startJourneys(service, teamId, journeys);
  for (const batch of data.batches) {
    const pair = { batch_id: batch.batch_id, chunk_index: batch.chunk_index };
    const posted = { pair, namesChunkCount: false, digest: () => digestOf(batch.batch_id), validate: () => batch };
    await acceptBatch(service, { teamId }, posted);
    await workTeam(service, teamId, () => true);
  }
  for (const each of data.journeys) await seedJourney(service, teamId, each);
}

async function seedJourney(
  service: SeedService,
  teamId: string,
  { unique_id, template_id, days_ago, actions, is_completion_confirmed }: z.output<typeof journey>,
): Promise<void> {
  const { database, content, now } = service;
  const current = await content.current(teamId);
  const template = current.templates.find(({ id }) => id === template_id);
  const contact = (await loadByUniqueId(database, teamId, [unique_id])).get(unique_id)?.stored?.contact;
  if (!template || !contact) throw new Error('the test data of the sandbox is inconsistent');
  const then = { ...service, now: () => now() - days_ago * dayMilliseconds };
  const [started] = await startJourneys(then, teamId, [{ contact, template, change: {} }]);
  // Its start is in the past, and what is due is not.
  await replanJourneys(service, teamId, current, [{ contactId: contact.id, templateId: template_id }]);
  for (const action of actions) {
    const key = { teamId, contactId: contact.id, templateId: template_id };
    await recordPageAction(then, key, action, () => true);
  }
  if (is_completion_confirmed) {
    await confirmJourney(service, teamId, { templateId: template_id, journeyId: started!.journey.id }, true);
  }
}
