import { errorFields } from '../../lib/domain/values/problem.ts';
import { renderers } from '../../lib/email/rendering.ts';
import { sendMessages } from '../../lib/operations/messages/send.ts';
import { logger } from '../../lib/runtime/base.ts';
import { consentService } from '../../lib/runtime/consent.ts';
import { journeyService } from '../../lib/runtime/content.ts';
import { type LaneWorker, laneHandler } from '../../lib/runtime/lane-worker.ts';
import { sendService } from '../../lib/runtime/messages.ts';
import { messageQueue, teamQueue } from '../../lib/runtime/waiting-work.ts';

/** Milliseconds for the messages that are being handed over, and how long a team keeps the worker from others. */
const time = { reserve: 15_000, longest: 20_000 };

const messages: LaneWorker = {
  ...time,
  begin({ lane: { team_id }, hasTime }) {
    const service = { ...journeyService(), ...consentService() };
    return {
      work: () => sendMessages(sendService(team_id, renderers(service)), team_id, hasTime),
      onFailure: (error) => logger().error('messages could not be sent', { team_id, ...errorFields(error) }),
    };
  },
};

/** Sends the messages of a team that are due. */
export const handler = laneHandler(() => messageQueue() ?? teamQueue(), { messages });
