import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isStarter, starterDocument, starters } from '../../../bin/admin/campaigns/starters.ts';
import { contentOf } from '../../../bin/preview/content.ts';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { operatorsByKind } from '../../../lib/domain/campaigns/targeting-rule.ts';
import { judge } from '../../../lib/domain/targeting/judge.ts';
import { isTargeting } from '../../../lib/domain/targeting/rule.ts';
import { read } from '../../support/architecture/sources.ts';
import { shown } from '../../support/samples/content-documents.ts';
import { accountWith, noon, personWith, ruleOf, templatesOf } from '../../support/samples/people.ts';
import { temporaryDirectory } from '../../support/service/process.ts';

const page = read('docs/targeting.md');

test('the table of the guide has exactly the operators of each kind', () => {
  const rows = [...page.matchAll(/^\| (\w+) \| [^|]+ \| (`is_set`[^|]+) \|$/gm)];
  const table = rows.map(([, kind, operators]) => [kind, [...operators!.matchAll(/`(\w+)`/g)].map(([, name]) => name)]);
  expect(Object.fromEntries(table)).toEqual(operatorsByKind);
});

test('the examples of the guide can be imported, without a warning', () => {
  const examples = [...page.matchAll(/```json content\n(.+?)```/gs)].map(([, text]) => JSON.parse(text!));
  expect(examples).toHaveLength(2);
  for (const example of examples) {
    expect(templatesOf(...example.templates).some(isTargeting)).toBe(true);
    expect(contentWarnings(example, readDocument(example).document!)).toEqual([]);
  }
});

test('a rule can name a campaign that is not in the file, which the preview of pages shows all the same', () => {
  const [, example] = [...page.matchAll(/```json content\n(.+?)```/gs)].map(([, text]) => JSON.parse(text!));
  const file = join(temporaryDirectory(), 'campaign.json');
  writeFileSync(file, JSON.stringify({ templates: example.templates.slice(1) }));
  const { content, errors } = contentOf(file);
  expect([content?.templates.map(({ name }) => name), errors]).toEqual([['Card reminder'], []]);
});

describe('the rule of every starter starts journeys when its campaign is live, and not before', () => {
  const opened = { opened_date: '2026-05-01', balance: '1500.00' };
  test.each(Object.keys(starters))('%s', (name) => {
    expect(isStarter(name)).toBe(true);
    const [draft] = shown(starterDocument(name as keyof typeof starters) as object).templates;
    const template = { ...draft!, status: 'live' as const };
    expect([isTargeting(draft!), isTargeting(template)]).toEqual([false, true]);
    const person = personWith({}, { accounts: [accountWith('1', { role: 'primary', fields: opened })] });
    expect(judge([ruleOf(template)], person, noon).starts).toHaveLength(1);
    const lender = personWith({}, { accounts: [accountWith('1', { type: 'loan' })] });
    expect(judge([ruleOf(template)], lender, noon).starts).toEqual([]);
  });
});
