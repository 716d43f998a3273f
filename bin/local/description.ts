import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The content of `local.json`: how to reach the running service. */
const description = z.object({
  base_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  team_id: z.string(),
  dynamodb_endpoint: z.url(),
  sqs_endpoint: z.url(),
  table_name: z.string(),
  queue_url: z.url(),
  dead_letter_queue_url: z.url(),
  webhook_queue_url: z.url(),
  targeting_queue_url: z.url(),
  event_failure_queue_url: z.url(),
  event_epoch: z.string(),
  /** Files in `<folder>/<team_id>/accounts` and `…/contacts` are imported, whether copied there or sent with S3's API. */
  drop_box_folder: z.string(),
  drop_box_endpoint: z.url(),
  drop_box_bucket: z.string(),
  /** The bucket of the teams' images, at the endpoint of the drop box. */
  image_bucket: z.string(),
  message_queue_url: z.url(),
  /** Where messages go: the folder of the outbox, or the URL of an SMTP server. */
  message_sender: z.url(),
  /** The failed requests of clients in the last day. */
  request_log: z.string(),
  /** The list of erasures, which the admin command writes. */
  erasures_folder: z.string(),
  /** The secret of messages, and the bucket of the journal of listed addresses, at the endpoint of the drop box. */
  messages_secret_file: z.string(),
  messages_bucket: z.string(),
  pid: z.int(),
});
export type LocalDescription = z.output<typeof description>;

export const descriptionPath = (directory: string) => join(directory, 'local.json');

/** No local service is running. The message says why, as a sentence. */
export class NotRunning extends Error {
  override readonly name = 'NotRunning';
}

/** There is a file, which does not say whether the service is running. */
export class UnreadableDescription extends NotRunning {}

/** The running local service with this folder for its data. @throws NotRunning */
export function localService(directory: string): LocalDescription {
  const path = descriptionPath(directory);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new NotRunning(`No local service is running: there is no ${path}.`);
    throw new UnreadableDescription(`${path} cannot be read (${code}): run this as the user who started the service.`);
  }
  const local = description.safeParse(jsonOf(text)).data;
  if (!local) throw new NotRunning(`${path} was not written by a running local service.`);
  if (!isAlive(local.pid)) throw new NotRunning(`The local service that wrote ${path} has ended.`);
  return local;
}

/** The same; `undefined` if none is running. */
export function runningService(directory: string): LocalDescription | undefined {
  try {
    return localService(directory);
  } catch (error) {
    if (error instanceof NotRunning) return undefined;
    throw error;
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
