import * as z from 'zod/mini';
import type { DroppedFile } from '../../domain/drop-box/drop.ts';
import { timestamp } from '../../domain/values/timestamp.ts';

/** The event that S3 sends when an object was created. S3's test message has no records. */
const eventSchema = z.object({
  Records: z._default(
    z.array(
      z.object({
        eventTime: z.optional(z.string()),
        s3: z.object({
          bucket: z.object({ name: z.string() }),
          object: z.object({
            ...{ key: z.string(), versionId: z.string() },
            ...{ size: z.optional(z.number()), eTag: z.optional(z.string()) },
          }),
        }),
      }),
    ),
    [],
  ),
});

/** The objects of this bucket that a message names. @throws if the text is not such a message. */
export function objectsIn(body: string, bucket: string): DroppedFile[] {
  const { Records } = eventSchema.parse(JSON.parse(body));
  return Records.filter(({ s3 }) => s3.bucket.name === bucket).map(({ eventTime, s3: { object } }) => ({
    // S3 encodes keys as application/x-www-form-urlencoded.
    key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    version: object.versionId,
    ...(eventTime === undefined ? {} : { received_at: timestamp(Date.parse(eventTime)) }),
    ...(object.size === undefined ? {} : { size: object.size }),
    ...(object.eTag === undefined ? {} : { etag: object.eTag }),
  }));
}
