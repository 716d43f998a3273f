import { describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { documentOfTemplate, exportedDocument } from '../../../bin/content/export.ts';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import type { StoredDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { ruleLimits } from '../../../lib/domain/campaigns/targeting-rule.ts';
import { type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import { id, shown, teamId } from '../../support/samples/content-documents.ts';
import { apply, laterImport } from './content-imports.ts';

/** All errors of an import: of fields, and between objects. */
function errorsOf(stored: StoredDocument, document: object): string[] {
  const { errors, document: given } = readDocument(document as JsonValue);
  const context = { teamId, features: [], globalObjectives: [{ id: id(90), key: 'global' }], idOf: String, now: '' };
  const applied = applyContent(stored, given!, context);
  const others = 'errors' in applied ? applied.errors : [];
  return [...errors, ...others].map(({ path, message }) => `${path} ${message}`);
}

const isChecking = { field: 'product.type', operator: 'equals', value: 'checking' };
const ruleOf = (...conditions: unknown[]) => ({ targeting_groups: [{ conditions }] });
const document = (...templates: object[]) => ({ templates });
const conditions = '/templates/0/targeting_groups/0/conditions';
const condition = `${conditions}/0`;

describe('an error in a rule is told at its place', () => {
  const many = (count: number) => Array.from({ length: count }, () => isChecking);
  test.each<[what: string, template: object, error: string]>([
    [
      'more than ten groups',
      { targeting_groups: many(11).map((each) => ({ conditions: [each] })) },
      '/templates/0/targeting_groups must have at most 10 groups',
    ],
    ['no conditions', ruleOf(), `${conditions} must have at least one condition`],
    ['more than twenty conditions', ruleOf(...many(21)), `${conditions} must have at most 20 conditions`],
    ['a group without conditions', { targeting_groups: [{}] }, `${conditions} is required`],
    [
      'an operator between conditions that is none',
      { targeting_groups: [{ logical_operator: 'XOR', conditions: [isChecking] }] },
      '/templates/0/targeting_groups/0/logical_operator must be one of AND, OR',
    ],
    ['groups that are none', { targeting_groups: 'all' }, '/templates/0/targeting_groups must be an array'],
    ['a condition that is none', ruleOf('all'), `${condition} must be an object`],
    ['a condition without a field', ruleOf({ operator: 'is_set' }), `${condition}/field is required`],
    ['a condition without an operator', ruleOf({ field: 'contact.city' }), `${condition}/operator is required`],
    [
      'a field that is unknown',
      ruleOf({ field: 'account.balence', operator: 'is_set' }),
      `${condition}/field is not a field that a rule can name: did you mean \`account.balance\`?`,
    ],
    [
      'a field of nothing',
      ruleOf({ field: 'city', operator: 'is_set' }),
      `${condition}/field is not a field that a rule can name: write contact.…, account.…`,
    ],
    [
      'a field of every object',
      ruleOf({ field: 'contact.constructor', operator: 'is_set' }),
      `${condition}/field is not a field`,
    ],
    [
      'metadata as a whole',
      ruleOf({ field: 'contact.meta_public', operator: 'is_set' }),
      `${condition}/field is not a field`,
    ],
    [
      'an objective without a key',
      ruleOf({ field: 'objective.', operator: 'is_set' }),
      `${condition}/field is not a field`,
    ],
    [
      'an operator that is unknown',
      ruleOf({ field: 'contact.city', operator: 'like', value: 'x' }),
      `${condition}/operator must be one of is_set, is_not_set`,
    ],
    [
      'an operator that does not fit',
      ruleOf({ field: 'contact.city', operator: 'less_than', value: 1 }),
      `${condition}/operator does not fit contact.city, which is a text: use one of is_set,`,
    ],
    [
      'an operator that does not fit a date',
      ruleOf({ field: 'account.opened_date', operator: 'equals', value: '2026-01-01' }),
      `${condition}/operator does not fit account.opened_date, which is a date: use one of`,
    ],
    [
      'an operator for journeys',
      ruleOf({ field: 'contact.meta_public.a', operator: 'exists' }),
      `${condition}/operator does not fit contact.meta_public.a, which is metadata`,
    ],
    ['no value', ruleOf({ field: 'contact.city', operator: 'equals' }), `${condition}/value is required`],
    [
      'a value for no operator',
      ruleOf({ field: 'contact.city', operator: 'is_set', value: true }),
      `${condition}/value must be left out`,
    ],
    [
      'a number for a text',
      ruleOf({ field: 'contact.post_code', operator: 'equals', value: 12345 }),
      `${condition}/value must be a text, in quotes`,
    ],
    [
      'a text that is empty',
      ruleOf({ field: 'contact.city', operator: 'contains', value: '' }),
      `${condition}/value must not be empty`,
    ],
    [
      'a text that is too long',
      ruleOf({ field: 'contact.city', operator: 'contains', value: 'x'.repeat(1025) }),
      `${condition}/value must be at most 1024 characters`,
    ],
    [
      'a text for a number',
      ruleOf({ field: 'account.balance', operator: 'at_least', value: 'much' }),
      `${condition}/value must be a number, such as 1000`,
    ],
    [
      'a list for one value',
      ruleOf({ field: 'contact.city', operator: 'equals', value: ['x'] }),
      `${condition}/value must be one value; for a list, use \`one_of\``,
    ],
    [
      'one value for a list',
      ruleOf({ field: 'contact.city', operator: 'one_of', value: 'x' }),
      `${condition}/value must be a list with at least one value`,
    ],
    [
      'an empty list',
      ruleOf({ field: 'contact.city', operator: 'none_of', value: [] }),
      `${condition}/value must be a list with at least one value`,
    ],
    [
      'a wrong value in a list',
      ruleOf({ field: 'account.balance', operator: 'one_of', value: [1, 'x'] }),
      `${condition}/value/1 must be a number`,
    ],
    [
      'a text for a flag',
      ruleOf({ field: 'contact.email_opted_in', operator: 'equals', value: 'yes' }),
      `${condition}/value must be true or false`,
    ],
    [
      'a day that does not exist',
      ruleOf({ field: 'account.opened_date', operator: 'on', value: '2026-02-30' }),
      `${condition}/value must be a date, such as 2027-01-31`,
    ],
    [
      'days that are no number',
      ruleOf({ field: 'account.opened_date', operator: 'within_last_days', value: '7' }),
      `${condition}/value must be a whole number of days`,
    ],
    [
      'days that are not whole',
      ruleOf({ field: 'account.opened_date', operator: 'within_last_days', value: 1.5 }),
      `${condition}/value must be a whole number of days`,
    ],
    [
      'days before now',
      ruleOf({ field: 'contact.meta_public.since', operator: 'within_last_days', value: -1 }),
      `${condition}/value must be a whole number of days`,
    ],
    [
      'a type of products that does not exist',
      ruleOf({ ...isChecking, value: 'chequing' }),
      `${condition}/value must be one of checking, savings, loan, lease, investment; did you mean checking?`,
    ],
    [
      'metadata compared with several kinds',
      ruleOf({ field: 'contact.meta_public.a', operator: 'one_of', value: [1, '1'] }),
      `${condition}/value must be a text or a number, because of the operator \`one_of\``,
    ],
    [
      'metadata that is less than a text',
      ruleOf({ field: 'contact.meta_public.a', operator: 'less_than', value: '1' }),
      `${condition}/value must be a number, because of the operator \`less_than\``,
    ],
    [
      'a question about nothing',
      ruleOf({ ...isChecking }, { has_account: [] }),
      `${conditions}/1/has_account must have at least one condition`,
    ],
    [
      'two questions in one',
      ruleOf({ ...isChecking, has_no_account: [isChecking] }),
      `${condition}/has_no_account must be left out beside \`field\``,
    ],
    [
      'an operator beside a question',
      ruleOf({ operator: 'equals', has_no_account: [isChecking] }),
      `${condition}/operator must be left out beside \`has_no_account\``,
    ],
    [
      'a question about the contact in one about accounts',
      ruleOf({ has_no_account: [{ field: 'contact.city', operator: 'is_set' }] }),
      `${condition}/has_no_account/0/field must be a field of the account or of its product`,
    ],
    [
      'a question within a question',
      ruleOf({ has_no_account: [{ has_no_account: [isChecking] }] }),
      `${condition}/has_no_account/0/field is required`,
    ],
    [
      'has_account without a condition on the account that is judged',
      ruleOf({ has_account: [isChecking] }, { has_no_account: [isChecking] }),
      `${condition}/has_account needs a condition on the account that is judged in the same rule`,
    ],
    [
      'an objective that does not exist',
      ruleOf({ field: 'objective.globol', operator: 'is_completed' }),
      `${condition}/field must name the key of an existing objective: did you mean \`objective.global\`?`,
    ],
    [
      'a journey that does not exist',
      ruleOf({ field: 'journey.Welcome', operator: 'exists' }),
      `${condition}/field must name an existing template`,
    ],
    [
      'a priority of accounts that is none',
      { ...ruleOf(isChecking), targeting_account_priority: 'largest' },
      '/templates/0/targeting_account_priority must be one of newest, oldest, highest_balance, primary',
    ],
    [
      'priority without an end',
      { ...ruleOf(isChecking), is_targeting_priority: true },
      '/templates/0/journey_duration_hours is required for a campaign with `is_targeting_priority`',
    ],
  ])('%s', (_what, template, error) => {
    const errors = errorsOf(noContent, document(template));
    expect(errors[0]).toContain(error);
    // An element of a question within a question lacks both members.
    expect(errors.slice(1).filter((each) => !each.includes('has_no_account/0/operator is required'))).toEqual([]);
  });

  test('all together, those of fields and those between objects', () => {
    const template = ruleOf(
      { field: 'contact.city', operator: 'less_than', value: 1 },
      isChecking,
      { field: 'journey.Nobody', operator: 'exists' },
      { field: 'contact.nothing', operator: 'is_set' },
    );
    const other = ruleOf({ field: 'objective.nothing', operator: 'is_completed' });
    expect(errorsOf(noContent, document(template, { name: 'B', ...other })).map((each) => each.split(' ')[0])).toEqual([
      `${condition}/operator`,
      `${conditions}/3/field`,
      `${conditions}/2/field`,
      '/templates/1/targeting_groups/0/conditions/0/field',
    ]);
  });

  test('a name that several templates have is not clear', () => {
    const twice = [1, 2].map((n) => ({ id: id(n), name: 'Twice' }));
    const naming = { name: 'C', ...ruleOf({ field: 'journey.Twice', operator: 'exists' }) };
    expect(errorsOf(noContent, document(...twice, naming))).toEqual([
      `/templates/2/targeting_groups/0/conditions/0/field names several templates: write one of ${id(1)}, ${id(2)}`,
    ]);
  });
});

describe('a rule', () => {
  test('without a value of any field is none, and the API has none of it', () => {
    const [template] = shown(document({ targeting_groups: [] })).templates;
    expect(template!.targeting_groups).toBeNull();
  });

  test('names other templates by id, whether they are stored, or in the document', () => {
    const stored = apply(noContent, document({ id: id(1), name: 'Stored' })).content;
    const fields = ['Stored', id(1).toUpperCase(), 'Given', 'Own'].map((name) => `journey.${name}`);
    const own = {
      id: id(3),
      name: 'Own',
      ...ruleOf(...fields.map((field) => ({ field, operator: 'does_not_exist' }))),
    };
    const { content } = apply(stored, document({ id: id(2), name: 'Given' }, own));
    const [group] = content.templates.find((each) => each.id === id(3))!.targeting_groups!;
    const ids = [1, 1, 2, 3].map((n) => `journey.${id(n)}`);
    expect(group!.conditions.map((each) => 'field' in each && each.field)).toEqual(ids);
    expect(apply(content, exportedDocument(content)).content).toEqual(content);
  });

  test('keeps a template that it names, and the key of an objective', () => {
    const naming = ruleOf(
      { field: 'objective.app_login', operator: 'is_not_completed' },
      { field: `journey.${id(1)}`, operator: 'exists' },
    );
    const objectives = [{ id: id(8), key: 'app_login' }];
    const all = { objectives, ...document({ id: id(1), name: 'A' }, { id: id(2), name: 'B', ...naming }) };
    const { content } = apply(noContent, all);
    expect(errorsOf(content, { objectives: [{ id: id(8), key: 'login' }] })).toEqual([
      '/objectives/0/key must stay "app_login": the rule of the template "B" names it',
    ]);
    // An import that replaces all content removes a template that it does not have.
    expect(errorsOf(noContent, { objectives, ...document({ id: id(2), name: 'B', ...naming }) })).toEqual([
      `${conditions}/1/field must name an existing template`,
    ]);
  });

  test('is exported and imported with all digits, and its form tells whether it changed', () => {
    const value = '900719925474099300000000.01';
    const text = `{"field":"account.balance","operator":"at_least","value":${value}}`;
    const given = parseJson(
      `{"templates":[{"id":"${id(1)}","targeting_groups":[{"conditions":[${text}]}]}]}`,
    ) as object;
    const { content } = apply(noContent, given);
    expect(JSON.stringify(exportedDocument(content))).toContain(`"value":${value}`);
    const reread = parseJson(JSON.stringify(exportedDocument(content))) as object;
    expect(errorsOf(content, { ...reread, objectives: [{ key: 1 }] })).toEqual(['/objectives/0/key must be a string']);
    expect(apply(content, reread, { now: laterImport }).counts.templates).toMatchObject({ unchanged: 1, updated: 0 });
  });

  test('of a template takes the objectives that it names with it', () => {
    const naming = { id: id(1), ...ruleOf({ field: 'objective.app_login', operator: 'is_completed' }) };
    const objectives = ['app_login', 'other'].map((key, at) => ({ id: id(8 + at), key }));
    const { content } = apply(noContent, { objectives, ...document(naming) });
    const exported = documentOfTemplate(content, content.templates[0]!);
    expect(exported.objectives.map(({ key }) => key)).toEqual(['app_login']);
  });

  test('is one of at most a hundred of live templates', () => {
    const live = (n: number) => ({ id: id(n), name: `T${n}`, status: 'live', ...ruleOf(isChecking) });
    const full = Array.from({ length: ruleLimits.templates }, (_, at) => live(at + 1));
    const { content } = apply(noContent, document(...full));
    expect(errorsOf(content, document(live(1), live(500), { ...live(501), status: 'draft' }))).toEqual([
      '/templates/1/targeting_groups must not bring the team to more than 100 live templates with `targeting_groups`',
    ]);
  });

  test('that is not there makes priority a warning', () => {
    const given = document({ is_targeting_priority: true, status: 'draft' });
    const warnings = contentWarnings(given as JsonValue, readDocument(given as JsonValue).document!);
    expect(warnings.map(({ path }) => path)).toContain('/templates/0/is_targeting_priority');
    const withRule = document({ is_targeting_priority: true, journey_duration_hours: 720, ...ruleOf(isChecking) });
    const others = contentWarnings(withRule as JsonValue, readDocument(withRule as JsonValue).document!);
    expect(others.map(({ path }) => path)).not.toContain('/templates/0/is_targeting_priority');
  });

  test('is described in the schema of the document, with every operator', () => {
    const schema = JSON.stringify(contentJsonSchema());
    expect(schema).toContain('"targeting_groups"');
    expect(schema).toContain('"within_next_days"');
  });
});

describe('an import says which live rules change', () => {
  const live = { name: 'A', status: 'live', template_pages: [{ page: {} }], ...ruleOf(isChecking) };
  const { content } = apply(noContent, document(live));
  const changes = (stored: StoredDocument, template: object) => {
    return apply(stored, document(template)).ruleChanges.map(({ name, change }) => [name, change]);
  };
  test.each<[what: string, template: object, expected: string[]]>([
    ['the same rule', { ...live, targeting_order: 5 }, []],
    ['other conditions', { ...live, ...ruleOf({ ...isChecking, value: 'loan' }) }, ['changes']],
    ['another operator', { ...live, targeting_group_logical_operator: 'OR' }, ['changes']],
    ['the default operator', { ...live, targeting_group_logical_operator: 'AND' }, []],
    ['another strategy', { ...live, journey_creation_strategy: 'ONE_FOR_ONE' }, ['changes']],
    ['the default strategy', { ...live, journey_creation_strategy: 'ONE_FOR_ALL' }, []],
    ['a muted campaign', { ...live, is_muted: true }, ['stops']],
    ['no groups', { ...live, targeting_groups: null }, ['stops']],
  ])('%s', (_what, template, expected) => {
    expect(changes(content, template).map(([, change]) => change)).toEqual(expected);
  });

  test('and which go live', () => {
    expect(changes(noContent, live)).toEqual([['A', 'starts']]);
    expect(changes(noContent, { ...live, status: 'draft' })).toEqual([]);
  });
});
