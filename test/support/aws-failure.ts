import { createServer } from 'node:http';
import { listen } from './loopback.ts';

/** How a service of AWS fails: an error as it reports one, or a connection that breaks. */
export type AwsFailure = { name: string; status?: number; message?: string } | 'away';

/** What speaks neither a queue's language nor a bucket's, and fails every request as `failure` says. */
export async function failingAws(format: 'json' | 'xml') {
  const state: { failure: AwsFailure } = { failure: 'away' };
  const server = createServer((request, response) => {
    request.resume();
    if (state.failure === 'away') return void request.socket.destroy();
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
