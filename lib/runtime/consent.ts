import * as z from 'zod/mini';
import type { ConsentService } from '../operations/contacts/leave.ts';
import { S3SuppressionJournal, type SuppressionJournal } from '../store/suppression/journal.ts';
import { buckets } from './aws.ts';
import { environment, guarded } from './base.ts';
import { contactService } from './content.ts';
import { messagesSecret } from './messages-secret.ts';

const journal = guarded<SuppressionJournal>(
  () => new S3SuppressionJournal(z.string().parse(environment().MESSAGES_BUCKET), buckets()),
);
export const guardJournal = journal.guard;

/** For the functions that list addresses. */
export const suppression = () => ({ messages: { secret: messagesSecret }, journal: journal.get() });

/** For the functions that change the consent of contacts, and the list of addresses. */
export const consentService = (): ConsentService => ({ ...contactService(), ...suppression() });
