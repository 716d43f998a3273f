import { Readable } from 'node:stream';
import type { Access } from '../../lib/store/signed-requests.ts';

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
export type Answer = { statusCode?: number; headers?: Record<string, string>; body?: string } | Error;

/** A connection to AWS that gives these answers one after another, and records the requests and their options. */
export function connectionOf(answers: readonly Answer[]) {
  const requests: SentRequest[] = [];
  const options: unknown[] = [];
  let isDestroyed = false;
  const requestHandler = {
    async handle(request: SentRequest, each: unknown) {
      options.push(each);
      const answer = answers[requests.push(request) - 1]!;
      if (answer instanceof Error) throw answer;
      const { statusCode = 200, headers = {}, body = '{}' } = answer;
      // Byte by byte, because a character can be split.
      return {
        response: { statusCode, headers, body: Readable.from([...Buffer.from(body)].map((byte) => Buffer.of(byte))) },
      };
    },
    destroy() {
      isDestroyed = true;
    },
  } as unknown as NonNullable<Access['requestHandler']>;
  return { requestHandler, requests, options, isDestroyed: () => isDestroyed };
}
