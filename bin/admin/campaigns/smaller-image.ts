import sharp from 'sharp';
import { maxImageBytes } from '../../../lib/domain/teams/team-file.ts';

/** Longest sides that are tried, in pixels. The first is twice the width of the widest image on a page. */
const sides = [2400, 1600, 1000];
const quality = 82;

export type SmallerImage = { content: Buffer; width: number; height: number };

/** Pixels of the smallest photo. A smaller image that is this large holds something else. */
const minPixels = 500_000;

/**
 * A photo (JPEG, PNG, WebP) that is small enough to be kept: turned as the camera says, smaller, and without the data of
 * the camera, such as the place. An image with transparent parts becomes WebP, another one JPEG.
 * @returns undefined if it is no photo, or stays too large
 */
export async function smallerImage(content: Buffer): Promise<SmallerImage | undefined> {
  try {
    const { width, height } = await sharp(content).metadata();
    if (width * height < minPixels) return undefined;
    const { isOpaque } = await sharp(content).stats();
    for (const side of sides) {
      const resized = sharp(content).autoOrient().resize(side, side, { fit: 'inside', withoutEnlargement: true });
      const encoded = isOpaque ? resized.jpeg({ quality, mozjpeg: true }) : resized.webp({ quality });
      const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
      if (data.length <= maxImageBytes) return { content: data, width: info.width, height: info.height };
    }
  } catch {
    // It is damaged.
  }
  return undefined;
}
