import { changeLines, contentChanges, type ObjectChange } from '../../../../lib/content/content-changes.ts';
import type { RuleChange } from '../../../../lib/content/rules.ts';
import { type LinkedContent, linked } from '../../../../lib/domain/campaigns/link.ts';
import type { Template } from '../../../../lib/domain/campaigns/template.ts';
import { dayOf } from '../../../../lib/domain/journeys/counts.ts';
import { type Accepted, type Consequence, consequencesOf } from '../../../../lib/operations/publishing/consequences.ts';
import type { CheckedContent } from '../../../../lib/operations/publishing/import-content.ts';
import { timeZoneOf } from '../../../../lib/operations/targeting/team-rules.ts';
import { ProductCache } from '../../../../lib/store/accounts/products.ts';
import { loadCounts } from '../../../../lib/store/results/results.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { revisionOf } from '../../../../lib/store/targeting/revision.ts';
import { loadTeam } from '../../../../lib/store/teams/teams.ts';
import { previewRule } from '../targeting/preview.ts';

/** What an administrator sees before content is published. */
export type Review = {
  /** `open_journeys`: of a stored template, as the results count them. */
  changes: readonly (ObjectChange & { open_journeys?: number })[];
  /** `holds`: for how many of the newest contacts the rule holds. */
  rules: readonly (RuleChange & { holds?: { contacts: number; of: number } })[];
  consequences: readonly Consequence[];
};

/** The newest contacts that a rule is tried on. `targeting preview` looks at all. */
const triedOn = 200;

/** @throws Problem `conflict`, as {@link consequencesOf} */
export async function reviewOf(
  service: { database: Database; now(): number },
  owner: string,
  checked: CheckedContent,
  accepted: Accepted,
): Promise<Review> {
  const { database, now } = service;
  const { before, content, ruleChanges } = checked;
  const consequences = await consequencesOf(database, owner, checked, accepted);
  const changes: Review['changes'][number][] = [];
  for (const change of contentChanges(before.document, content)) {
    const isStored = change.kind === 'template' && change.change !== 'added';
    changes.push(isStored ? { ...change, open_journeys: await openJourneys(database, owner, change.id) } : change);
  }
  if (ruleChanges.every(({ change }) => change === 'stops')) return { changes, rules: ruleChanges, consequences };
  const after = linked(content, checked.global, { teamId: owner, team: null });
  const context = { now: now(), timeZone: timeZoneOf(await loadTeam(database, owner)), content: after };
  const rules: Review['rules'][number][] = [];
  for (const rule of ruleChanges) {
    const template = after.templates.find(({ id }) => id === rule.template_id);
    const isTried = template && rule.change !== 'stops';
    rules.push(isTried ? { ...rule, holds: await holdsFor(service, owner, template, context) } : rule);
  }
  return { changes, rules, consequences };
}

async function openJourneys(database: Database, owner: string, templateId: string): Promise<number> {
  const days = Object.entries(await loadCounts(database, owner, templateId)).filter(([group]) => dayOf(group));
  const open = days.map(([, { created = 0, completed = 0, cancelled = 0, expired = 0 }]) => {
    return created - completed - cancelled - expired;
  });
  return Math.max(
    0,
    open.reduce((sum, each) => sum + each, 0),
  );
}

async function holdsFor(
  { database, now }: { database: Database; now(): number },
  teamId: string,
  template: Template,
  context: { now: number; timeZone: string; content: LinkedContent },
): Promise<{ contacts: number; of: number }> {
  const { looked_at, holds } = await previewRule(
    { database, now, productCache: new ProductCache(database) },
    teamId,
    { template, context },
    { live: undefined, revision: revisionOf(template), sample: triedOn, onProgress: () => {} },
  );
  return { contacts: holds.contacts, of: looked_at.contacts };
}

/** The review as people read it. */
export function reviewText({ changes, rules, consequences }: Review): string {
  return [
    ...changes.flatMap((change) => {
      const [head, ...details] = changeLines(change);
      return [`${head}${journeysText(change)}`, ...details.map((line) => `  ${line}`)];
    }),
    ...rules.map(ruleText),
    ...consequences.map(({ message }) => message),
  ].join('\n');
}

const journeysText = ({ open_journeys: count = 0 }: Review['changes'][number]): string =>
  count === 0 ? '' : `, of which ${count === 1 ? '1 journey is' : `${count} journeys are`} open`;

const ruleText = ({ template_id, name, change, holds }: Review['rules'][number]): string => {
  const tried =
    holds && holds.of > 0
      ? ` It holds for ${holds.contacts} of the ${holds.of} newest contacts: targeting preview counts all.`
      : '';
  return `${JSON.stringify(name ?? template_id)}: ${ruleTexts[change]}${tried}`;
};

const whomItIsFor =
  'for accounts, or contacts, that are stored from now on. Nobody who is there already gets a journey';
const ruleTexts: Readonly<Record<RuleChange['change'], string>> = {
  starts: `its rule goes live, ${whomItIsFor}.`,
  changes: `its live rule changes. In this form it is ${whomItIsFor}.`,
  stops: 'its rule is not live any more, and starts no journeys. Journeys that it started go on.',
};
