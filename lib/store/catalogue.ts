import * as z from 'zod';
import type { Objective } from '../domain/objective.ts';
import { all, type Database } from './database.ts';
import { globalTeam, objectivePrefix, teamPartition, templateKey } from './keys.ts';

/**
 * What contacts refer to in the content that the admin side owns. Read strongly and never from a cache: a completion
 * that an old list missed would be lost without a word.
 */
const objectiveSchema = z.object({ id: z.string(), key: z.string() });
const templateSchema = z.object({ is_archived: z.boolean() });

/** The team's own objectives and the global ones. */
export async function loadObjectives(database: Database, teamId: string): Promise<Objective[]> {
  const lists = await Promise.all(
    [teamId, globalTeam].map((owner) => all(database, { pk: teamPartition(owner), prefix: objectivePrefix })),
  );
  return lists.flat().map((item) => objectiveSchema.parse(item));
}

/** Those of the ids that are the team's templates and not archived. */
export async function loadOpenTemplates(
  database: Database,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const possible = [...new Set(ids)].filter((id) => z.uuid().safeParse(id).success);
  const items = await database.get(possible.map((id) => templateKey(teamId, id)));
  return new Set(possible.filter((_, index) => items[index] && !templateSchema.parse(items[index]).is_archived));
}
