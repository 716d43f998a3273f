import { type InputChange, isConcerned } from '../../domain/targeting/inputs.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { EarlierHolders } from '../../store/accounts/holders.ts';
import { StoreUnavailable } from '../../store/table/database.ts';
import { type Marking, type MarkSubject, writeMarks } from '../../store/targeting/marks.ts';
import { loadTargeting } from '../../store/targeting/rules.ts';
import { loadWalk, type Walk } from '../../store/targeting/walks.ts';
import type { ContactService } from '../service.ts';
import { askForWalk, overEverybody } from './ask-for-walk.ts';

export type MarkService = ContactService & {
  /** As in {@link Marking}. */
  markTogether?: Marking['markTogether'];
  /** Wakes a lane of targeting. The sweeper replaces a lost wake. */
  wakeTargeting?(lane: Lane): Promise<unknown>;
};

/**
 * Milliseconds before a walk over everybody begins from which changes are marked again: what such a walk reads can miss
 * the last moments, and invocations of the publisher overlap.
 */
const markedAgain = 60_000;

/**
 * Marks those whom the rules of the team may concern because of these changes. No rule is judged here: a defect there
 * would delay the events of everybody.
 * @param changes reads them, which is needed only if the team has rules
 * @param earlier of the new accounts among them
 */
export async function markChanges(
  service: MarkService,
  teamId: string,
  changes: () => readonly InputChange[],
  earlier: EarlierHolders,
): Promise<void> {
  const { database, now, newId } = service;
  const { rules } = await loadTargeting(database, teamId);
  const live = rules.filter((rule) => rule.live);
  if (live.length === 0) return;
  const names = new Set(live.flatMap(({ inputs }) => inputs));
  const found = changes();
  const { templates } = found.some(hasEnded) ? await service.content.load(teamId) : { templates: [] };
  const priority = new Set(templates.filter((each) => each.is_targeting_priority).map(({ id }) => id));
  const concerning = found.filter((change) => isConcerned(change, { names, priority }));
  if (concerning.length === 0) return;
  const [subjects, walk] = await Promise.all([
    subjectsOf(concerning, earlier),
    loadWalk(database, teamId, overEverybody),
  ]);
  if (subjects.length === 0) return;
  if (walk && readsLater(walk, now())) return;
  try {
    const marking = { at: timestamp(now()), newToken: newId, markTogether: service.markTogether };
    const lanes = await writeMarks(database, teamId, subjects, marking);
    await Promise.all(lanes.map((lane) => service.wakeTargeting?.(lane)));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // Throttled: one item instead of many.
    await askForWalk(service, teamId, overEverybody, { isInsteadOfMarks: true });
  }
}

const hasEnded = (change: InputChange): boolean => change.kind === 'journey' && change.hasEnded;

/** True if the walk, or the one after it, reads what is stored now. */
const readsLater = ({ replaces_marks, began_at, begins_at, again_at }: Walk, now: number): boolean =>
  replaces_marks && (began_at === null ? Date.parse(begins_at) > now + markedAgain : again_at !== null);

/** Who must be marked. A new account concerns those who were linked to it before; others get links, which are changes. */
async function subjectsOf(changes: readonly InputChange[], earlier: EarlierHolders): Promise<MarkSubject[]> {
  const noted = await earlier();
  return changes.flatMap((change): MarkSubject[] => {
    if (change.kind !== 'account') return [{ contactId: change.contactId }];
    const { accountNumber, isNew } = change;
    return isNew && !noted.has(accountNumber) ? [] : [{ accountNumber }];
  });
}
