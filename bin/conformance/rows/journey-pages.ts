import { same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import { eventually, type World } from '../world.ts';

const { row, elsewhere } = sectionOf('Template page: completion');

const completedPages = async ({ team }: World, contact: { id: string }): Promise<string[]> =>
  (await team.journeysOf(contact))[0].analytics_cache.pages_completed;

export const completionRows: readonly Row[] = [
  row(
    '`completion_condition` `view`: the page completes when it is viewed.',
    'Records a view of such a page: it is completed.',
    async (world) => {
      const { slug, contact } = await world.team.journey(world.ids.welcome);
      await world.team.open(204, `POST /j/${slug}/actions`, { type: 'page_viewed', page_id: world.ids.view });
      same(await completedPages(world, contact), [world.ids.view], 'pages_completed');
    },
  ),
  ...(['confirm', 'action'] as const).map((condition) =>
    row(
      `\`completion_condition\` \`${condition}\`: the page completes when the person ${condition === 'confirm' ? 'confirms' : 'acts'} on it.`,
      'Views the page (not completed), then completes it.',
      async (world) => {
        const { slug, contact } = await world.team.journey(world.ids.welcome);
        const act = (type: string) =>
          world.team.open(204, `POST /j/${slug}/actions`, { type, page_id: world.ids[condition] });
        await act('page_viewed');
        same(await completedPages(world, contact), [], 'pages_completed after the view');
        await act('page_completed');
        same(await completedPages(world, contact), [world.ids[condition]], 'pages_completed');
      },
    ),
  ),
  row(
    '`completion_condition` `objective`: the page completes with its `objective_id`, which a contact upload refers to by key.',
    'Sends the key of the objective in a contact: before no page is completed, after it this page.',
    async (world) => {
      const { contact } = await world.team.journey(world.ids.welcome);
      same(await completedPages(world, contact), [], 'pages_completed at first');
      await world.team.call(200, `PATCH /v1/contacts/${contact.id}`, { app_installed: '2026-01-02T03:04:05Z' });
      same(await completedPages(world, contact), [world.ids.goalPage], 'pages_completed');
    },
  ),
  row(
    'For teams without the two reporting features, opens are counted with `completion_product_id` and `completion_product_type` alone.',
    'Links an account of another product type (not completed), then one of the type of the page.',
    async (world) => {
      const { contact } = await world.team.journey(world.ids.welcome);
      const open = (type: string) =>
        world.team.imported([
          {
            account_number: `${type}-${contact.id}`,
            contact: { unique_id: contact.unique_id },
            product: { code: `open-${type}`, type },
          },
        ]);
      await open('loan');
      same(await completedPages(world, contact), [], 'pages_completed after another type');
      await open('lease');
      same(await completedPages(world, contact), [world.ids.productPage], 'pages_completed');
    },
  ),
  row(
    'For teams with both features, the sets count: a linked account of a listed `completion_standardized_types` completes the page.',
    'In the team with both features, links an account of another standardized type, then one of the set.',
    async ({ featured, featuredIds }) => {
      const { contact } = await featured.journey(featuredIds.template);
      const open = (standardized_type: string) =>
        featured.imported([
          {
            account_number: `${standardized_type}-${contact.id}`,
            contact: { unique_id: contact.unique_id },
            product: { code: `set-${standardized_type}`, type: 'savings', standardized_type },
          },
        ]);
      const completed = async () => (await featured.journeysOf(contact))[0].analytics_cache.pages_completed;
      await open('checking');
      same(await completed(), [], 'pages_completed after another type');
      await open('ira_cd');
      await eventually(async () => same(await completed(), [featuredIds.byType], 'pages_completed'), 5);
    },
  ),
  elsewhere(
    'A page names products or standardized types, never both.',
    'Pages are made with the admin command, not with the API.',
    'test/domain/content/apply.test.ts',
  ),
  elsewhere(
    'For teams without the two features, a non-empty `completion_product_ids` or `completion_standardized_types` that changes the stored set is rejected.',
    'Pages are made with the admin command, which responds with the code of a 422.',
    'test/domain/content/apply.test.ts',
  ),
];
