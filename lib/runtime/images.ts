import * as z from 'zod';
import { type ImageStore, S3ImageStore } from '../store/images.ts';
import { environment, once } from './base.ts';

/** What is between the functions and the images. */
type Guard = (images: ImageStore) => ImageStore;

let guard: Guard = (images) => images;

/** To be called before anything else: the local service refuses there what IAM would. */
export function guardImages(with_: Guard): void {
  guard = with_;
}

export const images = once(() => guard(new S3ImageStore(z.string().parse(environment().IMAGE_BUCKET))));
