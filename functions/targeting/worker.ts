import { errorFields } from '../../lib/domain/values/problem.ts';
import { workMarks } from '../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../lib/operations/targeting/work-walks.ts';
import { logger } from '../../lib/runtime/base.ts';
import { type LaneWorker, laneHandler } from '../../lib/runtime/lane-worker.ts';
import { targetingService } from '../../lib/runtime/targeting.ts';
import { targetingQueue } from '../../lib/runtime/waiting-work.ts';

/** Milliseconds for a page of contacts, and how long a team keeps the worker from others. */
const time = { reserve: 20_000, longest: 20_000 };

const targeting: LaneWorker = {
  ...time,
  begin({ lane: { team_id, id = '0' }, hasTime }) {
    return {
      work: () => workMarks(targetingService(team_id), team_id, Number(id), hasTime),
      onFailure: (error) => logger().error('contacts could not be judged', { team_id, ...errorFields(error) }),
    };
  },
};

const walks: LaneWorker = {
  ...time,
  begin({ lane: { team_id }, hasTime }) {
    return {
      work: () => workWalks(targetingService(team_id), team_id, hasTime),
      onFailure: (error) => logger().error('a walk could not go on', { team_id, ...errorFields(error) }),
    };
  },
};

/** Judges the contacts of a team that are marked, or those of a walk, and starts their journeys. */
export const handler = laneHandler(targetingQueue, { targeting, walks });
