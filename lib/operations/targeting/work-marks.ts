import { holdersPage } from '../../store/accounts/holders.ts';
import { endMarks, type Mark, markPosition, marksPage } from '../../store/targeting/marks.ts';
import { restAfter } from '../waiting-work/rest.ts';
import { askForWalk } from './ask-for-walk.ts';
import { isOutage, judgeContacts, type TargetingService } from './judge-contacts.ts';

/** Marks that are read and worked together. */
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
    if (marks.length > 0) {
      if (!hasTime()) return 'out of time';
      const began = service.now();
      const started = await workPage(service, teamId, marks);
      await restAfter(service, began, Math.min(1, started / marks.length), hasTime);
    }
    if (next === undefined && isRound) return 'empty';
    isRound ||= next === undefined;
    after = next;
  }
}

/** @returns how many journeys it started */
async function workPage(service: TargetingService, teamId: string, marks: readonly Mark[]): Promise<number> {
  const contactIds = await contactsOf(service, teamId, marks);
  const { started } = await judgeContacts(service, teamId, contactIds, { bound: { kind: 'brakes' } });
  await endMarks(service.database, marks);
  return started;
}

/** The marked contacts, and the holders of marked accounts, unless there are so many that they become a walk. */
async function contactsOf(service: TargetingService, teamId: string, marks: readonly Mark[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { subject } of marks) {
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
