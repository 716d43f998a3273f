import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type CfnResource, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { addOnboarding, rulePacks } from './app.ts';
import { bundle } from './bundle.ts';
import { settingsOf } from './settings.ts';
import { stages } from './stages.ts';

/**
 * `node infra/accepted-findings.ts` prints the accepted findings as a table in Markdown. The findings are those of the rule
 * packs on the stacks of all stages, and the reasons those with which the code accepts them.
 */

/** A finding of a rule on a resource of a stage. Without a reason, it is not accepted. */
export type Finding = { stage: string; rule: string; path: string; type: string; reason: string | undefined };

/** All findings of a stage, and the reasons that belong to no finding, as `path rule`. */
export function findingsOf(stage: string, bundles: string): { findings: Finding[]; unused: string[] } {
  // The CDK compares the account of a bucket with that of the stack, so the context is that of `cdk.json`.
  const app = new App({ context: JSON.parse(readFileSync('cdk.json', 'utf8')).context });
  addOnboarding(app, bundles, settingsOf(stages, stage));
  const resources = new Map(app.node.findAll().map((node) => [node.node.path, node]));
  const findings = rulePacks().flatMap((pack) => {
    // Also reports what is accepted.
    Object.assign(pack, { isAcknowledged: () => false });
    return pack.validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => {
        const resource = resources.get(constructPath) as CfnResource;
        const path = constructPath.replace(/\/Resource$/, '');
        return { stage, rule: ruleName, path, type: resource.cfnResourceType, reason: reasonFor(resource, ruleName) };
      }),
    );
  });
  const used = new Set(findings.map(({ reason, rule }) => `${rule} ${reason}`));
  const given = [...resources.values()].flatMap(reasonsOf);
  return {
    findings,
    unused: [...new Set(given.map(([id, reason]) => `${id} ${reason}`))].filter((each) => !used.has(each)),
  };
}

/** The rules that are accepted on a construct, with their reasons. */
const reasonsOf = ({ node }: IConstruct): [string, string][] =>
  node.metadata
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries(data as Record<string, string>))
    .map(([id, reason]) => [id.replace(/^annotation::/i, ''), reason]);

/** The reason on the resource itself or on a construct that contains it. */
function reasonFor(resource: IConstruct, rule: string): string | undefined {
  for (const scope of resource.node.scopes.toReversed()) {
    const found = reasonsOf(scope).find(([id]) => id === rule);
    if (found) return found[1];
  }
  return undefined;
}

/** One row for each reason, with its rules, its stages and its resources. */
export function findingsTable(findings: readonly Finding[]): string {
  const byReason = Map.groupBy(findings, ({ reason, type }) => `${type} ${reason}`);
  const rows = [...byReason.values()].map((group) => {
    const { type, reason } = group[0]!;
    const rules = unique(group.map(({ rule }) => rule.replace(/\[.*/s, '')));
    const stageNames = unique(group.map(({ stage }) => stage));
    const where = stageNames.length === Object.keys(stages).length ? 'all' : stageNames.join(', ');
    return `| ${rules.map((rule) => `\`${rule}\``).join(' ')} | ${resourcesOf(group)} \`${type}\` | ${where} | ${reason} |`;
  });
  return ['| rules | resources | stages | reason |', '|---|---|---|---|', ...rows.sort()].join('\n');
}

const most = 3;

/** The names of a few resources. The names of many would change with every new endpoint. */
function resourcesOf(group: readonly Finding[]): string {
  const names = unique(group.map(({ path }) => path.split('/').slice(1).join('/')));
  return names.length > most ? `several, of type` : `${names.map((name) => `\`${name}\``).join(', ')}, of type`;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();

if (import.meta.main) {
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-bundles-'));
  await bundle(directory);
  const findings = Object.keys(stages).flatMap((stage) => findingsOf(stage, directory).findings);
  rmSync(directory, { recursive: true });
  console.log(findingsTable(findings));
}
