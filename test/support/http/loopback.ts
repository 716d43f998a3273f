import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Makes the server listen on any free port of the loopback address. It closes no idle connection: a client that sends a
 * request at that moment would get a connection error that no test asked for.
 */
export async function listen(server: Server): Promise<{ endpoint: string; stop: () => void }> {
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
