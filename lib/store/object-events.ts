import * as z from 'zod';
import type { DroppedFile } from '../domain/drop.ts';

/** What S3 says when an object was made; its own test message has no records. */
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

/** The objects of that bucket that a message tells of. @throws where the text is no such message. */
export function objectsIn(body: string, bucket: string): DroppedFile[] {
  const { Records } = eventSchema.parse(JSON.parse(body));
  return Records.filter(({ s3 }) => s3.bucket.name === bucket).map(({ s3: { object } }) => ({
    // Encoded as a form is.
    key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    version: object.versionId,
  }));
}
