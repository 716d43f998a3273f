import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets the server listen on a port of the loopback address that the system picks. */
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
