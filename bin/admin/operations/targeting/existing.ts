import { isTargeting } from '../../../../lib/domain/targeting/rule.ts';
import { Problem } from '../../../../lib/domain/values/problem.ts';
import type { JourneyService } from '../../../../lib/operations/service.ts';
import { askForWalk } from '../../../../lib/operations/targeting/ask-for-walk.ts';
import { loadPeople } from '../../../../lib/operations/targeting/load-person.ts';
import { decide } from '../../../../lib/operations/targeting/start.ts';
import { contextOf, loadTeamRules, type TeamRules } from '../../../../lib/operations/targeting/team-rules.ts';
import { directoryPage } from '../../../../lib/store/contacts/directory.ts';
import { directoryShards } from '../../../../lib/store/table/keys.ts';

type CommandService = JourneyService & { onProgress(text: string): void };

/** Contacts that are read together. */
const contactsAtOnce = 200;

/** What `targeting include-existing` reaches back for. An empty `from` is the beginning. */
export type Reach = { templateId: string; from: string; upTo: number };

/**
 * Counts the journeys that a live rule would start with those who were there before, and asks for the walk that starts
 * them.
 * @returns the number
 * @throws Problem `conflict` if the rule is not live, or if there are more than `upTo`
 */
export async function includeExisting(service: CommandService, teamId: string, reach: Reach): Promise<number> {
  const { templateId, from, upTo } = reach;
  const team = await loadTeamRules(service, teamId);
  const rule = team.rules.find(({ template }) => template.id === templateId);
  if (!rule) throw new Problem('conflict', [notLive]);
  const journeys = await countJourneys(service, teamId, team, { ...rule, since: from });
  if (journeys > upTo) {
    const message = `${journeys} journeys would start, more than the ${upTo} of --up-to. Nothing was started.`;
    throw new Problem('conflict', [{ path: '--up-to', message }]);
  }
  const { revision } = rule;
  const over = { kind: 'existing', template_id: templateId, revision, from, left: upTo } as const;
  if (journeys > 0) await askForWalk(service, teamId, over, { replaces: true });
  return journeys;
}

const notLive = {
  path: '--template',
  message:
    'the targeting of this template is not live: it needs groups, status "live" and a published page, and is neither muted nor archived',
};

async function countJourneys(
  service: CommandService,
  teamId: string,
  team: TeamRules,
  rule: TeamRules['rules'][number],
): Promise<number> {
  let [looked, journeys] = [0, 0];
  for (let shard = 0; shard < directoryShards; shard++) {
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const page = await directoryPage(service.database, teamId, shard, { limit: contactsAtOnce, after });
      const people = await loadPeople(service, teamId, page.contactIds, team.content, { eventually: true });
      const decided = decide([rule], people, contextOf(team, service.now()), (error) => {
        throw error;
      });
      for (const { judgement } of decided) journeys += judgement.starts.length + judgement.notes.length;
      looked += page.contactIds.length;
      service.onProgress(`${looked} contacts looked at, ${journeys} journeys`);
      isLast = page.next === undefined;
      after = page.next;
    }
  }
  return journeys;
}

/** Asks for the judgement of everybody now. @throws Problem `conflict` if the team has no live rules */
export async function judgeEverybody(service: JourneyService, teamId: string): Promise<void> {
  const { templates } = await service.content.current(teamId);
  if (!templates.some(isTargeting)) throw new Problem('conflict', [noRules]);
  await askForWalk(service, teamId, { kind: 'everybody' });
}

const noRules = { path: '--team', message: 'the team has no live template with targeting groups' };
