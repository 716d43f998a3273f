import * as z from 'zod/mini';
import { isSandbox } from '../domain/teams/sandbox.ts';
import { errorFields } from '../domain/values/problem.ts';
import { isOutbox, noProvider, senderNamed } from '../email/senders.ts';
import { sesClient } from '../email/ses.ts';
import type { SendService } from '../operations/messages/send.ts';
import { verifyByItself } from '../operations/messages/verify.ts';
import { credentials } from './aws.ts';
import { environment, logger, metricFields, now } from './base.ts';
import { consentService } from './consent.ts';
import { journeyService } from './content.ts';
import { onPaused } from './messages-paused.ts';
import { service } from './table.ts';
import { verificationService } from './verifications.ts';

/** For the function that sends messages. A turn has connections of its own. */
export function sendService(team_id: string, renders: Pick<SendService, 'render' | 'renderVerification'>): SendService {
  const setting = z.string().parse(environment().MESSAGE_SENDER);
  const sender = senderNamed(setting, { now, ses: () => sesClient({ credentials }) });
  const isLocal = isOutbox(setting);
  return {
    ...journeyService(),
    ...consentService(),
    ...renders,
    askToVerify: (teamId, contact) => verifyByItself(verificationService(), teamId, contact),
    eventEpoch: service().eventEpoch,
    senderFor: (teamId) => (isSandbox(teamId) && !isLocal ? noProvider : sender),
    onPaused,
    onListMismatch: () =>
      logger().error('no messages are sent: the list of addresses was made with another secret', {
        ...{ team_id, ...metricFields([{ function: 'message-sender' }], { lists_mismatched: 1 }) },
      }),
    onMessageFailure: (error, message_id) =>
      logger().error('a message was not sent: the code failed on it', {
        ...{ team_id, message_id, ...errorFields(error) },
        ...metricFields([{ function: 'message-sender' }], { messages_passed_over: 1 }),
      }),
  };
}
