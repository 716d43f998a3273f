import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { isSandbox } from '../domain/teams/sandbox.ts';
import { errorFields } from '../domain/values/problem.ts';
import { OutboxSender } from '../email/outbox.ts';
import type { Sender } from '../email/sender.ts';
import { SesSender, sesClient } from '../email/ses.ts';
import { SmtpSender } from '../email/smtp.ts';
import type { SendService } from '../operations/messages/send.ts';
import { credentials } from './aws.ts';
import { environment, logger, metricFields, now } from './base.ts';
import { consentService } from './consent.ts';
import { journeyService } from './content.ts';
import { service } from './table.ts';

/** Takes a message and hands it to nobody, for the teams that are for tests. */
const noProvider: Sender = { send: async ({ tags }) => ({ providerId: tags.message }) };

/**
 * The sender of a turn: an outbox (`file:`), an SMTP server (`smtp:`, `smtps:`), or SES with a configuration set
 * (`ses:<name>`).
 */
function senderOf(setting: string): Sender {
  const { protocol } = new URL(setting);
  if (protocol === 'file:') return new OutboxSender(fileURLToPath(setting), now);
  if (protocol === 'smtp:' || protocol === 'smtps:') return new SmtpSender(setting);
  return new SesSender(sesClient({ credentials }), setting.slice(protocol.length));
}

/** For the function that sends messages. A turn has connections of its own. */
export function sendService(team_id: string, renders: Pick<SendService, 'render' | 'renderVerification'>): SendService {
  const setting = z.string().parse(environment().MESSAGE_SENDER);
  const sender = senderOf(setting);
  const isLocal = setting.startsWith('file:');
  return {
    ...journeyService(),
    ...consentService(),
    ...renders,
    eventEpoch: service().eventEpoch,
    senderFor: (teamId) => (isSandbox(teamId) && !isLocal ? noProvider : sender),
    onMessageFailure: (error, message_id) =>
      logger().error('a message was not sent: the code failed on it', {
        ...{ team_id, message_id, ...errorFields(error) },
        ...metricFields([{ function: 'message-sender' }], { messages_passed_over: 1 }),
      }),
  };
}
