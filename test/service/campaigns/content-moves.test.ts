import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

/** Campaigns that are changed while people are under way (contract, section 6). */

const api = await service();
const team = await api.newTeam();

const page = (content_name: string, agreementText: string) => ({
  ...{ content_name, completion_condition: 'confirm' },
  content_blocks: [{ type: 'agreement', data: { agreementText } }],
});
const [offer, terms, data] = [
  page('The offer', 'I want the offer'),
  page('The terms', 'I agree to the terms'),
  page('Data', 'You may use my data'),
];
const document = (name: string, ...pages: object[]) => ({
  templates: [{ name, template_pages: pages.map((each, at) => ({ order: at + 1, page: each })) }],
});
const run = (verb: string, content: object, ...options: string[]) =>
  adminJson('content', verb, fileOf(content), '--team', team.teamId, ...options);
const imported = (content: object, ...options: string[]) => run('import', content, ...options);
const revision = async () => (await loadStoredContent(api.database, team.teamId)).revision;

type Ids = { id: string; template_pages: { page_id: string; page: { content_blocks: { id: string }[] } }[] };
const idsOf = ({ value }: Awaited<ReturnType<typeof imported>>): Ids => value.ids.templates[0];
const pageIds = (ids: Ids) => ids.template_pages.map(({ page_id }) => page_id);

async function begin(templateId: string) {
  const { token } = team;
  const { body: contact } = await api.request('POST', '/v1/contacts', { body: { unique_id: randomUUID() }, token });
  const body = { contact: { id: contact.id } };
  const { body: journey } = await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token });
  const accept = async (ids: Ids, at: number) => {
    const { page_id, page: shown } = ids.template_pages[at]!;
    const answers = [{ block_id: shown.content_blocks[0]!.id, answer: 'accepted' }];
    const sent = { type: 'page_completed', page_id, answers };
    expect(await api.request('POST', `/j/${journey.slug}/actions`, { body: sent })).toMatchObject({ status: 204 });
  };
  const completed = async () => {
    const { body: journeys } = await api.request('GET', `/v1/journeys?contact_id=${contact.id}`, { token });
    return journeys[0].analytics_cache.pages_completed;
  };
  return { accept, completed };
}

