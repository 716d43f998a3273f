import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { errorFields } from '../domain/values/problem.ts';
import { groupOf, type KindOfWork } from '../domain/waiting-work/lane.ts';
import { type Turn, type TurnEnd, type TurnTime, takeTurn, timeOf } from '../operations/waiting-work/turn.ts';
import { parseWake, type WakeQueue } from '../store/waiting-work/wake-queue.ts';
import { logger } from './base.ts';
import { onLostWake } from './waiting-work.ts';

/** `requestId` is the request that stored the work, if it sent the wake. */
export type LoggedTurn = Turn & { requestId?: string | undefined };

/** How a function works the lanes of a kind. `begin` is called once for each turn. */
export type LaneWorker = TurnTime & {
  begin(turn: LoggedTurn): {
    work(): Promise<TurnEnd>;
    /** Logs the error that ended the turn. */
    onFailure(error: unknown): void;
  };
};

/** The handler of a function that works the lane that its message names. Its batches have one message. */
export const laneHandler =
  (queue: () => WakeQueue, workers: Partial<Record<KindOfWork, LaneWorker>>) =>
  async ({ Records: [record] }: SQSEvent, clock: Pick<Context, 'getRemainingTimeInMillis'>) => {
    const message = record && parseWake(record.body);
    const worker = message && workers[message.work];
    if (!record || !message || !worker) {
      logger().error('a message that names no lane was discarded', { messageId: record?.messageId });
      return { batchItemFailures: [] } satisfies SQSBatchResponse;
    }
    const { request_id: requestId, ...lane } = message;
    const { MessageGroupId: group = groupOf(lane), ApproximateReceiveCount } = record.attributes;
    const hasTime = timeOf(() => clock.getRemainingTimeInMillis(), worker);
    const turn = { lane, group, received: Number(ApproximateReceiveCount), hasTime, requestId };
    const { work, onFailure } = worker.begin(turn);
    const onNotPostponed = (error: unknown) =>
      logger().error('a message could not be postponed', { ...lane, ...errorFields(error) });
    const service = { queue: queue(), onLostWake, requestId, onFailure, onNotPostponed };
    const isDone = await takeTurn(service, turn, record.receiptHandle, work);
    return { batchItemFailures: isDone ? [] : [{ itemIdentifier: record.messageId }] } satisfies SQSBatchResponse;
  };
