import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Makes the server listen on any free port of the loopback address. */
export async function listen(server: Server): Promise<{ endpoint: string; stop: () => void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
