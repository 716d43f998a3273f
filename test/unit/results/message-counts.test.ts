import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { recountTemplates } from '../../../bin/admin/operations/results/recount.ts';
import { newRecord, type SendRecord, withOutcome } from '../../../lib/domain/messages/record.ts';
import { leaveByContact } from '../../../lib/operations/contacts/leave.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { loadRecord, recordWrites } from '../../../lib/store/messages/records.ts';
import { teamPartition } from '../../../lib/store/table/keys.ts';
import { StreamDatabase } from '../../support/models/stream-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { dependencies, idOf, post, team, templateId } from '../../support/operations/journey-operations.ts';
import { openCampaign, type Person, person, results } from '../../support/operations/results-world.ts';
import { publisher } from '../../support/samples/events.ts';

/** `messages` in the results of a template (contract, section 15, "What became of it"). */

const [invitation, reminder] = [randomUUID(), randomUUID()];
const at = '2026-03-01T12:00:00.000000Z';
const none = { due: 0, sent: 0, delivered: 0, bounced: 0, complained: 0, unsubscribed: 0 };

let table: StreamDatabase;
let ann: Person;
beforeEach(async () => {
  table = new StreamDatabase();
  const template_messages = [
    { id: reminder, order: 2, message: { content_name: 'Reminder', type: 'email' } },
    { id: invitation, order: 1, message: { content_name: 'Invitation', type: 'email' } },
  ];
  await openCampaign(table, { template_messages });
  ann = await person('ann');
});

const using = () => ({ ...dependencies(table), ...publisher(table) });
/** Passes on what has changed, everything twice. */
async function settled(service = using()) {
  for (let records = table.take(); records.length > 0; records = table.take())
    for (let time = 0; time < 2; time++)
      await publish({ ...service, onFailure: (error) => expect(error).toBe(null) }, records);
}
const counted = async () => {
  await settled();
  return (await results(table)).messages;
};

/** What became of a message of the journey, as the function that sends messages stores it. */
async function happens(of: Person, templateMessageId: string, ...steps: ((record: SendRecord) => SendRecord)[]) {
  const place = { contactId: of.key.contactId, journeyId: of.journeyId, templateMessageId };
  const ids = { journey_id: of.journeyId, template_id: templateId, template_message_id: templateMessageId };
  for (const step of steps) {
    const stored = await loadRecord(table, team, place);
    const before = stored?.record ?? newRecord({ id: randomUUID(), ...ids, channel: 'email', due_at: at });
    expect(await table.transact(recordWrites(team, place, step(before), stored?.version ?? 0))).toBe(true);
  }
  return (await loadRecord(table, team, place))!.record.id;
}
const reports = (state: 'sent' | 'failed' | 'delivered' | 'bounced' | 'complained') => (record: SendRecord) =>
  withOutcome(record, { state, at }, at);
const waits = (record: SendRecord): SendRecord => ({ ...record, state: 'scheduled', reason: 'quiet_hours' });
const isNotSent = (record: SendRecord): SendRecord => ({ ...record, state: 'not_sent', reason: 'not_verified' });

test('has every message of the template, in its order, with nothing at first', async () => {
  expect(await counted()).toEqual([
    { template_message_id: invitation, name: 'Invitation', ...none },
    { template_message_id: reminder, name: 'Reminder', ...none },
  ]);
});

test('counts each message once, however often its changes are passed on, and those that were not sent as due', async () => {
  const [ben, eve, dan] = [await person('ben'), await person('eve'), await person('dan')];
  await happens(ann, invitation, waits, reports('sent'), reports('delivered'));
  await happens(ben, invitation, reports('sent'), reports('bounced'));
  await happens(eve, invitation, isNotSent);
  await happens(dan, invitation, waits);
  // Who complains has got it, whether the provider has said so or not.
  await happens(dan, reminder, reports('sent'), reports('complained'));
  await happens(ben, reminder, reports('failed'));
  expect(await counted()).toEqual([
    { template_message_id: invitation, name: 'Invitation', ...none, due: 4, sent: 2, delivered: 1, bounced: 1 },
    { template_message_id: reminder, name: 'Reminder', ...none, due: 2, sent: 1, delivered: 1, complained: 1 },
  ]);
});

test('stays when something else of the journey changes, and when the message is removed from the template', async () => {
  await happens(ann, invitation, reports('sent'));
  await settled();
  await ann.view('view');
  const [first] = await counted();
  expect(first).toMatchObject({ due: 1, sent: 1 });
  await putContent(table, team, { templates: [{ id: templateId, name: 'Campaign', template_messages: [] }] });
  expect((await results(table)).messages).toEqual([
    { template_message_id: invitation, name: null, ...none, due: 1, sent: 1 },
  ]);
});

test('counts who left by the link in a message, once, also if the person comes back', async () => {
  await post({ unique_id: 'ann', email: 'ann@example.com', email_opted_in: true });
  const id = await happens(ann, invitation, reports('sent'), reports('delivered'));
  const act = { source: { kind: 'link', id } } as const;
  const journal = { add: async () => {}, entries: () => [] as never };
  const service = { ...using(), journal, messages: { secret: async () => 'A'.repeat(43) } };
  for (let press = 0; press < 2; press++) await leaveByContact(service, team, idOf('ann'), act);
  await settled();
  await post({ unique_id: 'ann', name_first: 'Ann' });
  expect(await counted()).toMatchObject([{ sent: 1, delivered: 1, unsubscribed: 1 }, { unsubscribed: 0 }]);
});

test('does not count who left in another way as unsubscribed by a message', async () => {
  await post({ unique_id: 'ann', email: 'ann@example.com', email_opted_in: true });
  await happens(ann, invitation, reports('sent'));
  await post({ unique_id: 'ann', email_opted_in: false });
  expect(await counted()).toMatchObject([{ sent: 1, unsubscribed: 0 }, {}]);
});

test('has what waits in the lane of the team, and what a recount finds', async () => {
  await settled();
  await happens(ann, invitation, reports('sent'));
  const busy = { ...using(), settleTime: 0 };
  await settled(busy);
  expect((await results(table)).messages[0]).toMatchObject(none);
  const onContactFailure = (error: unknown) => expect(error).toBe(null);
  await workCompletions({ ...using(), onContactFailure }, team, () => true);
  expect((await results(table)).messages[0]).toMatchObject({ due: 1, sent: 1 });
  await happens(ann, invitation, reports('delivered'));
  async function* scanTeam() {
    yield [...table.items.values()].filter(({ pk }) => pk.startsWith(teamPartition(team)));
  }
  await recountTemplates({ ...using(), scanTeam }, team, [{ id: templateId, name: 'Campaign' }]);
  expect((await results(table)).messages[0]).toMatchObject({ due: 1, sent: 1, delivered: 1 });
});
