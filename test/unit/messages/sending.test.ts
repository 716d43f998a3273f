import { beforeEach, describe, expect, test } from 'vitest';
import { resumeMessages } from '../../../bin/admin/operations/messages/messages.ts';
import { addSuppression } from '../../../bin/admin/operations/suppression/suppression.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { RefusedForGood } from '../../../lib/email/sender.ts';
import { leaveByContact } from '../../../lib/operations/contacts/leave.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { addCounts } from '../../../lib/operations/messages/brake.ts';
import { type Rendering, sendMessages } from '../../../lib/operations/messages/send.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadMessageState } from '../../../lib/store/messages/state.ts';
import type { JournalEntry } from '../../../lib/store/suppression/journal.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { idOf, team, templateId } from '../../support/operations/journey-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { openStream, stream } from '../../support/operations/publishing.ts';
import { record as contact } from '../../support/samples/contacts.ts';

/** What the function that sends messages, and the commands around it, do to be safe (contract, section 15). */

const noon = Date.parse('2030-01-07T12:00:00Z');
const secretOf = (number: number) => Buffer.alloc(32, number).toString('base64url');
let clock: number;
let secret: string;
let epoch: string;
let journal: JournalEntry[];
let sent: string[];
let paused: string[];
let mismatches: number;
let send: () => Promise<{ providerId: string }>;
let render: () => Promise<Rendering>;

const service = () => ({
  ...serviceOn(stream, { now: () => clock, pause: async () => {}, eventEpoch: epoch }),
  messages: { secret: async () => secret },
  journal: {
    add: async (entry: JournalEntry) => void journal.push(entry),
    entries: async function* () {
      yield* journal;
    },
  },
  wake: async () => {},
  senderFor: () => ({
    send: async ({ to }: { to: string }) => {
      sent.push(to);
      return send();
    },
  }),
  render: () => render(),
  renderVerification: async () => ({ fault: null }),
  onPaused: (_: string, reason: string) => void paused.push(reason),
  onListMismatch: () => {
    mismatches += 1;
  },
  onMessageFailure: (error: unknown) => {
    throw error;
  },
});

const ann = { unique_id: 'ann', email: 'ann@example.com', email_opted_in: true, email_verified: true };
const upsert = (fields: object) => upsertContact(service(), team, contact(fields as never));
const start = (person: object) => upsert({ ...person, journey: { template_id: templateId } });
async function eraseAnn(): Promise<void> {
  const files = { list: async function* () {}, read: async () => undefined, write: async () => {} };
  const erasing = { files: { ...files, remove: async () => {} }, erasures: { add: async () => {} } };
  const { messages, journal: of } = service();
  const suppression = { messages, journal: of };
  await erasePerson({ ...service(), ...erasing, suppression, onProgress: () => {} }, team, 'ann');
}
const optedIn = async () => (await loadContact(stream, team, idOf('ann')))?.contact.email_opted_in;

/** Moves what is due into the lane of messages, and sends what may be sent. */
async function work(): Promise<void> {
  clock += 60_000;
  const messageQueue = { wake: async () => {}, postpone: async () => {} };
  await moveDue(service(), team);
  const working = { ...service(), messageQueue, onContactFailure: () => {} };
  await workCompletions(working, team, () => true);
  await sendMessages(service(), team, () => true);
}

beforeEach(async () => {
  [clock, secret, epoch, journal, sent, paused, mismatches] = [noon, secretOf(1), '', [], [], [], 0];
  send = async () => ({ providerId: 'p' });
  const from = { name: 'Bank', address: 'hello@bank.example' };
  render = async () => ({ mail: { from, subject: 'Hello', html: '', text: '', headers: {}, values: {} } });
  await openStream();
  await updateTeam(service(), team, { senders: ['@bank.example'], postal_address: 'Main Street 1', quiet_hours: null });
  const message = { type: 'email', content_block_status: 'published', payload: { subject: 'Hello' } };
  const template_messages = [{ id: crypto.randomUUID(), send_offset_hours: 0, message }];
  const sender = { email_sender_address: 'hello@bank.example' };
  const template = { id: templateId, name: 'Welcome', status: 'live', ...sender, template_messages };
  await importContent({ ...service(), fits: () => true }, team, { templates: [template] } as never);
  clock += 1000;
});

