import { type BrakeTime, startsADay } from '../../domain/targeting/brake.ts';
import { dayAt } from '../../domain/targeting/calendar-day.ts';
import type { JudgingContext } from '../../domain/targeting/judgement.ts';
import { isTargeting, type Rule } from '../../domain/targeting/rule.ts';
import type { Team } from '../../domain/teams/team.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { revisionOf } from '../../store/targeting/revision.ts';
import { loadTargeting, type StoredRule, type Targeting } from '../../store/targeting/rules.ts';
import type { ContactService } from '../service.ts';

/** The live rules of a team, as they are stored now. */
export type TeamRules = {
  content: Content;
  rules: Rule[];
  /** By template. What is written of a rule replaces its entry. */
  stored: Map<string, StoredRule>;
  state: Targeting['state'];
};

/** A rule whose form is not the one that the import has noted is not live yet. */
export async function loadTeamRules(
  { content: contents, database }: Pick<ContactService, 'content' | 'database'>,
  teamId: string,
): Promise<TeamRules> {
  const [content, { rules, state }] = await Promise.all([contents.current(teamId), loadTargeting(database, teamId)]);
  const stored = new Map(rules.map((rule) => [rule.template_id, rule]));
  const live = content.templates.filter(isTargeting).flatMap((template): Rule[] => {
    const { live: isLive, revision, since } = stored.get(template.id) ?? {};
    return isLive && revision === revisionOf(template) && since !== undefined ? [{ template, revision, since }] : [];
  });
  return { content, rules: live, stored, state };
}

export const timeZoneOf = (team: Pick<Team, 'timezone'> | undefined): string => team?.timezone ?? 'UTC';

export const contextOf = ({ content }: Pick<TeamRules, 'content'>, now: number): JudgingContext => ({
  ...{ now, timeZone: timeZoneOf(content.team), content },
});

export const brakeTimeOf = (
  { content: { team }, state }: Pick<TeamRules, 'content' | 'state'>,
  now: number,
): BrakeTime => ({
  ...{ now: timestamp(now), day: dayAt(now, timeZoneOf(team)) },
  limit: startsADay(team?.max_starts_a_day ?? null, state.contacts),
});
