import { type Paused, pauseOf } from '../../../lib/domain/messages/pause.ts';
import { shownMessageOf, shownStates } from '../../../lib/domain/messages/record.ts';
import { findRecord } from '../../../lib/store/messages/records.ts';
import { loadMessageState } from '../../../lib/store/messages/state.ts';
import { contactIds } from '../auditing.ts';
import { withReaders } from '../campaigns/readers.ts';
import { asNotFound, failure } from '../failure.ts';
import { type Installation, messagesOff } from '../installation.ts';
import type { ListedMessage } from '../operations/messages/messages.ts';
import { oneTemplate, templatesNamed, timeOption } from '../options.ts';
import { listing, quantity, tableOf, textsOf } from '../text.ts';
import { noun, type Outcome, oneOf, optional, requireConsent, required, team, verb, yes } from '../verb.ts';

const id = required('<id>', 'the message: see message list');
const template = optional('<id or name>', 'only the messages of this campaign');

const shownMessage = {
  team,
  template: required('<id or name>', 'the campaign'),
  message: required('<id>', 'the template message'),
  uniqueId: optional('<unique_id>', 'show the values of this contact; without it, those of a sample'),
};

/** Rows of a table for people; JSON has all. */
const shownRows = 50;

export const verbs = noun('Messages of campaigns: what was sent, to whom, and why not', {
  list: verb({
    does: 'List what became of messages, newest first. Without --unique-id it reads the whole table',
    parameters: {
      team,
      uniqueId: optional('<unique_id>', 'only those of this contact, also those that are still to come'),
      state: optional('<state>', `only those in this state: ${shownStates.join(', ')}`, oneOf('states', shownStates)),
      since: optional('<time>', 'only those that were due then or later: a date or a time in UTC', timeOption),
    },
    ids: async (given, database) =>
      given.uniqueId === undefined ? {} : contactIds(database, given.team, given.uniqueId),
    run: async (installation, given) => {
      await requireMessages(installation);
      const { allMessages, messagesOf } = await import('../operations/messages/messages.ts');
      const service = await withMessages(installation);
      const rows =
        given.uniqueId === undefined
          ? await allMessages(service, given.team, given)
          : await messagesOf(service, given.team, given.uniqueId, given).catch(asNotFound(noContact));
      const paused = await pausedText(installation, given.team);
      const more = rows.length > shownRows ? `The newest ${shownRows}. With --json the list has all.` : '';
      const text = tableOf(rows.slice(0, shownRows), columns, 'There are no such messages.');
      return { value: rows, text, notes: [paused, more].filter(Boolean).join('\n') || undefined };
    },
  }),

  show: verb({
    does: 'Show a message: what became of it, and what was sent',
    parameters: { team, id, uniqueId: optional('<unique_id>', 'the contact, for a message that is still to come') },
    run: async (installation, given) => {
      const coming = await shownComing(installation, given);
      if (coming) return coming;
      const { recordOf } = await import('../operations/messages/messages.ts');
      const { contentSent } = await import('./sent-content.ts');
      const service = withReaders(installation);
      const { record, contactId } = await recordOf(service, given.team, given.id).catch(
        asNotFound(given.uniqueId === undefined ? noRecord : noMessage),
      );
      const shown = { ...shownMessageOf(record, installation.now()), contact_id: contactId };
      const { journey_id, template_id, attempt, revision, resent_at, unsubscribed_at } = record;
      const sent = await contentSent(installation, given.team, record);
      const value = { ...shown, journey_id, template_id, attempt, resent_at, unsubscribed_at, revision, content: sent };
      const { content: _, ...facts } = value;
      const lines = sent
        ? ['', `Subject: ${sent.subject}`, '', sent.text]
        : ['', shown.state === 'scheduled' ? 'Nothing was sent yet.' : 'Nothing was sent.'];
      const ids = { message_id: record.id, contact_id: contactId };
      return { value, text: [listing(textsOf(facts)), ...lines].join('\n'), ids };
    },
  }),

  preview: verb({
    does: 'Show a message as a contact would get it now, how many there can be, and how long they take',
    parameters: { ...shownMessage, html: optional('<file>', 'write it as HTML into this file') },
    ids: previewIds,
    run: async (installation, given) => (await import('./message-preview.ts')).previewed(installation, given),
  }),

  test: verb({
    does: 'Send a message to an address as a test, which counts nowhere',
    help: `
Its subject begins with [Test]. Its link to unsubscribe leads nowhere. On a stack it goes out with your AWS credentials.`,
    parameters: { ...shownMessage, to: required('<address>', 'who gets it') },
    ids: previewIds,
    run: async (installation, given) => (await import('./message-preview.ts')).tested(installation, given),
  }),

  pause: verb({
    does: 'Stop sending, at once. What is due waits for up to 72 hours',
    help: `
Verification links wait, too. Nothing that waits longer than 72 hours is sent.`,
    parameters: { team, template },
    ids: templateIds,
    run: async (installation, given) => {
      await requireMessages(installation);
      const { pauseMessages } = await import('../operations/messages/messages.ts');
      const chosen = await chosenTemplate(installation, given);
      const by = await installation.who();
      const isNew = await pauseMessages(installation, given.team, { by, reason: 'administrator' }, chosen?.id);
      const what = chosen ? `The messages of ${chosen.name ?? chosen.id}` : 'All messages of the team';
      const text = isNew
        ? `${what} are paused. Messages that are handed over in this second may still arrive.`
        : `${what} were paused already.`;
      return { value: { paused: true, changed: isNew, template_id: chosen?.id ?? null }, text };
    },
  }),

  resume: verb({
    does: 'Send again after a pause. What was due for more than 72 hours is not sent',
    parameters: { team, template, yes },
    ids: templateIds,
    run: async (installation, given) => {
      const access = await requireMessages(installation);
      const { resumeMessages } = await import('../operations/messages/messages.ts');
      const chosen = await chosenTemplate(installation, given);
      const state = await loadMessageState(installation.database, given.team);
      const pause = pauseOf(state, installation.eventEpoch);
      if (!chosen && pause !== undefined) requireConsent(consequenceOf(pause), given);
      const service = { ...withReaders(installation), ...access };
      const before = await resumeMessages(service, given.team, chosen?.id);
      const wasPaused = chosen ? before.templates[chosen.id] !== undefined : pause !== undefined;
      const still = chosen && pause !== undefined ? ' All messages of the team are still paused.' : '';
      const text = `${wasPaused ? 'Messages go out again.' : 'They were not paused.'}${still}`;
      return { value: { paused: false, changed: wasPaused, template_id: chosen?.id ?? null }, text };
    },
  }),

  resend: verb({
    does: 'Send a message again that failed, or of which it is not known whether it was sent',
    help: `
Who has got an unconfirmed message gets it twice. It is sent only if it still may be: as if it were due now.`,
    parameters: { team, id },
    run: async (installation, given) => {
      await requireMessages(installation);
      const { resendMessage } = await import('../operations/messages/messages.ts');
      const message = await resendMessage(withReaders(installation), given.team, given.id).catch(asNotFound(noMessage));
      const ids = { message_id: message.id };
      return { value: message, text: 'The message is due again. It is sent within a minute, if it may be.', ids };
    },
  }),
});

