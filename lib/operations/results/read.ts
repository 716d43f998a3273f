import { type Results, resultsOf } from '../../domain/results.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { ContentCache } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import { loadCounts } from '../../store/results.ts';
import { findTemplate } from '../find-template.ts';

/** The results of a template, with the names of its current content. @throws Problem `not_found` */
export async function readResults(
  { database, content, now }: { database: Database; content: ContentCache; now(): number },
  teamId: string,
  templateId: string,
): Promise<Results> {
  const [template, counts] = await Promise.all([
    findTemplate(content, teamId, templateId),
    loadCounts(database, teamId, templateId),
  ]);
  return resultsOf(template, counts, timestamp(now()));
}
