import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { StartFailure } from './failure.ts';

export const loopback = '127.0.0.1';

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Listens on the loopback, on any free port for 0. @throws StartFailure naming the setting that chose the port. */
export async function listen(server: Server, port: number, setting: PortSetting): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portFailure(error, port, setting)));
    server.listen(port, loopback, resolve);
  });
}

export type PortSetting = 'PORT' | 'DYNAMODB_PORT' | 'SQS_PORT';

export function portFailure(error: NodeJS.ErrnoException, port: number, setting: PortSetting): StartFailure {
  const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? error.message})`;
  const other = setting === 'PORT' ? 3001 : port + 1;
  return new StartFailure(
    `Port ${port} ${why}. Stop what listens there, or choose another: ${setting}=${other} npm start`,
  );
}

/** A port that nobody listens on now: for a program that cannot say which port it took when given 0. */
export async function freePort(host = loopback): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * An address of this machine's own that no web page can find by trying: one of 16 million, where the system has the
 * whole of 127.0.0.0/8 as Linux and Windows do. Elsewhere 127.0.0.1.
 */
export async function hiddenAddress(): Promise<{ host: string; port: number }> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const port = await freePort(host).catch(() => undefined);
  return port === undefined ? { host: loopback, port: await freePort() } : { host, port };
}