const columns = {
  DUE: 'due_at',
  CONTACT: 'unique_id',
  MESSAGE: ({ name, template_message_id }: ListedMessage) => name ?? template_message_id,
  STATE: ({ state, reason }: ListedMessage) => (reason === null ? state : `${state}: ${reason}`),
  SENT: 'sent_at',
  ID: 'id',
} as const;

const noContact = () => failure('not_found', 'no contact has this unique_id', '--unique-id');
const noMessage = () => failure('not_found', 'the team has no message with this id', '--id');

const noRecord = () =>
  failure(
    'not_found',
    'the team has no message with this id. If it is still to come, give its contact, too: --unique-id',
    '--id',
  );

/** A message that is still to come has no record. */
async function shownComing(
  installation: Installation,
  { team, id, uniqueId }: { team: string; id: string; uniqueId: string | undefined },
): Promise<Outcome | undefined> {
  if (uniqueId === undefined || (await findRecord(installation.database, team, id))) return undefined;
  await requireMessages(installation);
  const { comingMessage, waitingText } = await import('./coming-message.ts');
  const message = await comingMessage(installation, { team, uniqueId, id }).catch(asNotFound(noContact));
  if (!message) return undefined;
  const text = [listing(textsOf(message)), '', waitingText(message, installation.now())].join('\n');
  const notes = message.is_paused ? await pausedText(installation, team) : undefined;
  return { value: message, text, notes, ids: { message_id: id, contact_id: message.contact_id } };
}

type Given = { team: string; template: string | undefined };

async function previewIds(given: Given & { uniqueId: string | undefined }, database: Installation['database']) {
  const contact = given.uniqueId === undefined ? {} : await contactIds(database, given.team, given.uniqueId);
  return { ...(await templateIds(given, database)), ...contact };
}

async function chosenTemplate(installation: Installation, given: Given) {
  if (given.template === undefined) return undefined;
  return oneTemplate((await withReaders(installation).content.current(given.team)).templates, given.template);
}

async function templateIds(given: Given, database: Installation['database']) {
  if (given.template === undefined) return {};
  const { ContentCache } = await import('../../../lib/store/campaigns/content.ts');
  const { templates } = await new ContentCache(database, Date.now).current(given.team);
  return { template_ids: templatesNamed(templates, given.template).map((each) => each.id) };
}

/** @throws AdminFailure `messages_off` */
async function requireMessages(installation: Installation) {
  const access = await installation.suppression();
  if (!access) throw messagesOff();
  return access;
}

const withMessages = async (installation: Installation) => ({
  ...withReaders(installation),
  messages: (await installation.suppression())?.messages,
});

const automatic: Record<string, string> = {
  bounces: 'too many of the last 1,000 messages bounced (4 %)',
  complaints: 'too many recipients of the last 1,000 messages reported them as spam (0.08 %)',
};

function pauseText(pause: Paused | 'restored'): string {
  if (pause === 'restored') return 'All messages are paused, because the table was restored.';
  const why = automatic[pause.reason];
  return `All messages are paused since ${pause.at}: ${why ?? `by ${pause.by}`}.`;
}

async function pausedText({ database, eventEpoch }: Installation, teamId: string): Promise<string> {
  const state = await loadMessageState(database, teamId);
  const pause = pauseOf(state, eventEpoch);
  const templates = Object.keys(state.templates).length;
  const some = templates > 0 ? `The messages of ${quantity(templates, 'campaign')} are paused.` : '';
  const resume = pause ? `To send them again: npm run admin -- message resume --team ${teamId}` : '';
  return [pause === undefined ? '' : pauseText(pause), some, resume].filter(Boolean).join('\n');
}

const consequenceOf = (pause: Paused | 'restored'): string =>
  pause === 'restored'
    ? 'The table was restored: it does not know what was sent since its backup. What was due until now is not sent. ' +
      'Who has unsubscribed since has unsubscribed again, and messages that are due from now on go out.'
    : `${pauseText(pause)} What waits goes out now, unless it was due more than 72 hours ago.`;
