import { hasRule } from '../../../../lib/domain/campaigns/targeting-rule.ts';
import { startsLeft } from '../../../../lib/domain/targeting/brake.ts';
import { isTargeting } from '../../../../lib/domain/targeting/rule.ts';
import type { JourneyService } from '../../../../lib/operations/service.ts';
import { brakeTimeOf, loadTeamRules } from '../../../../lib/operations/targeting/team-rules.ts';
import { countHeld, countMarks, lanesOf } from '../../../../lib/store/targeting/marks.ts';
import { listWalks } from '../../../../lib/store/targeting/walks.ts';

/** What targeting of the team does now: its rules, who waits, and how far work over many contacts is. */
export async function targetingStatus(service: JourneyService, teamId: string) {
  const { database, now } = service;
  const team = await loadTeamRules(service, teamId);
  const time = brakeTimeOf(team, now());
  const live = new Map(team.rules.map((rule) => [rule.template.id, rule]));
  const templates = await Promise.all(
    team.content.templates.filter(hasRule).map(async (template) => {
      const { id, name } = template;
      const brake = team.stored.get(id)?.brake;
      return {
        ...{ template_id: id, name, live: live.has(id), live_since: live.get(id)?.since ?? null },
        started_today: brake && brake.day === time.day ? brake.started : 0,
        left_today: brake && live.has(id) ? startsLeft(brake, time) : 0,
        stopped_at: brake?.stopped_at ?? null,
        held_back: await countHeld(database, teamId, id),
        // An import that was killed has not noted the rule.
        ...(isTargeting(template) && !live.has(id) ? { remedy: 'import the campaign again' } : {}),
      };
    }),
  );
  const waiting = await Promise.all(lanesOf(teamId).map((_, lane) => countMarks(database, teamId, lane)));
  const walks = (await listWalks(database, teamId)).map((walk) => {
    const { kind, ...over } = walk.over;
    const template_id = 'template_id' in over ? over.template_id : null;
    const { looked, of, started, held: held_back, asked_at, begins_at, began_at, moved_at } = walk;
    const left = kind === 'existing' && 'left' in over ? over.left : null;
    return { over: kind, template_id, asked_at, begins_at, began_at, moved_at, looked, of, started, held_back, left };
  });
  const { judged_on, contacts, too_many_accounts } = team.state;
  return {
    ...{ team_id: teamId, templates, waiting: waiting.reduce((sum, each) => sum + each.waiting, 0), walks },
    ...{ starts_a_day: time.limit, judged_on, contacts, too_many_accounts },
  };
}
export type TargetingStatus = Awaited<ReturnType<typeof targetingStatus>>;
