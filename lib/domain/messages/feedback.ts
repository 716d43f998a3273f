import * as z from 'zod';
import { timestamp } from '../values/timestamp.ts';

/** What a provider reports of a message. */
export const feedbackTypes = ['delivered', 'bounced', 'complained'] as const;
export type FeedbackType = (typeof feedbackTypes)[number];

/** The body of a message of the queue `feedback`: type, tags and time alone. */
export const feedback = z.object({
  type: z.enum(feedbackTypes),
  /** Of a bounce: true if nothing can be delivered to the address. */
  permanent: z.boolean().optional(),
  tags: z.object({ message: z.string(), address: z.string(), team: z.string() }),
  /** Providers write fewer digits than the service. */
  at: z.iso.datetime({ offset: true }).transform((time) => timestamp(Date.parse(time))),
});
export type Feedback = z.output<typeof feedback>;
