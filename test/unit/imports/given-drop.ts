import type { DroppedFile } from '../../../lib/domain/drop-box/drop.ts';
import type { DropReport } from '../../../lib/domain/drop-box/drop-report.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { workFile } from '../../../lib/operations/drop-box/work.ts';
import type { DropService } from '../../../lib/operations/service.ts';
import { type DropState, loadDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { csv, row } from '../../support/samples/account-files.ts';
import { DroppedFiles } from '../../support/samples/dropped-files.ts';

export const away = new Error('the bucket is away');
type Given = { path?: string; content?: string; state?: Partial<DropState>; chunks?: readonly Partial<Chunk>[] };

/** A file with this state and these chunks, at 12 o'clock. */
export async function givenDrop({ path = 'accounts/a.csv', content = csv(row(1)), state, chunks }: Given = {}) {
  const world = await DropWorld.open();
  const files = new DroppedFiles(world.database, world.teamId);
  const file = world.drop(path, content);
  world.clock = files.now;
  if (state) await files.begin(path, state);
  if (chunks) await files.accept(path, chunks);
  const reports: DropReport[] = [];
  const work = (changes: Partial<DropService> = {}, hasTime = () => true, dropped: DroppedFile = file) =>
    workFile({ ...world.dependencies(), onReport: (report) => reports.push(report), ...changes }, dropped, hasTime);
  const stored = async () => (await loadDrop(world.database, world.teamId, derivedFileId(file.key, '1')))!.state;
  const unreadable = (error: Error) => world.objects.readBy(() => Promise.reject(error));
  return { world, file, work, stored, reports, unreadable };
}

export const failed: Partial<Chunk> = { status: 'failed', failure: 'broken' };
