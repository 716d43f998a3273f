import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminProgram } from '../../../bin/admin/program.ts';
import { entryPoints } from '../../../infra/bundle.ts';
import { read } from '../../support/architecture/sources.ts';
import { blocksOf } from '../../support/docs/pages.ts';
import { type Json, type synthesize, synthesizeProduction } from '../../support/infra/synthesized.ts';

const page = 'docs/runbook.md';
let stack: ReturnType<typeof synthesize>;

beforeAll(() => {
  stack = synthesizeProduction().stack;
});

/** Several alarms of one kind are numbered. */
const withoutNumber = (name: string) => name.replace(/-\d+$/, '');

/** The section of each alarm, by its heading. */
function sections(): Map<string, string> {
  const [, alarms = ''] = read(page).split('\n## Act now\n');
  const parts = alarms.split('\n## Read the logs\n')[0]!.split(/^### /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n', 1)[0]!, part]));
}

describe('the runbook', () => {
  test('has a section for each alarm and the budget, and no other', () => {
    const alarms = stack.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => withoutNumber(Properties.AlarmName));
    const budgets = stack.ofType('AWS::Budgets::Budget').map(({ Properties }) => Properties.Budget.BudgetName);
    const names = [...alarms, ...budgets].map((name: string) => name.replace(/^Onboarding-(eu-central-1-)?/, ''));
    expect([...sections().keys()].sort()).toEqual([...new Set(names)].sort());
  });

  test('has the alarms in the chapter of their severity, and each alarm names its section', () => {
    const [paging = ''] = read(page).split('\n## On the next working day\n');
    for (const { Properties } of stack.ofType('AWS::CloudWatch::Alarm')) {
      const name = withoutNumber(Properties.AlarmName).replace(/^Onboarding-/, '');
      expect([name, Properties.AlarmDescription.startsWith('[page]')]).toEqual([
        name,
        paging.includes(`\n### ${name}\n`),
      ]);
      expect(Properties.AlarmDescription).toMatch(new RegExp(`#${name.toLowerCase()}$`));
    }
  });

  test('says in each section what it means, what customers notice, and what to run first', () => {
    for (const [name, text] of sections()) {
      expect([name, /^\*\*It means\*\*/m.test(text)]).toEqual([name, true]);
      expect([name, text.includes('**Customers**')]).toEqual([name, true]);
      expect([name, text.includes('```console')]).toEqual([name, true]);
    }
  });
});

describe('the commands of the runbook', () => {
  const consoles = blocksOf(page).filter(({ language }) => language === 'console');
  /** Placeholders such as `<team_id>` are redirections for the shell. */
  const text = consoles.map((block) => block.text.replaceAll(/<[a-z_]+>/g, 'placeholder')).join('\n');
  const used = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups as string[]);

  test('are valid in bash', () => {
    expect(() => execFileSync('bash', ['-n'], { input: text, stdio: 'pipe' })).not.toThrow();
  });

  test('name outputs that the stack has', () => {
    const outputs = Object.keys(stack.template.toJSON().Outputs);
    for (const [name] of used(/\$\(output (\w+)\)/g)) expect(outputs).toContain(name);
  });

  test('name each resource so that exactly one is meant', () => {
    const named = used(/\$\(resource ([\w:]+) (\w+)\)/g);
    expect(named.length).toBeGreaterThan(5);
    for (const [type, prefix] of named) {
      const found = stack.ofType(`AWS::${type}`).filter(({ logicalId }: Json) => logicalId.startsWith(prefix));
      expect([type, prefix, found.length]).toEqual([type, prefix, 1]);
    }
  });

  test('read logs of functions that exist', () => {
    const ids = used(/(?:errors_of|lines_of|log_of) ([a-z][a-z-]+)/g).map(([id]) => id!);
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) {
      expect(Object.keys(entryPoints)).toContain(id);
      const prefix = `${id.replaceAll('-', '')}Logs`;
      const groups = stack.ofType('AWS::Logs::LogGroup').filter(({ logicalId }) => logicalId.startsWith(prefix));
      expect([id, groups.length]).toEqual([id, 1]);
    }
  });

  test('are verbs of the admin command, with options that they have', async () => {
    const nouns = (await adminProgram()).commands;
    const runs = used(/^admin ([a-z]+)(?: ([a-z][a-z-]*))?(.*)$/gm);
    expect(runs.length).toBeGreaterThan(8);
    for (const [noun, verb, rest] of runs) {
      const found = nouns.find((each) => each.name() === noun);
      const command = verb === undefined ? found : found?.commands.find((each) => each.name() === verb);
      const options = command?.options.map(({ long }) => long) ?? [];
      expect([noun, verb, options.includes('--stack')]).toEqual([noun, verb, true]);
      for (const [option] of rest!.matchAll(/--[a-z-]+/g)) expect(options).toContain(option);
    }
  });
});
