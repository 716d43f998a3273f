import { randomUUID } from 'node:crypto';
import { holds, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
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
  const templates = async (): Promise<Json[]> => (await world.admin(['content', 'export', ...admin])).templates;
  const own = async (): Promise<Json> => (await templates()).find((each) => each.name === name);
  const pageIds = async (): Promise<string[]> => (await own()).template_pages.map((each: Json) => each.page.id);
  const { id } = await own();
  const [first] = await pageIds();
  // A function instance may show content that is 5 seconds old.
  const journey = await eventually(() => team.journey(id));
  await eventually(() => act(team, journey, 'page_completed', first!));
  const completed = async () => (await team.journeyOf(journey.contact)).analytics_cache.pages_completed;
  return { name, tryImport, templates, own, pageIds, completed };
}

check('Contract 6: pages keep their identity by title, then by content, and only then by place', async (world) => {
  const [one, two, three] = [page('One', 'first'), page('Two', 'second'), page(null, 'third')];
  const { name, tryImport, pageIds, completed } = await underWay(world, one, two, three);
  const [first, second, third] = await pageIds();
  const changed = campaign(name, page('New', 'new'), page('Deux', 'second'), page('One', 'rewritten'), three);
  same((await tryImport(changed)).status, 0, 'the exit status');
  const [inserted, ...ids] = await pageIds();
  same(ids, [second, first, third], 'the pages that stayed recognisable');
  holds(![first, second, third].includes(inserted), 'the inserted page has the id of another');
  same(await completed(), [first], 'the completed pages');
});

check('Contract 6: content export and the receipt of an import name every id, of blocks too', async (world) => {
  const [one, two] = [page('One', newId()), page('Two', newId())];
  const { name, tryImport, own } = await underWay(world, one, two);
  const { body: receipt } = await tryImport(campaign(name, two, one));
  const template = await own();
  const pages: Json[] = template.template_pages;
  for (const id of [template.id, ...pages.flatMap((each) => [each.id, each.page.id, each.page.content_blocks[0].id])]) {
    holds(typeof id === 'string', `an id of the export is ${id}`);
    holds(JSON.stringify(receipt).includes(id), `the receipt does not name ${id}`);
  }
});

check('Contract 6: progress is given to another page only with --accept-moves', async (world) => {
  const two = page('Two', newId());
  const { name, tryImport, pageIds, completed } = await underWay(world, page('One', newId()), two);
  const before = await pageIds();
  const changed = campaign(name, page('Other', newId()), two);
  const { status, body } = await tryImport(changed);
  same(status, 1, 'the exit status');
  const message = JSON.stringify(body.details);
  for (const part of ['One', 'Other', '1 person', '--accept-moves'])
    holds(message.includes(part), `${message}: ${part}`);
  same(await pageIds(), before, 'the pages after the refusal');
  same((await tryImport(changed, '--accept-moves')).status, 0, 'the exit status with --accept-moves');
  same([await pageIds(), await completed()], [before, [before[0]]], 'the pages and the completed ones');
});

check('Contract 6: answers count for another option only with --accept-moves', async (world) => {
  const { team } = await world.content();
  const [name, block, pageId, id] = [newId(), randomUUID(), randomUUID(), randomUUID()];
  const document = (...options: string[]) => {
    const content_blocks = [{ id: block, type: 'survey', data: { questions: [{ text: 'Which color?', options }] } }];
    const page = { id: pageId, completion_condition: 'confirm', content_blocks };
    return { templates: [{ id, name, template_pages: [{ order: 1, page }] }] };
  };
  const tryImport = (content: object, ...options: string[]) =>
    world.tryAdmin(['content', 'import', '-', '--team', team.credential.team_id!, ...options], content);
  same((await tryImport(document('Red', 'Blue'))).status, 0, 'the exit status of the first import');
  const journey = await eventually(() => team.journey(id));
  const answers = [{ block_id: block, values: [{ key: 'question_1', value: 'Blue' }] }];
  await eventually(() => act(team, journey, 'page_completed', pageId, { answers }));
  same((await tryImport(document('Green', 'Red', 'Blue'))).status, 0, 'the exit status of an import that inserts one');
  const changed = document('Green', 'Red', 'No opinion');
  for (const options of [[], ['--strict']]) {
    const { status, body } = await tryImport(changed, ...options);
    same(status, 1, `the exit status with ${options}`);
    const message = JSON.stringify(body.details);
    for (const part of ['Which color?', 'Blue', 'No opinion', '1 person', '--accept-moves'])
      holds(message.includes(part), `${message}: ${part}`);
  }
  same((await tryImport(changed, '--accept-moves')).status, 0, 'the exit status with --accept-moves');
});

check('Contract 6: a template is matched by its name; --new makes one whose name alone changed', async (world) => {
  const { name, tryImport, templates } = await underWay(world, page('One', newId()));
  const changed = page('One', newId());
  same((await tryImport(campaign(name, changed))).status, 0, 'the exit status');
  same((await templates()).filter((each) => each.name === name).length, 1, 'the number of templates of the name');
  const renamed = campaign(newId(), changed);
  same((await tryImport(renamed)).status, 1, 'the exit status under another name');
  same((await tryImport(renamed, '--new')).status, 0, 'the exit status with --new');
  const ofOtherPages = campaign(newId(), { ...changed, id: randomUUID() });
  same((await tryImport(ofOtherPages)).status, 0, 'the exit status under another name, with another page');
});

check('Contract 1: reads by id see every acknowledged write: a template and its pages, an import', async (world) => {
  const { team } = await world.content();
  const [id, pageId] = [randomUUID(), randomUUID()];
  for (const name of ['First', 'Second']) {
    const page = { id: pageId, content_name: `${name} page` };
    const document = { templates: [{ id, name, template_pages: [{ order: 1, page }] }] };
    await world.admin(['content', 'import', '-', '--team', team.credential.team_id!], document);
    same((await team.get(`/v1/templates/${id}`)).template.name, name, 'name');
    const [first] = await team.get(`/v1/templates/${id}/template_pages`);
    same(first.page.content_name, `${name} page`, 'content_name');
  }
});
