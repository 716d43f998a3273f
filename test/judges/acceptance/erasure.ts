import { record } from './accounts.ts';
import { has, holds, NotChecked, same } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check } from './suite.ts';
import { newId } from './world.ts';

check(
  'Contract 3: DELETE /v1/contacts/:id: 202 {"id","status":"erasing"}, 404 for an unknown one; the audit names the client',
  async (world) => {
    const { team } = await world.other();
    const { id } = await team.contact();
    const { id: others } = await (await world.team()).contact();
    for (const unknown of [newId(), 'no-uuid', others]) await team.call(404, `DELETE /v1/contacts/${unknown}`);
    for (let times = 0; times < 2; times++) {
      same((await team.call(202, `DELETE /v1/contacts/${id}`)).body, { id, status: 'erasing' }, 'the response');
    }
    const audit = (await world.admin(['audit', 'list', '--team', team.credential.team_id!])) as Json[];
    const entries = audit.filter(({ ids, outcome }) => ids.contact_id === id && outcome === 'begun');
    same(
      entries.map(({ who, what }) => [who, what]),
      [[team.credential.client_id, 'contact erase']],
      'entries',
    );
  },
);

check(
  'Contract 3: DELETE /v1/contacts/:id erases as contact erase does; posted again, the unique_id makes a new contact with the same id, whose earlier events name it',
  async (world) => {
    if (world.target.skipsWaits) throw new NotChecked('an erasure begins within a minute');
    const { team, ids } = await world.content();
    const { contact, slug } = await team.journey(ids.first, { name_last: newId() });
    const [other, renamed] = [await team.contact(), await team.contact()];
    const [account, joint] = [record(), record()];
    const link = (to: Json, ...people: Json[]) =>
      team.import(people.map(({ unique_id }) => ({ ...to, contact: { unique_id } })));
    await link(account, contact, other);
    for (const each of [other, contact]) await link(joint, each);
    const ofTeam = ['--team', team.credential.team_id!];
    await world.admin(['contact', 'change-unique-id', ...ofTeam, '--from', renamed.unique_id, '--to', newId()]);
    await act(team, { slug }, 'page_viewed', ids.shown);
    const dropped = async () => JSON.stringify(await world.admin(['drop', 'list', ...ofTeam]));
    if (world.target.drop) {
      const rows = [contact, other].map(({ unique_id }) => `${unique_id},dropped,`);
      // A warning of the report names the last column.
      const file = [`unique_id,name_first,${contact.unique_id}`, ...rows, ''].join('\n');
      await world.target.drop(`${team.credential.team_id}/contacts/${newId()}.csv`, file);
      for (const { id } of [contact, other])
        await eventually(async () => has(await team.get(`/v1/contacts/${id}`), { name_first: 'dropped' }, 'a row'), 90);
      await eventually(async () => holds((await dropped()).includes(contact.unique_id), 'no file has the warning'), 90);
    }
    const erased = [contact, renamed];
    for (const { id } of erased) await team.call(202, `DELETE /v1/contacts/${id}`);
    for (const { id } of erased) await eventually(() => team.call(404, `GET /v1/contacts/${id}`), 120);
    for (const { id } of erased) await eventually(() => team.call(404, `DELETE /v1/contacts/${id}`), 360);
    await team.open(404, `GET /j/${slug}`);
    if (world.target.drop) holds(!(await dropped()).includes(contact.unique_id), 'a dropped file names the person');
    const again = (await team.call(201, 'POST /v1/contacts', { unique_id: contact.unique_id })).body;
    has(again, { id: contact.id, name_first: null, name_last: null }, 'the new contact');
    const accounts = [again, other].map(async (each) => (await team.accountsOf(each)).length);
    same(await Promise.all(accounts), [0, 2], 'accounts of the new contact and of the other person');
    await eventually(async () => {
      const events = (await team.get('/v1/events?type=contact.*&limit=1000')).events as Json[];
      const types = events.filter(({ contact_id }) => contact_id === contact.id).map(({ type }) => type);
      const kept = types.filter((type) => type !== 'contact.updated');
      same(kept, ['contact.created', 'contact.erased', 'contact.created'], 'its events');
    });
  },
);
