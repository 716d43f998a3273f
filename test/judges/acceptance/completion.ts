import { record } from './accounts.ts';
import { holds, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const completed = async (team: Team, { contact }: Json): Promise<string[]> =>
  (await team.journeyOf(contact)).analytics_cache.pages_completed;
const isCompleted = async (team: Team, { contact }: Json): Promise<boolean> =>
  (await team.journeyOf(contact)).analytics_cache.is_completed;
const open = (team: Team, { contact }: Json, product: object, more: object = {}) =>
  team.import([record({ contact: { unique_id: contact.unique_id }, product: { code: newId(), ...product }, ...more })]);

shortCheck('Contract 6: completion_condition view: the page completes when it is viewed', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  await act(team, journey, 'page_viewed', ids.view);
  same(await completed(team, journey), [ids.view], 'pages_completed');
});

for (const condition of ['confirm', 'action'] as const) {
  check(`Contract 6: completion_condition ${condition}: recorded by the journey page`, async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    await act(team, journey, 'page_viewed', ids[condition]);
    same(await completed(team, journey), [], 'pages_completed after the view');
    await act(team, journey, 'page_completed', ids[condition]);
    same(await completed(team, journey), [ids[condition]], 'pages_completed');
  });
}

check(
  'Contract 6: completion_condition objective: completed for the contact, before or after the journey starts',
  async (world) => {
    const { team, ids } = await world.content();
    const early = await team.journey(ids.welcome, { app_installed: '2020-01-02T03:04:05Z' });
    same(await completed(team, early), [ids.goalPage], 'pages_completed of an earlier one');
    const late = await team.journey(ids.welcome, { online_banking_enrolled: true });
    same(await completed(team, late), [], 'pages_completed with another objective');
    await team.call(200, `PATCH /v1/contacts/${late.contact.id}`, { app_installed: true });
    same(await completed(team, late), [ids.goalPage], 'pages_completed');
  },
);

check(
  'Contract 6: completion_condition open: an account of the product type is linked to the contact',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    await open(team, journey, { type: 'loan' });
    same(await completed(team, journey), [], 'pages_completed with another type');
    await open(team, journey, { type: 'lease' }, { closed_date: '2020-01-01' });
    same(await completed(team, journey), [], 'pages_completed with a closed account');
    await open(team, journey, { type: 'lease' }, { closed_date: '2999-01-01' });
    same(await completed(team, journey), [ids.openPage], 'pages_completed');
  },
);

check(
  'Contract 6: what once was complete stays so: closing or changing the account does not undo it',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.welcome);
    const account = record({
      contact: { unique_id: journey.contact.unique_id },
      product: { code: newId(), type: 'lease' },
    });
    await team.import([account]);
    same(await completed(team, journey), [ids.openPage], 'pages_completed');
    await team.import([{ ...account, closed_date: '2000-01-01' }]);
    same(await completed(team, journey), [ids.openPage], 'pages_completed after the account was closed');
  },
);

check('Contract 6: a completion is recorded when its fact is stored, whether anybody looks or not', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  const account = record({
    contact: { unique_id: journey.contact.unique_id },
    product: { code: newId(), type: 'lease' },
  });
  await team.import([account]);
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  await team.import([{ ...account, closed_date: '2000-01-01' }]);
  same(
    await completed(team, journey),
    [ids.openPage],
    'pages_completed, at which nobody looked before the account was closed',
  );
});

check('Specification, Template page: with both features, the sets count', async (world) => {
  const { team, ids } = await world.other();
  const journey = await team.journey(ids.short);
  await open(team, journey, { type: 'savings', standardized_type: 'cd' });
  same(await completed(team, journey), [], 'pages_completed with another standardized type');
  await open(team, journey, { type: 'savings', standardized_type: 'heloc' });
  await eventually(async () => same(await completed(team, journey), [ids.byTypes], 'pages_completed'));
});

check('Contract 6: is_completed follows when the last page with a condition completes, and stays', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.welcome);
  await act(team, journey, 'page_viewed', ids.view);
  for (const page of [ids.confirm, ids.action]) await act(team, journey, 'page_completed', page);
  await team.call(200, `PATCH /v1/contacts/${journey.contact.id}`, { app_installed: true });
  same(await isCompleted(team, journey), false, 'is_completed before the last page');
  const account = record({
    contact: { unique_id: journey.contact.unique_id },
    product: { code: newId(), type: 'lease' },
  });
  await team.import([account]);
  same(await isCompleted(team, journey), true, 'is_completed, without archived, draft, dead and unconditional pages');
  await team.import([{ ...account, closed_date: '2000-01-01' }]);
  await team.call(200, `PATCH /v1/contacts/${journey.contact.id}`, { app_installed: false });
  same(await isCompleted(team, journey), true, 'is_completed later');
  same((await completed(team, journey)).length, 5, 'pages_completed later');
});

check('Contract 6: neither an unset field nor new content undoes a completion', async (world) => {
  const { team } = await world.content();
  const [template, page, second, objective] = Array.from({ length: 4 }, () => crypto.randomUUID());
  const key = `goal_${template}`;
  const document = (pages: object[]) => ({
    objectives: [{ id: objective, key, name: 'A goal' }],
    templates: [
      {
        id: template,
        name: `Changing ${template}`,
        status: 'live',
        template_pages: pages.map((each, order) => ({ order, page: each })),
      },
    ],
  });
  const write = (pages: object[]) =>
    world.admin(['content', 'import', '-', '--team', team.credential.team_id!], document(pages));
  const goal = { id: page, completion_condition: 'objective', objective_id: objective, content: 'Goal' };
  await write([goal]);
  const journey = await eventually(() => team.journey(template!, { [key]: true }));
  await eventually(async () => same(await completed(team, journey), [page], 'pages_completed'));
  same(await isCompleted(team, journey), true, 'is_completed');
  await write([
    { ...goal, completion_condition: 'confirm', objective_id: null },
    { id: second, completion_condition: 'confirm', content: 'New' },
  ]);
  await eventually(async () => {
    const pages = await team.get(`/v1/templates/${template}/template_pages`);
    holds(pages.length === 2, 'the import is not visible');
  });
  same(
    [await completed(team, journey), await isCompleted(team, journey)],
    [[page], true],
    'pages_completed and is_completed',
  );
});
