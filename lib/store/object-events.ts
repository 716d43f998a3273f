import * as z from 'zod';
import type { DroppedFile } from '../domain/drop.ts';

/** The event that S3 sends when an object was created. S3's test message has no records. */
const eventSchema = z.object({
  Records: z
    .array(
      z.object({
        s3: z.object({
          bucket: z.object({ name: z.string() }),
          object: z.object({ key: z.string(), versionId: z.string() }),
        }),
      }),
    )
    .default([]),
});

/** The objects of this bucket that a message names. @throws if the text is not such a message. */
export function objectsIn(body: string, bucket: string): DroppedFile[] {
  const { Records } = eventSchema.parse(JSON.parse(body));
  return Records.filter(({ s3 }) => s3.bucket.name === bucket).map(({ s3: { object } }) => ({
    // S3 encodes keys as application/x-www-form-urlencoded.
    key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    version: object.versionId,
  }));
}
