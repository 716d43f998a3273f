import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

export const loopback = '127.0.0.1';

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Listens on the loopback address; 0 takes any free port. @throws StartFailure naming the setting of the port */
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
    `Port ${port} ${why}. Stop the program that uses it, or choose another port: ${setting}=${other} npm start`,
  );
}

/** A port that is free now, for a program that cannot report the port it took when given 0. */
export async function freePort(host = loopback): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A random loopback address that a web page cannot find by trying: one of 16 million in 127.0.0.0/8, which Linux and
 * Windows reserve as a whole. On other systems 127.0.0.1.
 */
export async function hiddenAddress(): Promise<{ host: string; port: number }> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const port = await freePort(host).catch(() => undefined);
  return port === undefined ? { host: loopback, port: await freePort() } : { host, port };
}

/** Why the service cannot start. Printed as one line without a stack trace, which would not help the operator. */
export class StartFailure extends Error {}
