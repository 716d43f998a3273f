import { Readable } from 'node:stream';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

export type SentRequest = {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
};
export type Answer = { statusCode?: number; headers?: Record<string, string>; body?: string };
type RequestHandler = NonNullable<DynamoDBClientConfig['requestHandler']>;

/** A connection to AWS that is a function. */
export const answering = (answer: (request: SentRequest) => Promise<Answer>) =>
  ({
    async handle(request: SentRequest) {
      const sent = { ...request, body: Buffer.from(request.body ?? '').toString() };
      const { statusCode = 200, headers = {}, body = '{}' } = await answer(sent);
      // Byte by byte, because a character can be split.
      const bytes = Readable.from([...Buffer.from(body)].map((byte) => Buffer.of(byte)));
      return { response: { statusCode, headers, body: bytes } };
    },
  }) as unknown as RequestHandler;

/** A connection to AWS that gives these answers one after another, and records the requests. */
export function connectionOf(answers: readonly Answer[]) {
  const requests: SentRequest[] = [];
  const requestHandler = answering(async (request) => answers[requests.push(request) - 1]!);
  return { requestHandler, requests };
}
