import { holds, same } from './expect.ts';
import type { Json } from './http.ts';
import { act } from './journeys.ts';
import { check } from './suite.ts';
import { newId, type World } from './world.ts';

const page = (content_name: string | null, body: string) => ({
  ...{ content_name, completion_condition: 'confirm' },
  content_blocks: [{ type: 'confirm', data: { body, text: 'Yes' } }],
});
const campaign = (name: string, ...pages: object[]) => ({
  templates: [{ name, template_pages: pages.map((each, at) => ({ order: at + 1, page: each })) }],
});

/** A campaign without ids, of which one person has completed the first page. */
async function underWay(world: World, ...pages: object[]) {
  const { team } = await world.content();
  const name = newId();
  const admin = ['--team', team.credential.team_id!];
  const tryImport = (document: object, ...options: string[]) =>
    world.tryAdmin(['content', 'import', '-', ...admin, ...options], document);
  same((await tryImport(campaign(name, ...pages))).status, 0, 'the exit status of the first import');
  const templates = async (): Promise<Json[]> => (await team.get('/v1/templates')).templates;
  const { id } = (await templates()).find((each) => each.name === name)!;
  const pageIds = async (): Promise<string[]> =>
    (await team.get(`/v1/templates/${id}/template_pages`)).map((each: Json) => each.page_id);
  const journey = await team.journey(id);
  const [first] = await pageIds();
  await act(team, journey, 'page_completed', first!);
  const completed = async () => (await team.journeyOf(journey.contact)).analytics_cache.pages_completed;
  return { id, name, admin, team, tryImport, templates, pageIds, completed };
}

check(
  'Contract 6: pages without ids keep their identity by title, then content, and only then place',
  async (world) => {
    const [one, two, three] = [page('One', 'first'), page('Two', 'second'), page(null, 'third')];
    const { name, tryImport, pageIds, completed } = await underWay(world, one, two, three);
    const [first, second, third] = await pageIds();
    const changed = campaign(name, page('New', 'new'), page('Deux', 'second'), page('One', 'rewritten'), three);
    same((await tryImport(changed)).status, 0, 'the exit status');
    const [inserted, ...ids] = await pageIds();
    same(ids, [second, first, third], 'the pages that stayed recognisable');
    holds(![first, second, third].includes(inserted), 'the inserted page has the id of another');
    same(await completed(), [first], 'the completed pages');
  },
);

check('Contract 6: content export and the receipt of an import name every id, of blocks too', async (world) => {
  const { id, name, admin, team, tryImport } = await underWay(world, page('One', 'first'), page('Two', 'second'));
  const { body: receipt } = await tryImport(campaign(name, page('Two', 'second'), page('One', 'first')));
  const exported = await world.admin(['content', 'export', ...admin]);
  const pages: Json[] = await team.get(`/v1/templates/${id}/template_pages`);
  const ids = pages.flatMap((each) => [each.id, each.page_id, each.page.content_blocks[0].id]);
  for (const each of [id, ...ids]) {
    holds(JSON.stringify(receipt).includes(each), `the receipt does not name ${each}`);
    holds(JSON.stringify(exported).includes(each), `the export does not name ${each}`);
  }
});

check('Contract 6: progress is given to another page only with --accept-moves', async (world) => {
  const { name, tryImport, pageIds, completed } = await underWay(world, page('One', 'first'), page('Two', 'second'));
  const before = await pageIds();
  const changed = campaign(name, page('Other', 'quite another'), page('Two', 'second'));
  const { status, body } = await tryImport(changed);
  same(status, 1, 'the exit status');
  const message = JSON.stringify(body.details);
  for (const part of ['One', 'Other', '1 person', '--accept-moves'])
    holds(message.includes(part), `${message}: ${part}`);
  same(await pageIds(), before, 'the pages after the refusal');
  same((await tryImport(changed, '--accept-moves')).status, 0, 'the exit status with --accept-moves');
  same([await pageIds(), await completed()], [before, [before[0]]], 'the pages and the completed ones');
});

check('Contract 6: a template is matched by its name; --new makes one whose name alone changed', async (world) => {
  const { name, tryImport, templates } = await underWay(world, page('One', newId()));
  const { template_pages } = (campaign(name, page('One', 'new')) as Json).templates[0];
  same((await tryImport({ templates: [{ name, template_pages }] })).status, 0, 'the exit status');
  same((await templates()).filter((each) => each.name === name).length, 1, 'the templates of the name');
  const renamed = { templates: [{ name: newId(), template_pages }] };
  same((await tryImport(renamed)).status, 1, 'the exit status under another name');
  same((await tryImport(renamed, '--new')).status, 0, 'the exit status with --new');
});
