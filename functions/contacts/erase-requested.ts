import type { Context } from 'aws-lambda';
import { errorFields } from '../../lib/domain/values/problem.ts';
import { eraseRequested, type RequestedErasures } from '../../lib/operations/erasure/erase-requested.ts';
import { logged, logger } from '../../lib/runtime/base.ts';
import { erasureService } from '../../lib/runtime/erasures.ts';

/** Milliseconds for the current file or page of batches: with less time left, no other one is begun. */
const reserve = 300_000;

/**
 * Runs on a schedule. Completes the erasures that clients have requested, over several runs if they have to wait.
 * @throws Error at its end if an erasure failed or has waited for a day, so that the alarm on errors goes off
 */
export async function handler(
  _: unknown,
  clock: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<RequestedErasures> {
  const report = await logged('the requested erasures could not be read', {}, () =>
    eraseRequested({
      ...erasureService(),
      hasTime: () => clock.getRemainingTimeInMillis() > reserve,
      onFailure: (error, ids) => logger().error('an erasure failed', { ...ids, ...errorFields(error) }),
    }),
  );
  if (report.erased + report.postponed + report.failed > 0) logger().info('erasures were worked', report);
  if (report.failed + report.late > 0) throw new Error('erasures failed or are late');
  return report;
}
