import * as z from 'zod/mini';
import { type DropBoxFiles, deployedDropBox } from '../store/drop-box/drop-box-files.ts';
import { type ErasureList, S3ErasureList } from '../store/erasure/erasure-list.ts';
import { buckets, credentials } from './aws.ts';
import { environment, guarded } from './base.ts';
import { suppression } from './consent.ts';
import { dropBucket } from './drop-queue.ts';
import { service } from './table.ts';

const dropBox = guarded<DropBoxFiles>(() => deployedDropBox(dropBucket(), { credentials }));
const list = guarded<ErasureList>(() => new S3ErasureList(z.string().parse(environment().IMAGE_BUCKET), buckets()));
export const guardDropBox = dropBox.guard;
export const guardErasureList = list.guard;

/** For the function that completes the erasures that clients have requested. */
export const erasureService = () => ({
  ...service(),
  files: dropBox.get(),
  erasures: list.get(),
  suppression: environment().MESSAGES_SECRET === undefined ? undefined : suppression(),
});
