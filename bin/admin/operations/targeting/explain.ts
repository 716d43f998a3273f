import { isArchived } from '../../../../lib/domain/campaigns/shown-template.ts';
import { hasRule } from '../../../../lib/domain/campaigns/targeting-rule.ts';
import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { judge } from '../../../../lib/domain/targeting/judge.ts';
import type { Held, Judgement } from '../../../../lib/domain/targeting/judgement.ts';
import type { Person, PersonJourney } from '../../../../lib/domain/targeting/person.ts';
import { isTargeting } from '../../../../lib/domain/targeting/rule.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { loadPeople, type PersonService } from '../../../../lib/operations/targeting/load-person.ts';
import { contextOf, loadTeamRules, type TeamRules } from '../../../../lib/operations/targeting/team-rules.ts';
import type { ContentCache } from '../../../../lib/store/campaigns/content.ts';
import { loadByUniqueId } from '../../../../lib/store/contacts/contacts.ts';
import { revisionOf } from '../../../../lib/store/targeting/revision.ts';
import { explain, type RuleExplanation } from './explain-rule.ts';

/** Why a contact is in a campaign, or not (contract, section 14, "Before and after"). */
export type TemplateExplanation = {
  template: Template;
  /** When the rule went live in this form; `null` if it is not live. */
  since: string | null;
  /** The revision of the rule as it is now. */
  revision: string;
  explained: RuleExplanation;
  outcome: Outcome;
};

export type Outcome =
  /** The contact has journeys of the template, no matter who started them. */
  | { kind: 'has_journey'; journeys: PersonJourney[] }
  | { kind: 'noted'; account_ids: (string | null)[] }
  /** `because`: a word or two. */
  | { kind: 'not_live'; because: string }
  | { kind: 'does_not_hold' }
  | { kind: 'stored_before' }
  /** `by`: the template that has priority. */
  | { kind: 'held_back'; reason: Held['reason'] | 'brake'; by?: string }
  /** The rule holds, and targeting starts it within seconds. */
  | { kind: 'starts' };

export type PersonExplanation = { person: Person; templates: TemplateExplanation[] };

/** Explains all rules of the team to one contact, as everything is stored now. @throws Problem `not_found` */
export async function explainPerson(
  service: PersonService & { content: ContentCache },
  teamId: string,
  uniqueId: string,
): Promise<PersonExplanation> {
  const { id } = (await loadByUniqueId(service.database, teamId, [uniqueId])).get(uniqueId) ?? {};
  const team = await loadTeamRules(service, teamId);
  const [loaded] = id === undefined ? [] : await loadPeople(service, teamId, [id], team.content);
  if (!loaded) throw notFound();
  const { person } = loaded;
  const context = contextOf(team, service.now());
  const judgement = judge(team.rules, person, context);
  const templates = team.content.templates.filter(hasRule).map((template): TemplateExplanation => {
    const since = team.rules.find((rule) => rule.template.id === template.id)?.since ?? null;
    const explained = explain({ template, since: since ?? '' }, person, context);
    const outcome = outcomeOf(template, person, { team, judgement, explained, since });
    return { template, since, revision: revisionOf(template), explained, outcome };
  });
  return { person, templates };
}

type Known = { team: TeamRules; judgement: Judgement; explained: RuleExplanation; since: string | null };

function outcomeOf(template: Template, person: Person, { team, judgement, explained, since }: Known): Outcome {
  const isOwn = ({ template_id }: { template_id: string }) => template_id === template.id;
  const starts = [...judgement.starts, ...judgement.notes].some(isOwn);
  const held = judgement.held.find(isOwn);
  const journeys = person.journeys.filter(isOwn);
  if (journeys.length > 0 && !starts) return { kind: 'has_journey', journeys };
  const noted = person.noted.filter(isOwn).map(({ account_id }) => account_id);
  if (noted.length > 0 && !starts) return { kind: 'noted', account_ids: noted };
  if (since === null) return { kind: 'not_live', because: whyNotLive(template) };
  if (held) return { kind: 'held_back', reason: held.reason, ...('by' in held ? { by: held.by } : {}) };
  if (starts) {
    const isStopped = (team.stored.get(template.id)?.brake.stopped_at ?? null) !== null;
    return isStopped ? { kind: 'held_back', reason: 'brake' } : { kind: 'starts' };
  }
  return { kind: explained.subjects.some(({ holds }) => holds) ? 'stored_before' : 'does_not_hold' };
}

function whyNotLive(template: Template): string {
  if (isArchived(template)) return 'it is archived';
  if (template.status !== 'live') return template.status === 'draft' ? 'it is a draft' : 'its `status` is not `live`';
  if (template.is_muted) return 'it is muted';
  return isTargeting(template) ? 'it was imported a moment ago' : 'no page is published';
}
