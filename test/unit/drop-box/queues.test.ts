import type { SendMessageRequest, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { asciiJson } from '../../../lib/store/aws/queue.ts';
import { parseDroppedFile, SqsDropQueue } from '../../../lib/store/drop-box/drop-queue.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { parseWake, SqsWakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';

/** A client that records what is sent, or fails. */
function clientOf(error?: Error) {
  const sent: { name: string; input: unknown; options: unknown }[] = [];
  const send = async (command: { input: unknown }, options?: unknown) => {
    sent.push({ name: command.constructor.name, input: command.input, options });
    if (error) throw error;
  };
  return { sent, client: { send } as unknown as SQSClient };
}

describe('the queue of wakes', () => {
  const lane = { work: 'imports', team_id: 'team' } as const;

  test('gets a message of the lane within a second, which no other message replaces', async () => {
    const { sent, client } = clientOf();
    const queue = new SqsWakeQueue('url', client);
    const limit = vi.spyOn(AbortSignal, 'timeout');
    await queue.wake(lane, { requestId: 'request' });
    expect(limit.mock.calls).toEqual([[1000]]);
    limit.mockRestore();
    await queue.wake(lane, { group: 'other' });
    const expected = [
      ['{"work":"imports","team_id":"team","request_id":"request"}', 'team#imports'],
      ['{"work":"imports","team_id":"team"}', 'other'],
    ];
    expect(sent.map(({ name, input }) => [name, input])).toEqual(
      expected.map(([MessageBody, MessageGroupId]) => [
        'SendMessageCommand',
        { QueueUrl: 'url', MessageBody, MessageGroupId, MessageDeduplicationId: expect.any(String) },
      ]),
    );
    const [first, second] = sent.map(({ input }) => (input as SendMessageRequest).MessageDeduplicationId);
    expect(first).not.toBe(second);
    expect(sent[0]!.options).toEqual({ abortSignal: expect.any(AbortSignal) });
  });

  test('reads its own messages and no others', () => {
    const webhook = { work: 'webhooks', team_id: 'team', id: 'webhook', request_id: 'r' };
    for (const wake of [lane, webhook]) expect(parseWake(JSON.stringify(wake))).toEqual(wake);
    for (const body of ['{}', '{"team_id":"team"}', '{"work":"rest","team_id":"team"}', 'x']) {
      expect(parseWake(body)).toBeUndefined();
    }
  });
});

describe('the queue of dropped files', () => {
  const teamId = crypto.randomUUID();
  const file = { key: `${teamId}/accounts/ü.csv`, version: 'v', size: 200_000 };
  const id = derivedFileId(file.key, file.version);
  const MessageBody = asciiJson(file);

  test('gets a version of a file once, in the lane of its team and type', async () => {
    const { sent, client } = clientOf();
    await new SqsDropQueue('url', client).send(file);
    const message = { MessageGroupId: `${teamId}/accounts`, MessageDeduplicationId: id };
    expect(sent).toEqual([
      { name: 'SendMessageCommand', input: { QueueUrl: 'url', MessageBody, ...message }, options: undefined },
    ]);
  });

  test('gets an empty version, which can wait for a minute, in a group of its own', async () => {
    const { sent, client } = clientOf();
    await new SqsDropQueue('url', client).send({ ...file, size: 0 });
    expect(sent[0]!.input).toMatchObject({ MessageGroupId: id, MessageDeduplicationId: id });
  });

  test('gets a file for which no other waits once for each message that it replaces', async () => {
    const { sent, client } = clientOf();
    await new SqsDropQueue('url', client).sendSeparately(file, 'replaced');
    const message = { MessageGroupId: id, MessageDeduplicationId: 'replaced' };
    expect(sent[0]!.input).toEqual({ QueueUrl: 'url', MessageBody, ...message });
  });

  test('reads its own messages and no others', () => {
    const whole = { key: 'k', version: 'v', received_at: 't', size: 5 };
    expect(parseDroppedFile(JSON.stringify({ ...whole, other: 1 }))).toEqual(whole);
    expect(parseDroppedFile('{"key":"k","version":"v"}')).toEqual({ key: 'k', version: 'v' });
    for (const changed of [{ key: 1 }, { version: undefined }, { received_at: 5 }, { size: '5' }]) {
      expect(parseDroppedFile(JSON.stringify({ ...whole, ...changed }))).toBeUndefined();
    }
    expect(parseDroppedFile('x')).toBeUndefined();
  });
});

describe.each([
  ['wakes', (client: SQSClient) => new SqsWakeQueue('url', client)],
  ['dropped files', (client: SQSClient) => new SqsDropQueue('url', client)],
])('a message of the queue of %s', (_, queueOf) => {
  test('is postponed', async () => {
    const { sent, client } = clientOf();
    await queueOf(client).postpone('receipt', 7);
    const input = { QueueUrl: 'url', ReceiptHandle: 'receipt', VisibilityTimeout: 7 };
    expect(sent).toEqual([{ name: 'ChangeMessageVisibilityCommand', input, options: undefined }]);
  });
});

test('messages are in ASCII', () => {
  expect(asciiJson({ a: 'ü\uffff😀 ~' })).toBe('{"a":"\\u00fc\\uffff\\ud83d\\ude00 ~"}');
  expect(asciiJson({ a: '\u007f' })).toBe('{"a":"\\u007f"}');
});
