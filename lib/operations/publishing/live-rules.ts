import type { LinkedContent } from '../../domain/campaigns/link.ts';
import { hasRule } from '../../domain/campaigns/targeting-rule.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { isTargeting } from '../../domain/targeting/rule.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { rulesLiveWrite } from '../../store/events/event-log.ts';
import { chunksOf, type Database, type Write } from '../../store/table/database.ts';
import { revisionOf } from '../../store/targeting/revision.ts';
import { formWrite, loadTargeting, newRule, type StoredRule } from '../../store/targeting/rules.ts';
import type { Service } from '../service.ts';
import { inputsOf } from '../targeting/rule-inputs.ts';

/**
 * What an import writes of the rules of the templates. A rule that goes live, is unmuted or changes its form is for what
 * is stored first from now on (contract, section 14, "From when").
 */
export async function ruleWrites(
  { database, now }: Pick<Service, 'database' | 'now'>,
  owner: string,
  { templates }: Pick<LinkedContent, 'templates'>,
): Promise<Write[]> {
  const { rules } = await loadTargeting(database, owner);
  const stored = new Map(rules.map((rule) => [rule.template_id, rule]));
  const known = new Map(templates.map((template) => [template.id, template]));
  const ids = new Set([...templates.filter(hasRule).map(({ id }) => id), ...stored.keys()]);
  const changed = [...ids].flatMap((id) => {
    const before = stored.get(id) ?? newRule(id);
    const after = ruleAfter(before, known.get(id), timestamp(now()));
    return isSameForm(before, after) ? [] : [{ before, after }];
  });
  const goesLive = changed.some(({ before, after }) => after.live && !before.live);
  return [
    // First, so that no rule is live before the publisher looks for rules.
    ...(goesLive ? [rulesLiveWrite(owner)] : []),
    ...changed.map(({ before, after }) => formWrite(owner, after, before)),
  ];
}

function ruleAfter(before: StoredRule, template: Template | undefined, now: string): StoredRule {
  if (!template || !isTargeting(template)) return { ...before, live: false };
  const revision = revisionOf(template);
  const isFresh = !before.live || before.revision !== revision;
  const inputs = inputsOf(template.targeting_groups ?? []);
  return { ...before, live: true, revision, inputs, since: isFresh ? now : before.since };
}

const isSameForm = (a: StoredRule, b: StoredRule): boolean =>
  a.live === b.live && a.revision === b.revision && a.inputs.join('\n') === b.inputs.join('\n');

/** False if a rule has changed since it was read. */
export async function writeRules(database: Database, writes: readonly Write[]): Promise<boolean> {
  for (const group of chunksOf(writes, 100)) if (!(await database.transact(group))) return false;
  return true;
}
