import * as z from 'zod/mini';
import { readMessagesSecret } from '../store/suppression/secret.ts';
import { secrets } from './aws.ts';
import { environment, guarded } from './base.ts';

/** Read once for each instance. It is never rotated in place. After a failure, the next call reads it again. */
function secretReader(): () => Promise<string> {
  let read: Promise<string> | undefined;
  return () => {
    read ??= readMessagesSecret(z.string().parse(environment().MESSAGES_SECRET), secrets).catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}

const { get, guard } = guarded(secretReader);
export const messagesSecret = (): Promise<string> => get()();
export const guardMessagesSecret = guard;
