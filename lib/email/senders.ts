import { fileURLToPath } from 'node:url';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { OutboxSender } from './outbox.ts';
import type { Sender } from './sender.ts';
import { SesSender } from './ses.ts';
import { SmtpSender } from './smtp.ts';

/** Takes a message and hands it to nobody, for the teams that are for tests. */
export const noProvider: Sender = { send: async ({ tags }) => ({ providerId: tags.message }) };

export const isOutbox = (setting: string): boolean => setting.startsWith('file:');

/**
 * The sender of a turn: an outbox (`file:`), an SMTP server (`smtp:`, `smtps:`), or SES with a configuration set
 * (`ses:<name>`).
 */
export function senderNamed(setting: string, { now, ses }: { now(): number; ses(): SESv2Client }): Sender {
  const { protocol } = new URL(setting);
  if (isOutbox(setting)) return new OutboxSender(fileURLToPath(setting), now);
  if (protocol === 'smtp:' || protocol === 'smtps:') return new SmtpSender(setting);
  return new SesSender(ses(), setting.slice(protocol.length));
}
