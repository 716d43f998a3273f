import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { admin } from '../support/admin.ts';
import { resultsCampaign } from '../support/campaign-results.ts';
import { withoutStream } from '../support/fault-proxy.ts';
import { startService } from '../support/service.ts';

// Nothing is counted as it happens, as in an older version of the service.
let engine: Awaited<ReturnType<typeof withoutStream>>;
let api: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  engine = await withoutStream(inject('dynamodbEndpoint'));
  api = await startService({ environment: { DYNAMODB_ENDPOINT: engine.endpoint } });
});
afterAll(async () => {
  await api.process.stop();
  engine.stop();
});

test('template recount counts and lists what an older version of the service has stored', async () => {
  const team = await api.newTeam();
  const campaign = await resultsCampaign(api, team);
  const person = await campaign.start('old');
  await person.view('view');
  await person.decide('accepted');
  const { token } = team;
  const contact = (await api.request('GET', '/v1/contacts?unique_id=old', { token })).body.contacts[0];
  const pk = `T#${team.teamId}#C#${contact.id}`;
  const { items } = await api.database.query({ pk });
  const stored = items.filter(({ sk }) => sk === `JOURNEY#${campaign.templateId}` || sk.startsWith('RESPONSE#'));
  expect(stored).toHaveLength(2);
  for (const { sk } of stored) {
    const set = { directory_pk: undefined, directory_sk: undefined };
    const more = sk.startsWith('RESPONSE#') ? {} : { last_viewed: undefined };
    await api.database.write([{ kind: 'update', key: { pk, sk }, set: { ...set, ...more }, expect: {} }]);
  }
  expect((await campaign.results()).journeys.created).toBe(0);

  const { stdout } = await admin(['template', 'recount', '--team', team.teamId, '--json'], api.process.directory);
  const counts = { journeys: 1, missed: 1, responses_listed: 1 };
  expect(JSON.parse(stdout)).toMatchObject([{ ...counts, differences: [], unsettled: 0 }]);
  expect(await campaign.results()).toMatchObject({
    journeys: { created: 1, opened: 1 },
    pages: [{ viewed: 1 }, { completed: 1 }, {}],
  });
  const { body } = await api.request('GET', `/v1/journeys?template_id=${campaign.templateId}`, { token });
  expect(body.journeys).toMatchObject([{ id: person.id }]);
  const responses = await api.request('GET', `/v1/templates/${campaign.templateId}/responses`, { token });
  expect(responses.body.responses).toMatchObject([{ answer: 'accepted', contact: { unique_id: 'old' } }]);
});
