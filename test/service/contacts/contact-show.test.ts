import { expect, inject, test } from 'vitest';
import { localInstallation } from '../../../bin/admin/installation.ts';
import { saveErasureRequest } from '../../../lib/store/erasure/erasure-requests.ts';
import { uniqueIdDigest } from '../../../lib/store/table/keys.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';
import { resultsCampaign } from '../results/campaign-results.ts';

const api = await service();
const team = await api.newTeam();
const campaign = await resultsCampaign(api, team);
const show = (uniqueId: string) => ['contact', 'show', '--team', team.teamId, '--unique-id', uniqueId];

test('contact show tells how far a person is, what was answered and sent, and why targeting does nothing', async () => {
  const fields = { status: 'live', content_block_status: 'published' };
  const message = { type: 'email', content_name: 'Invitation', payload: { subject: 'Hello' } };
  await campaign.put({
    ...fields,
    targeting_groups: [{ conditions: [{ field: 'contact.city', operator: 'is_set' }] }],
    template_messages: [{ id: crypto.randomUUID(), order: 1, scheduled_at: '2099-01-01T00:00:00Z', message }],
  });
  const { id, view, decide, answer } = await campaign.start('ann');
  await view('view');
  await decide('declined');
  await decide('accepted');
  await answer({ how: 'bad' });
  await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'new' } });
  const { value } = await adminJson(...show('ann'));
  expect(value.journeys).toMatchObject([
    { id, state: 'completed', pages: { completed: 3, of: 3 }, next_page: null, last_seen: expect.any(String) },
  ]);
  expect(value.answers).toMatchObject([
    { page: 'Consent', answer: 'accepted' },
    { page: 'Survey', answer: null, values: [{ question: 'How?', value: 'Badly' }] },
  ]);
  expect(value.targeting).toMatchObject([{ name: 'Results', outcome: 'has_journey' }]);
  expect(value.erasure).toBeNull();
  const { stdout } = await admin(show('ann'));
  expect(stdout).toMatch(
    /\nJourneys\n {2}Results \(completed, source api\): 3 of 3 pages completed, last seen \d{4}-\d\d-\d\d \d\d:\d\dZ\n/,
  );
  expect(stdout).toMatch(/\nAnswers\n {2}\S+ \S+ {2}Consent: accepted\n {2}\S+ \S+ {2}Survey: How\? Badly\n/);
  const other = await campaign.start('ben');
  await other.view('view');
  const { stdout: open } = await admin(show('ben'));
  expect(open).toContain('(open, source api): 1 of 3 pages completed, next is "Consent", last seen');
  expect(open).toContain(
    '\nMessages\n  2099-01-01 00:00Z  Invitation (scheduled: as things are, it is not sent: channel off)\n',
  );
  expect((await admin(show('new'))).stdout).toMatch(
    /\nTargeting\n {2}Results: Gets nothing: .+\n {2}npm run admin -- targeting explain --team \S+ --unique-id new\n$/,
  );
  const added = { order: 4, page: { content_name: 'Added', completion_condition: 'view' } };
  await campaign.put({ ...fields, template_pages: [...campaign.template.template_pages, added] });
  expect((await admin(show('ann'))).stdout).toContain('3 of 4 pages completed, because the pages have changed since');
});

test('contact show says that a person is about to be erased, or was erased', async () => {
  const { id, inserted_at } = (
    await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'e' } })
  ).body;
  const [requested_at, leased_until] = ['2026-01-01T00:00:00.000000Z', '2099-01-01T00:00:00.000000Z'];
  const of = { team_id: team.teamId, contact_id: id, digest: uniqueIdDigest(team.teamId, 'e') };
  const by = { client_id: team.clientId, act_id: crypto.randomUUID() };
  await saveErasureRequest(api.database, { ...of, ...by, inserted_at, requested_at, leased_until }, 0);
  expect((await adminJson(...show('e'))).value.erasure).toEqual({ state: 'pending', since: requested_at });
  expect((await admin(show('e'))).stdout).toContain(`pending since ${requested_at}`);

  const names = [{ digest: uniqueIdDigest(team.teamId, 'gone') }];
  const list = await localInstallation(inject('serviceDirectory')).erasures();
  await list.add({
    team_id: of.team_id,
    contact_id: crypto.randomUUID(),
    format: 1,
    erased_at: requested_at,
    order: 0,
    names,
  });
  expect(await adminJson(...show('gone'))).toEqual({
    status: 1,
    value: {
      error: 'erased',
      details: [{ path: '--unique-id', message: `the person was erased at ${requested_at}` }],
    },
  });
});
