import { createServer, request as requestTo } from 'node:http';
import { listen } from './loopback.ts';

/** Forwards all requests to `target`, and records the operation (`X-Amz-Target`) and path of each. */
export async function recordingProxy(target: string) {
  const seen: { operation: string; path: string }[] = [];
  const server = createServer((request, response) => {
    const { method, url: path = '/', rawHeaders: headers } = request;
    seen.push({ operation: String(request.headers['x-amz-target']).split('.')[1] ?? '', path });
    const upstream = requestTo(target, { method, path, headers });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  return { ...(await listen(server)), seen };
}
