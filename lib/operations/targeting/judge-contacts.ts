import { StoreUnavailable } from '../../store/table/database.ts';
import { isRefusal } from '../../store/table/errors.ts';
import { loadPeople } from './load-person.ts';
import { type Bound, decide, nothing, rulesFor, type Started, type StartService, startAll, sumOf } from './start.ts';
import { contextOf, loadTeamRules } from './team-rules.ts';

export type TargetingService = StartService & {
  /** Called with the error if the code fails on a contact or an account, which is then passed over. */
  onPassedOver(error: unknown, contactId?: string): void;
};

export const isOutage = (error: unknown): boolean => error instanceof StoreUnavailable || isRefusal(error);

type Options = {
  bound: Bound;
  /** Most of them get nothing: they are read at half the price, and again if rules hold for them. */
  isSeldom?: boolean;
};

/** Judges these contacts as they are stored now. If the code fails on some, each is judged alone. */
export async function judgeContacts(
  service: TargetingService,
  teamId: string,
  contactIds: readonly string[],
  options: Options,
): Promise<Started> {
  const { bound, isSeldom = false } = options;
  if (contactIds.length === 0) return nothing;
  try {
    const team = await loadTeamRules(service, teamId);
    const rules = rulesFor(team, bound);
    if (rules.length === 0) return nothing;
    let tooMany = 0;
    const judged = async (ids: readonly string[], eventually: boolean) => {
      const people = await loadPeople(service, teamId, ids, team.content, { eventually });
      tooMany += people.filter((each) => each?.person.tooManyAccounts).length;
      return decide(rules, people, contextOf(team, service.now()), service.onRuleFailure);
    };
    const first = await judged(contactIds, isSeldom);
    const ids = first.map(({ person }) => person.contact.id);
    const decided = isSeldom && ids.length > 0 ? await judged(ids, false) : first;
    return sumOf(await startAll(service, teamId, team, decided, bound), { ...nothing, tooMany });
  } catch (error) {
    if (isOutage(error)) throw error;
    const [first] = contactIds;
    if (contactIds.length === 1) {
      service.onPassedOver(error, first);
      return nothing;
    }
    let total = nothing;
    for (const id of contactIds) {
      total = sumOf(total, await judgeContacts(service, teamId, [id], options));
    }
    return total;
  }
}
