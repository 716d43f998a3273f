import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { sendReasons } from '../../../lib/domain/messages/record.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { withReaders } from '../campaigns/readers.ts';
import { asNotFound, failure } from '../failure.ts';
import { type Installation, messagesOff } from '../installation.ts';
import { messageFor, reachOf, type ShownTo, sendTest } from '../operations/messages/preview.ts';
import { oneTemplate } from '../options.ts';
import { quantity } from '../text.ts';
import type { Outcome } from '../verb.ts';

type Given = { team: string; template: string; message: string; uniqueId: string | undefined };

/** Shows the message, and says how many there are and how long they take (contract, section 15). */
export async function previewed(
  installation: Installation,
  given: Given & { html: string | undefined },
): Promise<Outcome> {
  const { service, shown } = await shownTo(installation, given);
  const mail = await rendered(service, shown);
  const reach = await reachOf(service, shown);
  if (given.html !== undefined) writeFileSync(given.html, mail.html);
  const { subject, from, replyTo = null, text, html } = mail;
  const value = {
    subject,
    from: from.address,
    reply_to: replyTo,
    text,
    html,
    bytes: Buffer.byteLength(html),
    ...reach,
  };
  const { open_journeys, messages_a_second, seconds } = reach;
  const journeys = `${quantity(open_journeys, 'open journey')} of the campaign can get it`;
  const time = `at ${messages_a_second} a second, all of them take ${lasting(seconds)}`;
  const notes = `${journeys}; ${time}. Consent, hours and caps are judged when it is sent.`;
  return { value, text: `Subject: ${subject}\nFrom: ${from.name} <${from.address}>\n\n${text}`, notes };
}

/** Sends the message to an address. */
export async function tested(installation: Installation, given: Given & { to: string }): Promise<Outcome> {
  const access = await installation.suppression();
  if (!access) throw messagesOff();
  const { service, shown } = await shownTo(installation, given);
  if (!z.email().safeParse(given.to).success) throw notAddress();
  const mail = await rendered(service, shown);
  const sender = await installation.sender(given.team);
  const secret = await access.messages.secret();
  const sent = await sendTest(sender, shown.team, { mail }, { id: installation.newId(), to: given.to, secret });
  if (!sent) throw notAddress();
  const { subject, tags } = sent;
  return { value: { id: tags.message, subject }, text: `Sent: ${subject}`, ids: { message_id: tags.message } };
}

const notAddress = () => failure('validation_failed', 'is not an email address', '--to');

async function shownTo(installation: Installation, given: Given) {
  const service = withReaders(installation);
  const [content, team] = await Promise.all([
    service.content.current(given.team),
    loadTeam(service.database, given.team),
  ]);
  const template = oneTemplate(content.templates, given.template);
  const message = template.template_messages.find(({ id }) => id === given.message.toLowerCase());
  if (!message) {
    const ids = template.template_messages.map((each) => `${each.id} (${each.message?.content_name ?? 'no name'})`);
    const says = `the campaign has no template message with this id; it has ${ids.join(', ') || 'none'}`;
    throw failure('not_found', says, '--message');
  }
  const shown: ShownTo = { team: team!, template, message, content, uniqueId: given.uniqueId };
  return { service, shown };
}

async function rendered(service: ReturnType<typeof withReaders>, shown: ShownTo) {
  const rendering = await messageFor(service, shown).catch(
    asNotFound(() => failure('not_found', 'no contact has this unique_id', '--unique-id')),
  );
  if ('mail' in rendering) return rendering.mail;
  const { fault } = rendering;
  throw failure(
    'validation_failed',
    fault === null ? 'the message cannot be made' : (faults[fault] ?? fault),
    '--message',
  );
}

const faults: Partial<Record<(typeof sendReasons)[number], string>> = {
  too_large: 'is too large: mail programs cut off what has more than 102 KB',
  channel_off: 'has no sender: set one with team update --sender',
};

const lasting = (seconds: number): string =>
  seconds < 120
    ? quantity(seconds, 'second')
    : seconds < 7200
      ? quantity(Math.ceil(seconds / 60), 'minute')
      : quantity(Math.ceil(seconds / 3600), 'hour');
