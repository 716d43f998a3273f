import { sumOf } from '../../domain/journeys/counts.ts';
import { additionsOf, countersShard } from '../../store/results/results.ts';
import {
  loadNotedMarks,
  type Noted,
  type NotedMark,
  notedCounts,
  notedMarkWrite,
} from '../../store/results/targeted.ts';
import { chunksOf } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import { untilAllWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** Persons of one transaction. */
const personsAtOnce = 20;

/** Counts these persons as targeted, each once for a template. It can be repeated. */
export async function countNoted(service: Service, teamId: string, noted: readonly Noted[]): Promise<void> {
  const { database } = service;
  const distinct = new Map(noted.map((each) => [`${each.templateId} ${each.contactId}`, each]));
  await untilAllWritten(service, 'too many conflicts on a person', [...distinct.values()], async (pending, round) => {
    // One template of each person at a time: they share a mark.
    const first = [...new Map(pending.map((each) => [each.contactId, each])).values()];
    const marks = await loadNotedMarks(
      database,
      teamId,
      first.map(({ contactId }) => contactId),
    );
    const changes = first.flatMap((each, index) => {
      const mark = marks[index];
      return mark && !mark.templateIds.includes(each.templateId) ? [{ ...each, mark }] : [];
    });
    let left = pending.filter((each) => !first.includes(each));
    const shardOf = ({ contactId, templateId }: Noted) =>
      `${templateId} ${countersShard({ contact_id: contactId, template_id: templateId })}`;
    const shards = [...Map.groupBy(changes, shardOf).values()];
    await together(shards, shards.length, async (own) => {
      // After a lost race, each alone.
      for (const group of chunksOf(own, round === 0 ? personsAtOnce : 1)) {
        if (!(await database.transact(writesOf(teamId, group)))) left = left.concat(group);
      }
    });
    return left;
  });
}

function writesOf(teamId: string, group: readonly (Noted & { mark: NotedMark })[]) {
  const { contactId: contact_id, templateId: template_id } = group[0]!;
  const added = sumOf(group.map(() => notedCounts));
  return [
    ...group.map((each) => notedMarkWrite(teamId, each, each.mark)),
    ...additionsOf(teamId, { contact_id, template_id }, added),
  ];
}