describe('a campaign without ids', () => {
  test('keeps the progress of people and the ids of pages and blocks when a page is inserted', async () => {
    const first = idsOf(await imported(document('Insert', offer, data)));
    const person = await begin(first.id);
    await person.accept(first, 0);
    await person.accept(first, 1);
    const { stderr, status } = await admin([
      ...['content', 'import', fileOf(document('Insert', terms, offer, data)), '--team', team.teamId],
    ]);
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('is new for 1 person with a journey. They are asked to complete it.'),
    });
    const second = idsOf(await run('check', document('Insert', terms, offer, data)));
    expect(second.id).toBe(first.id);
    expect(second.template_pages.slice(1)).toMatchObject(
      first.template_pages.map(({ page_id, page: { content_blocks } }) => ({ page_id, page: { content_blocks } })),
    );
    expect(await person.completed()).toEqual(pageIds(first));
    const { value } = await adminJson('content', 'export', '--team', team.teamId, '--template', 'Insert');
    expect(idsOf({ status: 0, value: { ids: value } })).toMatchObject(second);
  });

  test('says what becomes of a page that is removed, and gives its progress to no later page', async () => {
    const first = idsOf(await imported(document('Remove', offer, terms)));
    const person = await begin(first.id);
    await person.accept(first, 1);
    const removal = await imported(document('Remove', offer));
    expect(removal.value.consequences).toMatchObject([{ page_id: pageIds(first)[1], people: 1 }]);
    expect(removal.value.consequences[0].message).toContain('"The terms"');
    const later = idsOf(await imported(document('Remove', offer, data)));
    expect(pageIds(first)).not.toContain(pageIds(later)[1]);
    expect(await person.completed()).toEqual([pageIds(first)[1]]);
  });

  test('is refused if a page would get the progress of another, unless that is accepted', async () => {
    const first = idsOf(await imported(document('Replace', offer, terms)));
    const replaced = document('Replace', data, terms);
    // Nobody has begun.
    expect(await run('check', replaced)).toMatchObject({ status: 0, value: { consequences: [] } });
    const person = await begin(first.id);
    await person.accept(first, 0);
    const before = await revision();
    for (const verb of ['check', 'import']) {
      const { status, value } = await run(verb, replaced);
      expect({ status, value }).toMatchObject({
        status: 1,
        value: { error: 'conflict', details: [{ path: '/templates/0/template_pages/0/page' }] },
      });
      const [{ message }] = value.details;
      for (const part of ['"Data"', '"The offer"', pageIds(first)[0], '1 person', '--accept-moves'])
        expect(message).toContain(part);
    }
    expect(await revision()).toBe(before);
    const accepted = await imported(replaced, '--accept-moves');
    // The page has the progress, and its agreement has another text than the one that was accepted.
    expect(accepted).toMatchObject({ status: 0, value: { consequences: [{ people: 1 }, { people: 1 }] } });
    expect(accepted.value.consequences[1].message).toContain('accepted the earlier text');
    expect(await person.completed()).toEqual([pageIds(idsOf(accepted))[0]]);
  });

  test('is refused with every page that needs an id, so that the ids of one refusal are enough', async () => {
    const first = idsOf(await imported(document('All', offer, terms)));
    const person = await begin(first.id);
    await person.accept(first, 0);
    const other = page('Something else', 'I want something else');
    const { status, value } = await imported(document('All', data, other, terms));
    expect(status).toBe(1);
    expect(value.details.map(({ path }: { path: string }) => path)).toEqual([
      '/templates/0/template_pages/0/page',
      '/templates/0/template_pages/1/page',
    ]);
    const [, { message }] = value.details;
    for (const part of ['"Something else"', '"The offer"', pageIds(first)[0]]) expect(message).toContain(part);
    const [[, newId], [offerId, otherId]] = value.details.map((each: { message: string }) =>
      each.message.match(/(?<="id": ")[^"]+/g),
    );
    expect(offerId).toBe(pageIds(first)[0]);
    for (const [one, two] of [
      [newId, offerId],
      [newId, otherId],
      [offerId, otherId],
    ]) {
      const named = document('All', { ...data, id: one }, { ...other, id: two }, terms);
      expect(await run('check', named)).toMatchObject({ status: 0 });
    }
  });

  test('is not refused with the id that the refusal names for another page', async () => {
    const first = idsOf(await imported(document('Other', offer)));
    const person = await begin(first.id);
    await person.accept(first, 0);
    const { value } = await imported(document('Other', data));
    const [own, other] = value.details[0].message.match(/(?<="id": ")[^"]+/g);
    expect(own).toBe(pageIds(first)[0]);
    const next = await imported(document('Other', { ...data, id: other }));
    expect(next).toMatchObject({ status: 0, value: { consequences: [{ people: 1 }, { people: 1, page_id: own }] } });
    expect(await person.completed()).toEqual([own]);
  });
});

test('a template whose name alone changed is refused, unless it is given its id or made a new one', async () => {
  const { id } = idsOf(await imported(document('Before', offer)));
  await begin(id);
  const renamed = document('After', offer);
  const { status, value } = await imported(renamed);
  expect({ status, value }).toMatchObject({
    status: 1,
    value: { error: 'conflict', details: [{ path: '/templates/0' }] },
  });
  for (const part of ['"After"', '"Before"', id, '1 person', '--new']) expect(value.details[0].message).toContain(part);
  const made = idsOf(await imported(renamed, '--new'));
  expect(made.id).not.toBe(id);
  const kept = await imported({ templates: [{ ...document('Renamed', offer).templates[0], id }] });
  expect(kept).toMatchObject({ status: 0, value: { templates: { updated: 1 } } });
});

test('the content of one team is matched with nothing of another', async () => {
  const first = idsOf(await imported(document('Teams', offer, data, terms)));
  const other = await api.newTeam();
  const { status, value } = await adminJson(
    'content',
    'import',
    fileOf(document('Teams 2', offer, data, terms)),
    '--team',
    other.teamId,
  );
  expect(status).toBe(0);
  expect(value.ids.templates[0].id).not.toBe(first.id);
});
