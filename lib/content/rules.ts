import type { StoredDocument, StoredTemplate } from '../domain/campaigns/document.ts';
import { isArchived } from '../domain/campaigns/shown-template.ts';
import {
  accountPriorities,
  asksForAccount,
  type FieldCondition,
  fieldsNamed,
  hasRule,
  isFieldCondition,
  ruleField,
  ruleForm,
  ruleLimits,
  type TargetingGroup,
} from '../domain/campaigns/targeting-rule.ts';
import { isTargeting } from '../domain/targeting/rule.ts';
import type { ErrorDetail } from '../domain/values/problem.ts';
import { similarTo } from '../domain/values/similar.ts';
import type { IdentifiedDocument, ImportContext } from './identify.ts';

/** The rules of templates at an import (contract, section 14, "Rules" and "Conditions"). */

type Named = { id: string; name: string | null };

/** The templates of the team after the import. */
const templatesAfter = ({ templates }: { templates: readonly Named[] }, stored: StoredDocument): Named[] => {
  const given = new Set(templates.map(({ id }) => id));
  return [...templates, ...stored.templates.filter(({ id }) => !given.has(id))];
};

/** The document with the ids of templates in its rules, where it names them. A name that is not clear stays. */
export function withTemplateIds(document: IdentifiedDocument, stored: StoredDocument): IdentifiedDocument {
  const templates = templatesAfter(document, stored);
  const idOf = (idOrName: string) => {
    const [found, ...others] = templatesNamed(templates, idOrName);
    return found && others.length === 0 ? found.id : idOrName;
  };
  const withId = (condition: FieldCondition): FieldCondition => {
    const named = ruleField(condition.field);
    return named?.subject === 'journey' ? { ...condition, field: `journey.${idOf(named.name)}` } : condition;
  };
  const groupOf = ({ conditions, ...group }: TargetingGroup): TargetingGroup => ({
    ...group,
    conditions: conditions.map((each) => (isFieldCondition(each) ? withId(each) : each)),
  });
  return {
    ...document,
    templates: document.templates.map((template) => {
      const { targeting_groups: groups } = template;
      return { ...template, targeting_groups: groups?.map(groupOf) ?? null };
    }),
  };
}

const templatesNamed = (templates: readonly Named[], idOrName: string): Named[] => {
  const byId = templates.filter(({ id }) => id === idOrName.toLowerCase());
  return byId.length > 0 ? byId : templates.filter(({ name }) => name === idOrName);
};

/** The errors of rules that depend on other fields or objects. */
export function ruleErrors(
  document: IdentifiedDocument,
  stored: StoredDocument,
  { globalObjectives }: Pick<ImportContext, 'globalObjectives'>,
): ErrorDetail[] {
  const replaced = new Set(document.objectives.map(({ id }) => id));
  const objectives = [
    ...[...document.objectives, ...globalObjectives].map(({ key }) => key),
    ...stored.objectives.filter(({ id }) => !replaced.has(id)).map(({ key }) => key),
  ];
  const named = { objectives: new Set(objectives), templates: templatesAfter(document, stored) };
  return [
    ...document.templates.flatMap((template, index) => templateErrors(template, named, `/templates/${index}`)),
    ...renamedObjectives(document, stored, named.objectives),
    ...tooManyRules(document, stored),
  ];
}

type Known = { objectives: ReadonlySet<string>; templates: readonly Named[] };

function templateErrors(template: IdentifiedDocument['templates'][number], known: Known, path: string): ErrorDetail[] {
  const { targeting_groups: groups, targeting_account_priority: priority } = template;
  if (!groups) return [];
  const isWithoutEnd = template.is_targeting_priority === true && template.journey_duration_hours === null;
  const isPriority = priority === null || accountPriorities.some((each) => each === priority);
  return [
    ...errorIf(isWithoutEnd, `${path}/journey_duration_hours`, neededForPriority),
    ...errorIf(
      !isPriority,
      `${path}/targeting_account_priority`,
      `must be one of ${accountPriorities.join(', ')}, because of \`targeting_groups\``,
    ),
    ...groups.flatMap(({ conditions }, index) =>
      conditions.flatMap((condition, place) => {
        const at = `${path}/targeting_groups/${index}/conditions/${place}`;
        if (isFieldCondition(condition)) return referenceErrors(condition, known, at);
        const isAlone = 'has_account' in condition && !asksForAccount(groups);
        return errorIf(isAlone, `${at}/has_account`, neededForAccount);
      }),
    ),
  ];
}

