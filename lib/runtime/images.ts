import * as z from 'zod/mini';
import { type ImageStore, S3ImageStore } from '../store/images.ts';
import { buckets } from './aws.ts';
import { environment, once } from './base.ts';

/** Wraps the images that the function uses. */
type Guard = (images: ImageStore) => ImageStore;

let guard: Guard = (images) => images;

/** Call it before anything else. The local service uses it to reject the accesses that IAM would deny. */
export function guardImages(newGuard: Guard): void {
  guard = newGuard;
}

export const images = once(() => {
  const bucket = z.string().parse(environment().IMAGE_BUCKET);
  return guard(new S3ImageStore(bucket, buckets()));
});
