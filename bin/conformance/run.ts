import { recorded } from '../admin/audit-act.ts';
import { together } from '../demo/together.ts';
import { type Cleaned, cleanUp } from './clean-up.ts';
import { type CheckedRow, keyOf } from './row.ts';
import { makeWorld, type Target, type World } from './world.ts';

export type RowResult = {
  row: string;
  result: 'passed' | 'failed';
  milliseconds: number;
  /** What the service did instead. */
  reason?: string;
};

export type ConformanceReport = {
  base_url: string;
  passed: number;
  failed: number;
  seconds: number;
  rows: RowResult[];
  /** One for each of the two teams. */
  clean_up: Cleaned[];
};

/** Checks that run at the same time. Each has data of its own. */
const atOnce = 6;

/** Runs the checks with two teams of their own, and cleans up. The audit log has an entry of the run. */
export async function runConformance(
  target: Target,
  checks: readonly CheckedRow[],
  onResult: (result: RowResult) => void = () => {},
): Promise<ConformanceReport> {
  return recorded(target.installation, 'conformance test', { ids: {} }, async () => {
    const startedAt = Date.now();
    const world = await makeWorld(target);
    const teams = [world.team, world.featured];
    const results = await together(checks, atOnce, async (row) => {
      const result = await runRow(row, world);
      onResult(result);
      return result;
    });
    const clean_up = [];
    for (const team of teams) clean_up.push(await cleanUp(team));
    const passed = results.filter(({ result }) => result === 'passed').length;
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    const counts = { passed, failed: results.length - passed, seconds };
    const ids = { team_id: world.team.teamId };
    return { base_url: target.baseUrl, ...counts, rows: results, clean_up, ids };
  });
}

async function runRow(row: CheckedRow, world: World): Promise<RowResult> {
  const startedAt = Date.now();
  const outcome = await row.check(world).then(
    () => ({ result: 'passed' as const }),
    (error: unknown) => ({ result: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }),
  );
  return { row: keyOf(row), ...outcome, milliseconds: Date.now() - startedAt };
}

export const isRight = ({ failed, clean_up }: ConformanceReport): boolean =>
  failed === 0 && clean_up.every(({ failures }) => failures.length === 0);
