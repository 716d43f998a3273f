import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type DroppedFile, laneOfDrop } from '../../domain/drop-box/drop.ts';
import { asciiJson, messageReader, postponeMessage } from '../aws/queue.ts';
import { failWith } from '../table/errors.ts';
import { derivedFileId } from '../table/ids.ts';

const fileSchema = z.object({
  key: z.string(),
  version: z.string(),
  received_at: z.optional(z.string()),
  size: z.optional(z.number()),
  etag: z.optional(z.string()),
});

export const parseDroppedFile: (body: string) => DroppedFile | undefined = messageReader(fileSchema);

/** The FIFO queue of the files in the drop box. The files of a lane are read one after another. */
export interface DropQueue {
  /** Within five minutes, the queue ignores a second message about the same version of a file. */
  send(file: DroppedFile): Promise<void>;
  /**
   * Sends the file again in a message group of its own, so that no other file waits for it.
   * @param replacedId id of the message that this one replaces. The queue ignores a second message that replaces it.
   */
  sendSeparately(file: DroppedFile, replacedId: string): Promise<void>;
  /** Makes a received message visible again after this many seconds. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

export class SqsDropQueue implements DropQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(url: string, client: SQSClient) {
    this.#client = client;
    this.#url = url;
  }

  send(file: DroppedFile): Promise<void> {
    const fileId = derivedFileId(file.key, file.version);
    // An empty version may wait for a minute, and no other file waits for it.
    return this.#send(file, file.size === 0 ? fileId : laneOfDrop(file), fileId);
  }

  sendSeparately(file: DroppedFile, replacedId: string): Promise<void> {
    return this.#send(file, derivedFileId(file.key, file.version), replacedId);
  }

  postpone(receiptHandle: string, seconds: number): Promise<void> {
    return postponeMessage(this.#client, this.#url, receiptHandle, seconds);
  }

  async #send(file: DroppedFile, MessageGroupId: string, MessageDeduplicationId: string): Promise<void> {
    const message = { QueueUrl: this.#url, MessageBody: asciiJson(file), MessageGroupId, MessageDeduplicationId };
    const sent = this.#client.send(new SendMessageCommand(message));
    await sent.catch(failWith('a dropped file could not be sent to the queue'));
  }
}
