import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { wishedLanguage } from '../../../../lib/domain/campaigns/translate.ts';
import { type Counts, sumOf } from '../../../../lib/domain/journeys/counts.ts';
import { resultsOf } from '../../../../lib/domain/results/results.ts';
import { languageFor, type Team } from '../../../../lib/domain/teams/team.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import { nameOfJourney } from '../../../../lib/store/journeys/journey-items.ts';
import { loadJourneys } from '../../../../lib/store/journeys/journeys.ts';
import { listJourneyKeys } from '../../../../lib/store/results/journey-lists.ts';
import type { Database } from '../../../../lib/store/table/database.ts';

/**
 * The journeys of the people who have this language, as the campaign writes it. `null`: of those who have none of the
 * languages of the campaign, if there are such people.
 */
export type LanguageCounts = { language: string | null; created: number; opened: number; completed: number };

const journeysAtOnce = 1000;

/**
 * What the journeys of a campaign with translations have counted, by language: every journey once, without those of
 * erased people. A campaign without translations has one language, so it reads nothing.
 */
export async function countLanguages(
  { database, now, onProgress }: { database: Database; now(): number; onProgress(journeys: number): void },
  template: Template,
  team: Team,
): Promise<LanguageCounts[]> {
  const translations = Object.keys(template.translations ?? {});
  if (translations.length === 0) return [];
  const teamId = team.team_id;
  const counts = new Map<string | null, Counts>();
  const seen = new Set<string>();
  for (let after: string | undefined, hasMore = true; hasMore; ) {
    const page = await listJourneyKeys(database, { teamId, templateId: template.id }, { after }, journeysAtOnce);
    // A journey that changes meanwhile is listed again.
    const keys = page.entries.filter((key) => !seen.has(nameOfJourney(key)));
    const [journeys, contacts] = await Promise.all([
      loadJourneys(database, teamId, keys),
      loadContacts(
        database,
        teamId,
        keys.map(({ contactId }) => contactId),
      ),
    ]);
    const found = journeys.flatMap((stored, index) => {
      const contact = contacts[index]?.contact;
      return stored && contact ? [{ stored, language: wishedLanguage(template, team, contact) ?? null }] : [];
    });
    for (const [language, own] of Map.groupBy(found, (each) => each.language)) {
      counts.set(language, sumOf([counts.get(language) ?? {}, ...own.map(({ stored }) => stored.counted.counts)]));
    }
    for (const key of keys) seen.add(nameOfJourney(key));
    onProgress(seen.size);
    ({ hasMore } = page);
    after = page.entries.at(-1)?.position;
  }
  const languages = new Set([languageFor(template, team) ?? 'en', ...translations, ...counts.keys()]);
  return [...languages].map((language) => {
    const { created, opened, completed } = resultsOf(template, counts.get(language) ?? {}, timestamp(now())).journeys;
    return { language, created, opened, completed };
  });
}
