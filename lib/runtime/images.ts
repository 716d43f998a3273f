import * as z from 'zod/mini';
import { type ImageStore, S3ImageStore } from '../store/campaigns/images.ts';
import { buckets } from './aws.ts';
import { environment, guarded } from './base.ts';

export const { get: images, guard: guardImages } = guarded<ImageStore>(
  () => new S3ImageStore(z.string().parse(environment().IMAGE_BUCKET), buckets()),
);
