import { logger, metricFields } from './base.ts';

/** Logs that the service itself has paused the messages of a team, for the alarm: whichever function has done it. */
export const onPaused = (team_id: string, reason: string): void =>
  logger().error('the messages of a team were paused', {
    ...{ team_id, reason, ...metricFields([{ function: 'message-sender' }], { messages_stopped: 1 }) },
  });
