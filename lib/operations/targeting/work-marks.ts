import { holdersPage } from '../../store/accounts/holders.ts';
import { endMarks, type Mark, markPosition, marksPage } from '../../store/targeting/marks.ts';
import { restAfter } from '../waiting-work/rest.ts';
import { askForWalk } from './ask-for-walk.ts';
import { isOutage, judgeContacts, type TargetingService } from './judge-contacts.ts';

/** Marks that are read together, and subjects of marks that are worked together. */
const marksAtOnce = 50;
/** Items of an account with its holders that are read at once. What has more is a walk. */
const mostHolders = 250;

/**
 * Judges those who are marked in a lane. It begins anywhere and goes round, so that those who are marked again and again
 * keep nobody waiting.
 */
export async function workMarks(
  service: TargetingService,
  teamId: string,
  lane: number,
  hasTime: () => boolean,
): Promise<'empty' | 'out of time'> {
  let after: string | undefined = markPosition(service.newId());
  for (let isRound = false; ; ) {
    const { marks, next } = await marksPage(service.database, teamId, lane, { after, limit: marksAtOnce });
    for (const some of partsOf(marks)) {
      if (!hasTime()) return 'out of time';
      const began = service.now();
      const share = await workPart(service, teamId, some);
      await restAfter(service, began, share, hasTime);
    }
    if (next === undefined && isRound) return 'empty';
    isRound ||= next === undefined;
    after = next;
  }
}

/** A mark can be of as many contacts as are worked together. */
function partsOf(marks: readonly Mark[]): Mark[][] {
  const parts: Mark[][] = [];
  let size = marksAtOnce;
  for (const mark of marks) {
    if (size + mark.subjects.length > marksAtOnce) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(mark);
    size += mark.subjects.length;
  }
  return parts;
}

/** @returns the share of the contacts who got a journey, at most 1 */
async function workPart(service: TargetingService, teamId: string, marks: readonly Mark[]): Promise<number> {
  const contactIds = await contactsOf(service, teamId, marks);
  const { started } = await judgeContacts(service, teamId, contactIds, { bound: { kind: 'brakes' } });
  await endMarks(service.database, marks);
  return Math.min(1, started / Math.max(1, contactIds.length));
}

/** The marked contacts, and the holders of marked accounts, unless there are so many that they become a walk. */
async function contactsOf(service: TargetingService, teamId: string, marks: readonly Mark[]): Promise<string[]> {
  const found = new Set<string>();
  for (const subject of marks.flatMap(({ subjects }) => subjects)) {
    if ('contactId' in subject) {
      found.add(subject.contactId);
      continue;
    }
    const { accountNumber: account_number } = subject;
    try {
      const { contactIds, next } = await holdersPage(service.database, teamId, account_number, { limit: mostHolders });
      if (next === undefined) for (const id of contactIds) found.add(id);
      else await askForWalk(service, teamId, { kind: 'holders', account_number });
    } catch (error) {
      if (isOutage(error)) throw error;
      service.onPassedOver(error);
    }
  }
  return [...found];
}
