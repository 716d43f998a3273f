import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { within } from './timing.ts';

export const loopback = '127.0.0.1';

export type Listening = {
  port: number;
  endpoint: string;
  /** Accepts no more connections, and waits at most this long for running requests. */
  stop(graceMilliseconds?: number): Promise<void>;
};

/** Listens on the loopback address; 0 takes any free port. @throws StartFailure naming the setting of the port */
export async function listen(server: Server, port = 0, setting?: PortSetting): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portFailure(error, port, setting)));
    server.listen(port, loopback, resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    endpoint: `http://${loopback}:${taken}`,
    stop: async (graceMilliseconds = 0) => {
      const closed = once(server, 'close');
      server.close();
      await within(graceMilliseconds, closed);
      server.closeAllConnections();
    },
  };
}

export type PortSetting = 'PORT' | 'DYNAMODB_PORT' | 'SQS_PORT';

export function portFailure(error: NodeJS.ErrnoException, port: number, setting?: PortSetting): StartFailure {
  const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? error.message})`;
  const other = setting === 'PORT' ? 3001 : port + 1;
  const example = setting ? `: ${setting}=${other} npm start` : '.';
  return new StartFailure(`Port ${port} ${why}. Stop the program that uses it, or choose another port${example}`);
}

/** A port that is free now, for a program that cannot report the port it took when given 0. */
export async function freePort(host = loopback): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
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

type Headed = Pick<IncomingMessage, 'headers'>;

/** False if a web page's own host name resolves to this machine (DNS rebinding): `Host` still has that name. */
export const hasOwnHost = ({ headers }: Headed): boolean =>
  /^(?:127\.0\.0\.1|localhost):\d+$/i.test(headers.host ?? '');

/**
 * Returns whether a web page sent this request. Browsers send the page's origin (`Origin`) or its relation to the target
 * (`Sec-Fetch-Site`).
 */
export const isFromBrowser = (request: Headed): boolean =>
  request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined || !hasOwnHost(request);

/** Why the service cannot start. Printed as one line without a stack trace, which would not help the operator. */
export class StartFailure extends Error {}