test('a refused address that is one too many pauses the team, and this is told', async () => {
  for (let block = 0; block < 10; block++) await addCounts(service(), team, { sent: 100 });
  await addCounts(service(), team, { bounced: 39 });
  send = () => Promise.reject(new RefusedForGood('', { bounced: true, isAddress: true }));
  await start(ann);
  await work();
  expect(sent).toEqual(['ann@example.com']);
  expect((await loadMessageState(stream, team)).paused).toMatchObject({ by: 'service', reason: 'bounces' });
  expect(paused).toEqual(['bounces']);
});

test('after a resume, the next report pauses the team again, and not what is sent', async () => {
  const isPaused = async () => (await loadMessageState(stream, team)).paused !== null;
  await addCounts(service(), team, { sent: 100 });
  await addCounts(service(), team, { bounced: 10 });
  expect(await isPaused()).toBe(true);
  clock += 60_000;
  await resumeMessages(service(), team);
  clock += 60_000;
  await addCounts(service(), team, { sent: 20 });
  expect(await isPaused()).toBe(false);
  await addCounts(service(), team, { bounced: 1 });
  expect(await isPaused()).toBe(true);
});

test.each([
  ['is not sent', { fault: 'too_large' }],
  ['fails', { fault: null }],
] as const)('nothing is left of a message that %s while its person is erased', async (_, rendering) => {
  await start(ann);
  render = () => eraseAnn().then(() => rendering);
  await work();
  const keys = [...stream.items.values()].map(({ pk, sk }) => `${pk} ${sk}`);
  expect(keys.filter((key) => key.includes(idOf('ann')) || key.includes('MESSAGE'))).toEqual([]);
});

describe('with another secret than that of the list', () => {
  test.each([
    ['a message was sent', () => start({ ...ann, unique_id: 'bob', email: 'bob@example.com' }).then(work)],
    ['an address was listed', () => addSuppression(service(), team, 'eve@example.com')],
  ])('after %s, nothing is sent, and this is told, until it is the right one again', async (_, use) => {
    await use();
    sent = [];
    secret = secretOf(2);
    await start(ann);
    await work();
    expect([sent, mismatches]).toEqual([[], 1]);
    secret = secretOf(1);
    await work();
    expect([sent, mismatches]).toEqual([['ann@example.com'], 1]);
  });
});

describe('message resume after a restore of the table', () => {
  let backup: Item[];
  const backUp = () => {
    backup = [...stream.items.values()];
  };
  async function restore(): Promise<void> {
    for (const { pk, sk } of stream.items.values()) stream.damage({ pk, sk });
    await stream.write(backup.map((item) => ({ kind: 'insert', item })));
    epoch = 'restored';
    clock += 60_000;
  }
  const leave = () => leaveByContact(service(), team, idOf('ann'), { source: { kind: 'link' } });

  test.each([
    ['whose leaving the table has forgotten', async () => void (await upsert(ann))],
    ['that the table has forgotten, too', async () => {}],
  ])('brings nobody back %s, though a file has said otherwise meanwhile', async (_, before) => {
    await before();
    backUp();
    await upsert(ann);
    await leave();
    await restore();
    await upsert({ ...ann, email: 'new@example.com' });
    await resumeMessages(service(), team);
    expect(await optedIn()).toBe(false);
    await start({ ...ann, email: 'new@example.com' });
    await upsert({ ...ann, unique_id: 'home', email: 'ann@example.com', journey: { template_id: templateId } });
    await work();
    expect(sent).toEqual([]);
  });

  test('is refused while the journal cannot be read: nothing goes out', async () => {
    await upsert(ann);
    backUp();
    await restore();
    const entries = () => {
      throw new Error('the journal is down');
    };
    const broken = { ...service(), journal: { add: async () => {}, entries } };
    await expect(resumeMessages(broken, team)).rejects.toThrow('the journal is down');
    await start(ann);
    await work();
    expect(sent).toEqual([]);
    await resumeMessages(service(), team);
    clock += 1000;
    await start({ ...ann, unique_id: 'bob' });
    await work();
    expect(sent).toEqual(['ann@example.com']);
  });

  test('does not hold what somebody said who was erased against another one with the same unique_id', async () => {
    await upsert(ann);
    await leave();
    await eraseAnn();
    clock += 1000;
    await upsert({ ...ann, email: 'other@example.com' });
    backUp();
    await restore();
    await resumeMessages(service(), team);
    expect(await optedIn()).toBe(true);
  });
});
