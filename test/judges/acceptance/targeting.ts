import { randomUUID } from 'node:crypto';
import { record } from './accounts.ts';
import { has, holds, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { check } from './suite.ts';
import { newId, Team, type World } from './world.ts';

/** A team of its own: a rule in another would concern its people. */
async function ownTeam(world: World): Promise<string[]> {
  const { team_id } = await world.admin(['team', 'create', '--name', 'Targeting', '--sandbox']);
  world.teams.push(team_id);
  return ['--team', team_id];
}

const isChecking = { field: 'product.type', operator: 'equals', value: 'checking' };
const campaign = (conditions: object[], fields: object = {}) => ({
  ...{ name: 'Welcome', status: 'draft', targeting_groups: [{ conditions }] },
  template_pages: [{ order: 1, page: { navigation_title: 'Hello' } }],
  ...fields,
});

/** The paths of the errors that `content check` finds. */
async function faults(world: World, ofTeam: string[], ...templates: object[]): Promise<string[]> {
  const { status, body } = await world.tryAdmin(['content', 'check', '-', ...ofTeam], { templates });
  if (status === 0) return [];
  same(body.error, 'validation_failed', 'the error');
  return body.details.map(({ path }: Json) => path);
}

check('Contract 14: faults in rules are told with their JSON Pointers, all of them', async (world) => {
  const ofTeam = await ownTeam(world);
  const conditions = [
    { ...isChecking, field: 'product.kind' },
    { field: 'contact.city', operator: 'less_than', value: 5 },
    { field: 'account.opened_date', operator: 'on', value: '2026-02-30' },
    { field: 'objective.none', operator: 'is_completed' },
    { field: 'journey.None', operator: 'exists' },
    isChecking,
  ];
  const at = '/templates/0/targeting_groups/0/conditions';
  const found = await faults(world, ofTeam, campaign(conditions));
  const expected = ['0/field', '1/operator', '2/value', '3/field', '4/field'].map((path) => `${at}/${path}`);
  same(found.sort(), expected, 'the paths');
});

check(
  'Contract 14: at most 10 groups with 1 to 20 conditions; has_account only in a rule with conditions on the account that is judged',
  async (world) => {
    const ofTeam = await ownTeam(world);
    const groups = (count: number) => Array.from({ length: count }, () => ({ conditions: [isChecking] }));
    const many = (count: number) => campaign(Array.from({ length: count }, () => isChecking));
    same(
      await faults(world, ofTeam, many(20), { ...many(1), name: 'B', targeting_groups: groups(10) }),
      [],
      'no errors',
    );
    const tooMany = await faults(
      world,
      ofTeam,
      many(21),
      { ...many(1), name: 'B', targeting_groups: groups(11) },
      { ...many(0), name: 'C' },
    );
    same(tooMany.length, 3, 'the number of errors');
    const alone = [{ has_account: [isChecking] }];
    same(
      await faults(world, ofTeam, campaign(alone)),
      ['/templates/0/targeting_groups/0/conditions/0/has_account'],
      'has_account alone',
    );
    same(await faults(world, ofTeam, campaign([{ has_no_account: [isChecking] }])), [], 'has_no_account alone');
    same(await faults(world, ofTeam, campaign([isChecking, ...alone])), [], 'has_account beside a condition');
  },
);

check(
  'Contract 14: is_targeting_priority with groups needs journey_duration_hours; without groups it is a warning',
  async (world) => {
    const ofTeam = await ownTeam(world);
    const priority = { is_targeting_priority: true };
    same(
      await faults(world, ofTeam, campaign([isChecking], priority)),
      ['/templates/0/journey_duration_hours'],
      'without an end',
    );
    same(
      await faults(world, ofTeam, campaign([isChecking], { ...priority, journey_duration_hours: 720 })),
      [],
      'with one',
    );
    const templates = [campaign([], { ...priority, targeting_groups: null })];
    const { warnings } = await world.admin(['content', 'check', '-', ...ofTeam], { templates });
    holds(
      warnings.some(({ path }: Json) => path === '/templates/0/is_targeting_priority'),
      'no warning',
    );
  },
);

check(
  'Contract 14: a rule is imported and exported, a journey in it by the id of its template, which cannot be removed',
  async (world) => {
    const ofTeam = await ownTeam(world);
    const first = randomUUID();
    const conditions = [{ field: 'journey.First', operator: 'does_not_exist' }, isChecking];
    const templates = [{ id: first, name: 'First' }, campaign(conditions)];
    await world.admin(['content', 'import', '-', ...ofTeam], { templates });
    const exported = await world.admin(['content', 'export', ...ofTeam]);
    const { targeting_groups } = exported.templates.find(({ name }: Json) => name === 'Welcome');
    same(
      targeting_groups[0].conditions,
      [{ field: `journey.${first}`, operator: 'does_not_exist' }, isChecking],
      'the conditions',
    );
    has(
      (await world.admin(['content', 'import', '-', ...ofTeam], exported)).templates,
      { created: 0, updated: 0 },
      'the receipt of the same document',
    );
  },
);

check(
  'Contract 14: targeting preview of a document counts who would get a journey and starts nothing; content import says which live rules change',
  async (world) => {
    const ofTeam = await ownTeam(world);
    const templates = [campaign([isChecking], { status: 'live' })];
    const before = await world.admin(['targeting', 'preview', ...ofTeam, '--file', '-'], { templates });
    has(before.looked_at, { contacts: 0, accounts: 0 }, 'who is looked at');
    same(await world.admin(['template', 'list', ...ofTeam]), [], 'the templates after a preview');
    const { rules } = await world.admin(['content', 'import', '-', ...ofTeam], { templates });
    same(
      rules.map(({ name, change }: Json) => [name, change]),
      [['Welcome', 'starts']],
      'the rules that change',
    );
    const named = await world.admin(['targeting', 'preview', ...ofTeam, '--template', 'Welcome', '--sample', '5']);
    has(named.would_start, { from_now_on: 0, with_those_there: 0 }, 'who would get one');
    const nobody = await world.tryAdmin(['targeting', 'explain', ...ofTeam, '--unique-id', newId()]);
    same([nobody.status, nobody.body.error], [1, 'not_found'], 'the explanation of nobody');
  },
);

check(
  'Contract 14: a rule is for accounts that were first stored since it went live; the API does not return it; such journeys have the source automatic-targeting and, in every answer, account_id',
  async (world) => {
    const ofTeam = await ownTeam(world);
    const team = new Team(world.target.baseUrl, await world.client(ofTeam[1]!));
    const product = { code: 'CHK', type: 'checking' };
    const [before, after] = [await team.contact(), await team.contact()];
    const accountOf = ({ unique_id }: Json) => record({ contact: { unique_id }, product });
    await team.import([accountOf(before)]);
    const templates = [campaign([isChecking], { status: 'live' })];
    await world.admin(['content', 'import', '-', ...ofTeam], { templates });
    const [shown] = (await team.get('/v1/templates')).templates;
    holds(!('targeting_groups' in shown), 'the API returns the rule');
    await team.import([accountOf(after)]);
    const journeysOf = ({ id }: Json) => team.get(`/v1/journeys?contact_id=${id}`);
    const [journey] = await eventually(async () => {
      const journeys = await journeysOf(after);
      same(journeys.length, 1, 'the number of journeys');
      return journeys;
    });
    const [{ account }] = await team.accountsOf(after);
    has(journey, { template_id: shown.id, source: 'automatic-targeting', account_id: account.id }, 'the journey');
    same(await journeysOf(before), [], 'the journeys of whom was there before');
    const explained = await world.admin(['targeting', 'explain', ...ofTeam, '--unique-id', before.unique_id]);
    same(explained.templates[0].outcome, { kind: 'stored_before' }, 'the explanation');
  },
);
