import type { MailTags } from './sender.ts';

/** What the outbox of the local service keeps of a message: one JSON file, `<id>.json` in its folder. */
export type OutboxMail = {
  /** The id of the message. */
  id: string;
  channel: 'email';
  to: string;
  subject: string;
  sent_at: string;
  /** What was played since. */
  state: 'sent' | 'delivered' | 'bounced' | 'complained';
  html: string;
  text: string;
  /** With lower-case names. */
  headers: Record<string, string>;
  /** The MIME text. */
  source: string;
  /** What an event that is played for it names. */
  tags: MailTags;
};
