import * as z from 'zod';
import type { Counts } from '../../domain/journeys/counts.ts';
import { all, type Database, type Item, readAll, type Upsert } from '../table/database.ts';
import { contactPartition, judgedKey, targetedNotePrefix } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';
import { noteOf } from '../targeting/notes.ts';

/**
 * Who was noted as targeted, in the results: a person counts once for a template, for however many accounts. The templates
 * for which a person is counted are marked on the item of the person that targeting writes with each note.
 */

/** A person, and the template that noted the person. */
export type Noted = { contactId: string; templateId: string };
/** `text`: as it is stored, the condition of the next change. */
export type NotedMark = { text: string | undefined; templateIds: readonly string[] };

const markItem = itemReader('mark of targeting', z.object({ counted: z.string().optional() }));
export function notedMarkOf(item: Item): NotedMark {
  const { counted: text } = markItem(item);
  return { text, templateIds: text?.split(' ') ?? [] };
}

/** The marks of these persons, in the same order; `undefined` if targeting has noted nothing, or the person was erased. */
export const loadNotedMarks = (database: Database, teamId: string, contactIds: readonly string[]) =>
  readAll(
    database,
    contactIds.map((id) => judgedKey(teamId, id)),
    notedMarkOf,
  );

/** Marks the person as counted for one template more. */
export const notedMarkWrite = (teamId: string, { contactId, templateId }: Noted, { text, templateIds }: NotedMark) =>
  ({
    ...{ kind: 'update', key: judgedKey(teamId, contactId) },
    ...{ set: { counted: [...templateIds, templateId].join(' ') }, expect: { counted: text } },
  }) satisfies Upsert;

/** What one person counts. */
export const notedCounts: Counts = { targeted: { people: 1 } };

/** The templates that have noted the person, each once. */
export async function loadNoted(database: Database, teamId: string, contactId: string): Promise<Noted[]> {
  const notes = await all(database, { pk: contactPartition(teamId, contactId), prefix: targetedNotePrefix });
  const ids = new Set(notes.map((item) => noteOf(item).template_id));
  return [...ids].map((templateId) => ({ contactId, templateId }));
}
