import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

/** What is said before content is published, and how it is taken back. */

const api = await service();
const team = await api.newTeam();
const [templateId, pageId, blockId] = [randomUUID(), randomUUID(), randomUUID()];

const campaign = (heading: string, more: object = {}) => ({
  templates: [
    {
      ...{ id: templateId, name: 'Welcome', status: 'live', ...more },
      template_pages: [
        {
          page: {
            ...{ id: pageId, completion_condition: 'view' },
            content_blocks: [{ id: blockId, type: 'heading', data: { heading } }],
          },
        },
      ],
    },
  ],
});
const run = (verb: string, ...args: string[]) => adminJson('content', verb, ...args, '--team', team.teamId);
const imported = (document: object, ...options: string[]) => run('import', fileOf(document), ...options);
const headingNow = async () => {
  const { body } = await api.request('GET', `/v1/templates/${templateId}/template_pages`, { token: team.token });
  return body[0].page.content_blocks[0].data.heading;
};
const asked = 'Nothing was changed. To continue, run the command again with --yes.';

test('content import says what changes and whom it concerns, and at a terminal writes nothing without --yes', async () => {
  await imported(campaign('Three short steps'));
  const { body: contact } = await api.request('POST', '/v1/contacts', { body: { unique_id: 'a' }, token: team.token });
  const body = { contact: { id: contact.id } };
  await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token: team.token });
  const rule = { targeting_groups: [{ conditions: [{ field: 'contact.unique_id', operator: 'equals', value: 'a' }] }] };
  const file = fileOf(campaign('Five short steps', rule));
  // The results, which count the open journeys, trail by seconds.
  await expect.poll(async () => (await run('check', file)).value.changes[0].open_journeys, { interval: 200 }).toBe(1);
  const { value } = await run('check', file);
  expect(value.changes).toMatchObject([
    {
      ...{ kind: 'template', id: templateId, change: 'changed', open_journeys: 1, fields: ['targeting_groups'] },
      ...{ texts: [{ from: 'Three short steps', to: 'Five short steps' }] },
    },
  ]);
  expect(value.rules).toMatchObject([{ template_id: templateId, change: 'starts', holds: { contacts: 1, of: 1 } }]);
  atTerminal();
  const { status, stderr } = await admin(['content', 'import', file, '--team', team.teamId]);
  expect([status, stderr.split('\n')]).toEqual([
    1,
    [
      'Changes the campaign "Welcome", of which 1 journey is open',
      '  page changed: "Five short steps"',
      '  text "Three short steps" becomes "Five short steps"',
      '  settings targeting_groups',
      expect.stringMatching(/^"Welcome": its rule goes live, .* It holds for 1 of the 1 newest contacts/),
      asked,
      '',
    ],
  ]);
  expect(await headingNow()).toBe('Three short steps');
  expect(await imported(campaign('Five short steps'), '--yes')).toMatchObject({
    status: 0,
    value: { changes: [{ change: 'changed' }] },
  });
  expect(await headingNow()).toBe('Five short steps');
  // What changes nothing needs no confirmation.
  expect((await imported(campaign('Five short steps'))).status).toBe(0);
});
