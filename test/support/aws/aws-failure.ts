import { createServer } from 'node:http';
import { listen } from '../http/loopback.ts';

/** How an AWS service fails: with an error that it reports, or with a broken connection. */
export type AwsFailure =
  | { name: string; status?: number; message?: string }
  /** Any other response. */
  | { status: number; body: string; headers?: Record<string, string> }
  | 'away';

/** A server that fails every request as `failure` says. */
export async function failingAws(format: 'json' | 'xml') {
  const state: { failure: AwsFailure } = { failure: 'away' };
  const server = createServer((request, response) => {
    request.resume();
    if (state.failure === 'away') return void request.socket.destroy();
    if ('body' in state.failure) {
      const { status, body, headers } = state.failure;
      return void response.writeHead(status, headers).end(body);
    }
    const { name, status = 400, message = 'a stored value' } = state.failure;
    response.writeHead(status, {
      'content-type': format === 'json' ? 'application/x-amz-json-1.1' : 'application/xml',
    });
    response.end(
      format === 'json'
        ? JSON.stringify({ __type: name, message })
        : `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${name}</Code><Message>${message}</Message></Error>`,
    );
  });
  return Object.assign(state, await listen(server));
}
