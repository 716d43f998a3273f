import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { discardFailed, listFailed } from '../../../bin/admin/operations/imports/failed.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { acceptBatch } from '../../../lib/operations/imports/accept.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import { importsThatWait, workTeam } from '../../../lib/operations/imports/work.ts';
import { sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { takeTurn } from '../../../lib/operations/waiting-work/turn.ts';
import type { Renames } from './renames.ts';
import { type Post, postedOf } from './requests.ts';
import type { World } from './world.ts';

/** Milliseconds in which a worker may begin chunks. */
const workTime = 40_000;

/** Runs the operations of the import. Each call starts a separate process. */
export class Actors {
  readonly #world: World;
  readonly #renames: ReadonlyMap<string, Renames>;
  /** Requests that were not sent yet, or whose sender got no response. */
  readonly waiting: Post[];

  constructor(world: World, renames: ReadonlyMap<string, Renames>, waiting: Post[]) {
    this.#world = world;
    this.#renames = renames;
    this.waiting = waiting;
  }

  /** A client sends the request. */
  send(post: Post): void {
    const { history } = this.#world;
    this.#world.start('client', { teamId: post.teamId, post }, async (dependencies, process) => {
      try {
        history.responded(process, post, await acceptBatch(dependencies, { teamId: post.teamId }, postedOf(post)));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === 'unavailable') return this.again(post);
        if (error.code !== 'validation_failed' && error.code !== 'conflict') throw error;
        history.refused(process, post, error.code);
        if (error.code === 'validation_failed') this.again({ ...post, isInvalid: false });
      }
    });
  }

  /** The client got no response. */
  again(post: Post): void {
    const { random } = this.#world;
    if (post.chunk_index !== undefined || random.chance(0.5)) this.waiting.unshift(post);
  }

  /** A worker receives the next message, if there is one. */
  deliver(): void {
    const world = this.#world;
    const { queue, random, faults } = world;
    const message = queue.receive(world.clock, random);
    if (!message || faults.happens('receive response lost')) return;
    const { lane, receipt } = message;
    const teamId = lane.team_id;
    // The previous worker took longer than its visibility timeout.
    const isOvertaking = world.scheduler.processes.some((other) => other.kind === 'worker' && other.teamId === teamId);
    if (isOvertaking) world.history.team(teamId).deaths += 1;
    // Running out of time is normal.
    const isShort = faults.happens('time runs out') || (faults.isCalm && random.chance(0.1));
    const until = world.clock + (isShort ? random.below(60) : workTime);
    world.start('worker', { teamId }, async (dependencies, process) => {
      const onFailure = (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        world.log(() => `${process.name} breaks off: ${error.message}`);
      };
      const turning = { ...dependencies, onFailure, onNotPostponed: () => undefined };
      const work = async () => (await workTeam(dependencies, teamId, () => world.clock < until)).outcome;
      if (!(await takeTurn(turning, message, receipt, work))) return;
      await world.turn(process, () => {
        if (!faults.happens('delete response lost')) queue.delete(receipt);
      });
    });
  }

  sweep(all: boolean): void {
    const world = this.#world;
    world.start('sweeper', {}, async (dependencies, process) => {
      const work = async (teamId: string) => {
        try {
          return (await workTeam(dependencies, teamId, () => true)).outcome === 'empty';
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          world.log(() => `${process.name} breaks off: ${error.message}`);
          return false;
        }
      };
      const { queue } = dependencies;
      const queues = {
        imports: queue,
        completions: queue,
        webhooks: queue,
        targeting: queue,
        walks: queue,
        messages: queue,
      };
      const subjects = [(teamId: string) => importsThatWait(dependencies, teamId)];
      await sweep({ ...dependencies, queues }, { subjects, all, work: { imports: work } });
    });
  }

  /** @returns whether there is anything to redrive. */
  redriveAll(): boolean {
    const failed = this.#world.history.all.filter(({ status }) => status === 'failed');
    const teams = new Set(failed.map(({ teamId }) => teamId));
    for (const teamId of teams) {
      this.#world.start('operator', { teamId }, async (dependencies) => {
        for (const chunk of await listFailed(dependencies, teamId)) await redriveChunk(dependencies, chunk);
      });
    }
    return teams.size > 0;
  }

  discardOne(): void {
    const failed = this.#world.history.all.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return;
    const { teamId, order } = this.#world.random.pick(failed);
    this.#world.start('operator', { teamId }, async (dependencies) => {
      const listed = await listFailed(dependencies, teamId);
      const chunk = listed.find((each) => each.order === order);
      if (chunk) await discardFailed(dependencies, chunk);
    });
  }

  cancel(): void {
    const open = this.#world.history.all.filter(({ status }) => status === 'open');
    if (open.length === 0) return;
    const { teamId, batch_id } = this.#world.random.pick(open);
    this.#world.start('operator', { teamId }, async (dependencies) => {
      await cancelBatch(dependencies, teamId, batch_id);
    });
  }

  rename(): void {
    const { random, teamIds } = this.#world;
    const teamId = random.pick(teamIds);
    this.#world.start('administrator', { teamId }, (dependencies) =>
      this.#renames.get(teamId)!.change(random, dependencies),
    );
  }
}
