import { Agent, createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import { isFromBrowser } from './browser.ts';
import { listen, loopback, portOf } from './ports.ts';

export type Guard = { endpoint: string; stop(): Promise<void> };

/**
 * Forwards requests to the engine, which has no access control, and rejects requests of browsers.
 * @throws StartFailure if the port is taken
 */
export async function startGuard(engine: string, port: number): Promise<Guard> {
  const agent = new Agent({ keepAlive: true });
  const { hostname: host, port: enginePort } = new URL(engine);
  const server = createServer((request, response) => {
    if (isFromBrowser(request)) refuse(response);
    else forward({ host, port: enginePort, agent }, request, response);
  });
  await listen(server, port, 'DYNAMODB_PORT');
  return {
    endpoint: `http://${loopback}:${portOf(server)}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

type Target = { host: string; port: string; agent: Agent };

function forward(target: Target, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, rawHeaders: headers } = request;
  const upstream = requestTo({ ...target, method, path, headers });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  // If the engine has ended, the client gets a broken connection.
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

function refuse(response: ServerResponse): void {
  const body = '{"message":"The embedded database rejects requests from browsers."}';
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' }).end(body);
}
