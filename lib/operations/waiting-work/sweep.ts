import {
  isLate,
  type KindOfWork,
  kindsOfWork,
  type Lane,
  secondsWaited,
  type WaitingLane,
} from '../../domain/waiting-work/lane.ts';
import { heartbeatKey } from '../../store/table/keys.ts';
import { together } from '../../store/table/together.ts';
import { listTeamIds } from '../../store/teams/teams.ts';
import type { Service } from '../service.ts';
import { type WakeService, wake } from './wake.ts';

/** What a subject knows of the team: its lanes that hold work which can be done now, and numbers for the metrics. */
export type Standing = { lanes: readonly WaitingLane[] } & Partial<Counted>;
/** Counted for all teams together. `targeting_stopped`: templates whose targeting has stopped by its brake. */
type Counted = { chunks_failed: number; webhooks_failing: number; targeting_stopped: number };

export type LaneCounts = {
  /** Number of lanes that were woken. */
  woken: number;
  /** Number of lanes whose wake could not be sent, so that the sweep worked them itself. */
  worked: number;
  /** Number of lanes whose wake could not be sent, and whose work still waits. The next sweep tries again. */
  not_woken: number;
  /** Number of lanes whose oldest work has waited for half an hour. */
  late: number;
  /** Seconds since the oldest work of all lanes was stored. 0 if none waits. */
  oldest_seconds: number;
};

export type SweepReport = Record<KindOfWork, LaneCounts> &
  Counted & {
    /** Number of lists of a team that could not be read. */
    not_swept: number;
  };

type SweepService = Pick<Service, 'database' | 'now'> &
  Pick<WakeService, 'onLostWake'> & {
    /** The queue of the lanes of this kind. */
    queues: Record<KindOfWork, WakeService['queue']>;
  };

/** Teams that are checked in parallel. */
const parallelTeams = 8;

export type SweepOptions = {
  /** Reads what waits for a team, once for each subject. */
  subjects: readonly ((teamId: string) => Promise<Standing>)[];
  /** Wakes each lane that holds work, for a queue that has just started empty. */
  all?: boolean;
  /** False when no more wakes may be sent, so that a queue that hangs leaves time to work the lanes. */
  maySend?: () => boolean;
  /**
   * Works the lane of a team whose wake could not be sent. Lanes of a kind without it wait for the next sweep.
   * @param left number of lanes that still wait for this, including this one
   * @returns true if the lane is empty
   */
  work?: Partial<Record<KindOfWork, (teamId: string, left: number) => Promise<boolean>>>;
  /** Called if what waits for a team could not be read. The sweep goes on with the rest. */
  onFailure?: (teamId: string, error: unknown) => void;
};

/**
 * Wakes each lane whose work waits without a worker: its wake was lost, or the function that stored the work crashed before
 * it sent one. A lane whose wake cannot be sent now is worked by the sweep itself, where it can (contract, section 5:
 * "however many sends fail").
 */
export async function sweep(
  { database, now, queues, onLostWake }: SweepService,
  { subjects, all = false, maySend = () => true, work = {}, onFailure = () => {} }: SweepOptions,
): Promise<SweepReport> {
  const report = newReport();
  const unsent: Lane[] = [];
  const inspect = async (teamId: string, standing: SweepOptions['subjects'][number]): Promise<void> => {
    const { lanes, chunks_failed = 0, webhooks_failing = 0, targeting_stopped = 0 } = await standing(teamId);
    report.chunks_failed += chunks_failed;
    report.webhooks_failing += webhooks_failing;
    report.targeting_stopped += targeting_stopped;
    for (const waiting of lanes) {
      const { lane, wakeAt } = waiting;
      const counts = report[lane.work];
      if (isLate(waiting, now())) counts.late += 1;
      counts.oldest_seconds = Math.max(counts.oldest_seconds, secondsWaited(waiting, now()));
      if (!all && wakeAt > now()) continue;
      if (maySend() && (await wake({ queue: queues[lane.work], onLostWake }, lane))) counts.woken += 1;
      else unsent.push(lane);
    }
  };
  await together(await listTeamIds(database), parallelTeams, (teamId) =>
    Promise.all(
      subjects.map((standing) =>
        inspect(teamId, standing).catch((error) => {
          report.not_swept += 1;
          onFailure(teamId, error);
        }),
      ),
    ),
  );
  let left = unsent.filter((lane) => work[lane.work]).length;
  for (const lane of unsent) {
    const isWorked = await work[lane.work]?.(lane.team_id, left--);
    report[lane.work][isWorked ? 'worked' : 'not_woken'] += 1;
  }
  return report;
}

/** Changes an item that passes the filter of the stream. If the publisher is not invoked after it, an alarm goes off. */
export async function beat({ database }: Pick<Service, 'database'>): Promise<void> {
  await database.transact([{ kind: 'add', key: heartbeatKey, add: { beats: 1 } }]);
}

const newReport = (): SweepReport => {
  const none = { woken: 0, worked: 0, not_woken: 0, late: 0, oldest_seconds: 0 };
  const lanes = Object.fromEntries(kindsOfWork.map((kind) => [kind, { ...none }]));
  const counted = { not_swept: 0, chunks_failed: 0, webhooks_failing: 0, targeting_stopped: 0 };
  return { ...(lanes as Record<KindOfWork, LaneCounts>), ...counted };
};