const errorIf = (isError: boolean, path: string, message: string): ErrorDetail[] =>
  isError ? [{ path, message }] : [];

const neededForPriority =
  'is required for a campaign with `is_targeting_priority` and `targeting_groups`: without an end, a journey that ' +
  'nobody completes would keep every other campaign from the contact';
const neededForAccount =
  'needs a condition on the account that is judged in the same rule, such as `product.type`: a rule without one is only ' +
  'for contacts that are new';

function referenceErrors({ field }: FieldCondition, known: Known, path: string): ErrorDetail[] {
  const named = ruleField(field);
  if (named?.subject === 'objective') {
    if (known.objectives.has(named.name)) return [];
    const meant = similarTo(named.name, [...known.objectives]);
    const hint = meant === undefined ? '' : `: did you mean \`objective.${meant}\`?`;
    return [{ path: `${path}/field`, message: `must name the key of an existing objective${hint}` }];
  }
  if (named?.subject !== 'journey') return [];
  const found = templatesNamed(known.templates, named.name);
  if (found.length === 1) return [];
  const ids = found.map(({ id }) => id).join(', ');
  const message =
    found.length === 0 ? 'must name an existing template' : `names several templates: write one of ${ids}`;
  return [{ path: `${path}/field`, message }];
}

/** An objective cannot lose the key by which a stored rule names it. */
function renamedObjectives(
  document: IdentifiedDocument,
  stored: StoredDocument,
  keys: ReadonlySet<string>,
): ErrorDetail[] {
  const given = new Set(document.templates.map(({ id }) => id));
  const kept = stored.templates.filter(({ id }) => !given.has(id));
  return document.objectives.flatMap(({ id }, index) => {
    const before = stored.objectives.find((each) => each.id === id)?.key;
    if (before === undefined || keys.has(before)) return [];
    const naming = kept.find(({ targeting_groups: groups }) => namesObjective(groups ?? [], before));
    const message = `must stay ${JSON.stringify(before)}: the rule of the template ${JSON.stringify(naming?.name ?? naming?.id)} names it`;
    return errorIf(naming !== undefined, `/objectives/${index}/key`, message);
  });
}

const namesObjective = (groups: readonly TargetingGroup[], key: string): boolean =>
  fieldsNamed(groups).includes(`objective.${key}`);

/** A team can have only so many live templates with a rule. The ones that exceed it get the error. */
function tooManyRules({ templates }: IdentifiedDocument, stored: StoredDocument): ErrorDetail[] {
  const isCounted = (each: StoredTemplate | IdentifiedDocument['templates'][number]) =>
    hasRule(each) && each.status === 'live' && !isArchived(each);
  const given = new Set(templates.map(({ id }) => id));
  let count = stored.templates.filter((each) => !given.has(each.id) && isCounted(each)).length;
  return templates.flatMap((template, index) => {
    if (isCounted(template)) count++;
    const isOver = isCounted(template) && count > ruleLimits.templates;
    const message = `must not bring the team to more than ${ruleLimits.templates} live templates with \`targeting_groups\``;
    return errorIf(isOver, `/templates/${index}/targeting_groups`, message);
  });
}

/** What an import does to a rule by which targeting starts journeys. */
export type RuleChange = { template_id: string; name: string | null; change: 'starts' | 'changes' | 'stops' };

/** The live rules that an import changes (contract, section 14, "Before and after"). */
export function ruleChanges(before: StoredDocument, after: StoredDocument): RuleChange[] {
  const former = new Map(before.templates.map((each) => [each.id, each]));
  return after.templates.flatMap((template): RuleChange[] => {
    const old = former.get(template.id);
    const [was, is] = [old !== undefined && isTargeting(old), isTargeting(template)];
    const { id: template_id, name } = template;
    if (was !== is) return [{ template_id, name, change: is ? 'starts' : 'stops' }];
    return is && ruleForm(old!) !== ruleForm(template) ? [{ template_id, name, change: 'changes' }] : [];
  });
}
