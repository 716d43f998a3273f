import { listFailed } from '../../lib/operations/imports/failed.ts';
import { sweep } from '../../lib/operations/imports/sweep.ts';
import { logger } from '../../lib/runtime/base.ts';
import { imports } from '../../lib/runtime/imports.ts';
import { runtime } from '../../lib/runtime/table.ts';

/** Runs on a schedule. `{ "all": true }` hands over every open chunk, for a queue that has just started empty. */
export async function handler(event: { all?: boolean } = {}): Promise<{ handed_over: number }> {
  const handed_over = await sweep(imports(), { all: event.all === true });
  if (handed_over > 0) logger().warn('chunks were handed over by the sweeper', { handed_over });
  const { length: chunks_failed } = await listFailed(runtime());
  // An alarm of the stack counts this field.
  if (chunks_failed > 0) logger().warn('chunks stand failed', { chunks_failed });
  return { handed_over };
}
