import { createServer, request as requestTo } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes everything on to `target`, and keeps the operation (`X-Amz-Target`) and path of each request. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
