import { recorded } from '../admin/audit-act.ts';
import { cleanUp } from './clean-up.ts';
import { reportOf, type SmokeReport } from './report.ts';
import { steps } from './steps.ts';
import type { StepResult } from './walk.ts';
import { walk } from './walk.ts';
import { type Target, World } from './world.ts';

/** Walks through the service with a team of its own, and cleans up. The audit log has an entry of the run. */
export async function runSmoke(target: Target, onResult?: (result: StepResult) => void): Promise<SmokeReport> {
  return recorded(target.installation, 'smoke test', { ids: {} }, async () => {
    const startedAt = Date.now();
    const world = await World.make(target);
    const results = await walk(world, steps, onResult);
    const cleaned = await cleanUp(world);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    const report = reportOf(world, results, cleaned, seconds);
    return { ...report, ids: { team_id: world.teamId } };
  });
}
