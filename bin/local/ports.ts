import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** A port that nobody listens on now: for a program that cannot say which port it took when given 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
