import { InvalidArgumentError } from 'commander';
import { defaultSenderOf, type QuietHours, senderOf, type Team } from '../../../lib/domain/teams/team.ts';
import { failure } from '../failure.ts';
import type { SenderTeams } from '../installation.ts';
import type { TeamChange } from '../operations/teams/teams.ts';
import { countOption, hourOption, nameOption } from '../options.ts';
import { flag, oneOf, optional, repeated } from '../verb.ts';

/** The options of `team update` that say how messages of the team are sent. */
export const messageOptions = {
  sender: repeated(
    '<address|domain>',
    'an address, or a domain with all its addresses, that messages come from; repeatable; replaces the present senders',
    sender,
  ),
  noSender: flag('the team sends no messages'),
  noEarlierList: flag('nobody has unsubscribed from messages of the team before; needed once if there is no list'),
  postalAddress: optional('<text>', 'the postal address in the foot of its messages; marketing needs one', nameOption),
  noPostalAddress: flag('the team has no postal address, and sends no marketing messages'),
  quietHours: optional(
    '<from-to>',
    'local times between which no marketing message is sent, such as 20:00-08:00 (the default), or none',
    quietHours,
  ),
  maxMessagesAWeek: optional(
    '<n>',
    'marketing messages that a contact gets in any seven days, over all campaigns (default: 3)',
    countOption,
  ),
  messagesASecond: optional('<n>', 'messages that are sent a second (default: 10)', perSecond),
  verify: optional(
    '<channel>',
    'email: send contacts that opted in a link that verifies their address before their first marketing message; none: do not',
    oneOf('values', ['email', 'none'] as const),
  ),
};

type Given = {
  /** `false` after `--no-sender`; `true` without both. */
  sender?: unknown;
  /** `false` after `--no-earlier-list`. */
  earlierList?: unknown;
  postalAddress?: unknown;
  quietHours?: QuietHours | 'none' | undefined;
  maxMessagesAWeek?: number | undefined;
  messagesASecond?: number | undefined;
  verify?: 'email' | 'none' | undefined;
};

/** What these options change. */
export function messageChange(given: Given): TeamChange {
  const { sender, earlierList, postalAddress, quietHours, verify } = given;
  return {
    senders: Array.isArray(sender) ? [...new Set<string>(sender)] : sender === false ? [] : undefined,
    has_earlier_leavings: earlierList === false ? true : undefined,
    postal_address: typeof postalAddress === 'string' ? postalAddress : postalAddress === false ? null : undefined,
    quiet_hours: quietHours === 'none' ? null : quietHours,
    max_messages_a_week: given.maxMessagesAWeek,
    messages_a_second: given.messagesASecond,
    verify_email: verify === undefined ? undefined : verify === 'email',
  };
}

/**
 * A team that sends has said who had left before (contract, section 15, "Before the first message"), and sends from its own
 * addresses only.
 * @param owners whose the senders of the stack are; `undefined` if any team may have any
 * @throws AdminFailure `invalid_arguments`
 */
export function requireSenders({ senders, has_earlier_leavings }: TeamChange, team: Team, owners?: SenderTeams): void {
  for (const each of senders ?? []) requireOwn(each, team, owners);
  if (!senders?.length || has_earlier_leavings || team.has_earlier_leavings) return;
  const message =
    'First say who has unsubscribed from messages of this team before, so that none of them gets another: import the ' +
    `list with suppression import FILE --team ${team.team_id}, or, if there is none, add --no-earlier-list.`;
  throw failure('invalid_arguments', message, '--sender');
}

function requireOwn(sender: string, { team_id }: Team, owners: SenderTeams | undefined): void {
  if (!owners) return;
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const found = owners[domain] ?? owners[sender];
  if (found && (found.length === 0 || found.includes(team_id))) return;
  const message = found
    ? `${sender} belongs to another team (setting messages.senders of the stack)`
    : `the stack may not send as ${sender}. Add the domain to messages.senders in infra/stages.ts, deploy, and set its DNS records`;
  throw failure('invalid_arguments', message, '--sender');
}

const noAddress = ' (no address: each campaign must name its own as email_sender_address)';

/** The settings as people read them. */
export const shownSettings = (team: Team): Record<string, string> => ({
  senders: `${team.senders.join(', ') || 'none: the team sends no messages'}${team.senders.length > 0 && defaultSenderOf(team) === undefined ? noAddress : ''}`,
  'postal address': team.postal_address ?? 'none: no marketing messages are sent',
  'quiet hours': team.quiet_hours ? `${team.quiet_hours.from}-${team.quiet_hours.to}` : 'none',
  'marketing messages a week': String(team.max_messages_a_week),
  'messages a second': String(team.messages_a_second),
  'verifies addresses': team.verify_email ? 'yes' : 'no',
  'earlier leavings': team.has_earlier_leavings ? 'known' : 'not yet said',
});

function sender(text: string): string {
  const found = senderOf(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError('It must be an address, such as welcome@bank.example, or a domain: bank.example.');
}

function quietHours(text: string): QuietHours | 'none' {
  if (text === 'none') return text;
  const [from = '', to = '', ...more] = text.split('-');
  if (more.length === 0 && from !== to) return { from: hourOption(from), to: hourOption(to) };
  throw new InvalidArgumentError('It must be two different times, such as 20:00-08:00, or none.');
}

const fastest = 1000;

function perSecond(text: string): number {
  const count = countOption(text);
  if (count <= fastest) return count;
  throw new InvalidArgumentError(`It must be at most ${fastest}.`);
}
