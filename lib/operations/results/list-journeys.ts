import type { Template } from '../../domain/campaigns/template.ts';
import { type ActionKind, type Analytics, analyticsOf } from '../../domain/journeys/completion.ts';
import { endedAt, shownJourneyOf } from '../../domain/journeys/journey.ts';
import { actionsIn } from '../../domain/results/journey-counts.ts';
import { journeyListPages } from '../../domain/results/journey-list.ts';
import type { JourneyList, TemplateJourney } from '../../domain/results/journey-list-responses.ts';
import { loadContacts } from '../../store/contacts/contacts.ts';
import type { StoredJourney } from '../../store/journeys/journey-items.ts';
import { loadJourneys } from '../../store/journeys/journeys.ts';
import { listJourneyKeys } from '../../store/results/journey-lists.ts';
import { requestedPage } from '../access/cursors.ts';
import { findInContent } from '../campaigns/find-template.ts';
import { listJourneys } from '../journeys/list.ts';
import type { JourneyService } from '../service.ts';

export type TemplateListParameters = {
  template_id?: string | undefined;
  updated_since?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/**
 * A page of the journeys of a template, by the time of their last change, as they were when they were counted last. A
 * journey that changes while the pages are read may be listed again, with its new time. Empty for an unknown template.
 * @throws Problem `invalid_request` if the cursor is invalid or contradicts the other parameters
 */
export async function listTemplateJourneys(
  service: JourneyService,
  teamId: string,
  { cursor, ...sent }: TemplateListParameters,
): Promise<JourneyList> {
  const { database, content } = service;
  const { query, after, end } = await requestedPage(database, teamId, journeyListPages, cursor, sent);
  const { template_id: templateId, updated_since: since, limit } = query;
  const [found, { entries, hasMore }] = await Promise.all([
    findInContent(content, teamId, (each) => {
      const template = each.templates.find(({ id }) => id === templateId);
      return template && { template, features: each.team?.features ?? [] };
    }),
    listJourneyKeys(database, { teamId, templateId }, { since, after }, limit),
  ]);
  if (!found) return { journeys: [], has_more: false };
  const ids = entries.map(({ contactId }) => contactId);
  const [stored, contacts, rest] = await Promise.all([
    loadJourneys(database, teamId, entries),
    loadContacts(database, teamId, ids),
    end(hasMore ? entries.at(-1)!.position : undefined),
  ]);
  const shown = await Promise.all(
    entries.map(async ({ updatedAt }, index): Promise<TemplateJourney | undefined> => {
      const [journey, contact] = [stored[index], contacts[index]?.contact];
      // Erased since it was listed.
      if (!journey || !contact) return undefined;
      const { template } = found;
      return {
        ...shownJourneyOf(journey.journey),
        updated_at: updatedAt,
        analytics_cache: await progressIn(service, teamId, journey, found),
        contact: { id: contact.id, unique_id: contact.unique_id },
        template: { id: template.id, name: template.name },
      };
    }),
  );
  return { journeys: shown.filter((each) => each !== undefined), ...rest };
}

/** The progress as it was counted. If the content of now completes more, that is recorded before it is shown. */
async function progressIn(
  service: JourneyService,
  teamId: string,
  { journey, counted }: StoredJourney,
  { template, features }: { template: Template; features: Parameters<typeof analyticsOf>[1]['features'] },
): Promise<Analytics> {
  const actions = actionsIn(counted.counts, counted.last_viewed ?? '');
  const pages = template.template_pages.map(({ page }) => page);
  const context = {
    actions,
    completions: {},
    held: [],
    features,
    startedAt: journey.inserted_at,
    endedAt: endedAt(journey),
  };
  const analytics = analyticsOf(pages, context);
  const count = (kind: ActionKind) => actions.filter((action) => action.kind === kind).length;
  const isNew =
    analytics.pages_completed.length > count('completed') || (analytics.is_completed && count('finished') === 0);
  if (!isNew) return analytics;
  const own = await listJourneys(service, teamId, journey.contact_id);
  return own.find(({ id }) => id === journey.id)?.analytics_cache ?? analytics;
}
