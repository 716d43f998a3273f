import * as z from 'zod';

/**
 * What changed the consent: a request of a client with one contact or with several, a dropped file, a link in a message, a
 * command, or what the provider reports of a message. `id`: of the client, the file or the message.
 */
export const consentSource = z.object({
  kind: z.enum(['client', 'batch', 'file', 'link', 'command', 'provider']),
  id: z.string().optional(),
});
export type ConsentSource = z.output<typeof consentSource>;
