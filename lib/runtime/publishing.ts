import { errorFields } from '../domain/values/problem.ts';
import { fits } from '../http/reply.ts';
import { publishWaiting } from '../operations/publishing/publish-waiting.ts';
import { logger } from './base.ts';
import { service } from './table.ts';

/** Publishes the revision that waits for its time. The function that does it loads the import only then. */
export const publishAtItsTime = (team_id: string, revision: string): Promise<void> => {
  const onRefused = (error: unknown) =>
    logger().error('a revision was not published at its time', { team_id, revision, ...errorFields(error) });
  return publishWaiting({ ...service(), fits, onRefused }, team_id, revision);
};
