import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { type DroppedFile, ownerOfDrop } from '../domain/drop.ts';
import { shortRequests } from './connections.ts';
import { derivedFileId } from './keys.ts';
import { asciiJson, postponeMessage } from './queue.ts';

const fileSchema = z.object({ key: z.string(), version: z.string() });

/** The message, or `undefined` when the text is none of ours. */
export function parseDroppedFile(body: string): DroppedFile | undefined {
  try {
    return fileSchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** The FIFO queue of files that lie in the drop box: those of one team are worked one after another. */
export class SqsDropQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(url: string, client = new SQSClient({ requestHandler: shortRequests })) {
    this.#client = client;
    this.#url = url;
  }

  /** Within five minutes, the queue swallows a second message about the same version of a file. */
  async send(file: DroppedFile): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#url,
        MessageBody: asciiJson(file),
        MessageGroupId: ownerOfDrop(file.key),
        MessageDeduplicationId: derivedFileId(file.key, file.version),
      }),
    );
  }

  postpone(receiptHandle: string, seconds: number): Promise<void> {
    return postponeMessage(this.#client, this.#url, receiptHandle, seconds);
  }
}
