import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type DropBoxFiles, deployedDropBox } from '../store/drop-box/drop-box-files.ts';
import { type ErasureList, S3ErasureList } from '../store/erasure/erasure-list.ts';
import { buckets, credentials } from './aws.ts';
import { environment, guarded } from './base.ts';
import { dropBucket } from './drop-queue.ts';
import { runtime } from './table.ts';

const dropBox = guarded<DropBoxFiles>(() => deployedDropBox(dropBucket(), { credentials }));
const list = guarded<ErasureList>(() => new S3ErasureList(z.string().parse(environment().IMAGE_BUCKET), buckets()));
export const guardDropBox = dropBox.guard;
export const guardErasureList = list.guard;

/** For the function that completes the erasures that clients have requested. */
export const erasureDependencies = () => ({
  ...runtime(),
  wait: (milliseconds: number) => sleep(milliseconds),
  files: dropBox.get(),
  erasures: list.get(),
  retentionDays: environment().AUDIT_RETENTION_DAYS,
});
