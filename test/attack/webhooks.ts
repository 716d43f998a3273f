import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createWebhook } from '../../bin/admin/operations/webhooks.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import { type Resolve, webhookSender } from '../../lib/webhooks/sender.ts';
import { listen } from '../support/loopback.ts';
import { type Area, type Attack, attack, must } from './attack.ts';
import type { World } from './world.ts';

/**
 * The URL of a webhook must not lead the service into its own network (server-side request forgery): not when it is
 * registered, not when its name is resolved, and not by what its receiver answers.
 */
export const webhooks: Area = async (world) => [
  ...privateHosts.map((host) => registered(world, host)),
  ...resolvedAddresses.map((address) => resolved(address)),
  redirected(301),
  redirected(307),
];

/** This machine, metadata services, private networks, and what routers reach. */
const privateAddresses = [
  '127.0.0.1',
  '169.254.169.254',
  '10.0.0.7',
  '172.16.0.9',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
];

/** The ways to write an address of IPv4, in a URL or as an answer of DNS. */
function formsOf(address: string): { urls: string[]; answers: string[] } {
  const parts = address.split('.').map(Number) as [number, number, number, number];
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
  const [high, low] = [hex(Math.floor(number / 65_536)), hex(number % 65_536)];
  const answers = [
    address,
    ...[`::ffff:${address}`, `::ffff:${high}:${low}`, `::${high}:${low}`, `::ffff:0:${high}:${low}`],
    ...[`64:ff9b::${high}:${low}`, `64:ff9b:1::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`],
  ];
  const wide = [...address]
    .map((each) => (each === '.' ? '．' : String.fromCharCode(each.charCodeAt(0) + 0xfee0)))
    .join('');
  const urls = [
    ...answers.map((each) => (each.includes(':') ? `[${each}]` : each)),
    ...[String(number), `0x${hex(number)}`, `0${number.toString(8)}`, `${address}.`, wide],
    parts.map((part) => `0x${hex(part)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${parts[0]}.${number % 16_777_216}`,
    address.replaceAll('.', '%2e'),
  ];
  return { urls, answers };
}

const privateHosts = [
  ...privateAddresses.flatMap((address) => formsOf(address).urls),
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'host.docker.internal',
    'metadata.google.internal',
    'printer',
  ],
  ...['[::1]', '[::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]'],
  ...['example.com@127.0.0.1', 'user:password@example.com', '127.0.0.1#@example.com', '127.0.0.1\\@example.com'],
];

const resolvedAddresses = [
  ...privateAddresses.flatMap((address) => formsOf(address).answers),
  ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1'],
];

const dependenciesOf = ({ database }: World) => ({
  ...{ database, now: Date.now, newId: randomUUID, newSecret, pause: async () => {}, wake: async () => {} },
});

const registered = (world: World, host: string): Attack =>
  attack('a private URL is not registered', host, async () => {
    for (const url of [`https://${host}/`, `http://${host}:8080/`, `https://${host}:8443/hook?a=b`]) {
      const settings = { team_id: world.ours.teamId, url, types: null };
      const made = await createWebhook(dependenciesOf(world), settings, { allowsLocal: false }).catch(() => undefined);
      must(made === undefined, `${url} was accepted`);
    }
  });

/** Counts the connections that reach this machine. */
async function victim() {
  const state = { requests: 0 };
  const server = createServer((_, response) => {
    state.requests++;
    response.end('secret');
  });
  const { endpoint, stop } = await listen(server);
  return { state, stop, endpoint, port: new URL(endpoint).port };
}

const answering =
  (...answers: string[][]): Resolve =>
  (_, __, callback) => {
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

const request = { headers: {}, body: '{}' };

const resolved = (address: string): Attack =>
  attack('a name with a private address gets nothing', address, async () => {
    const { state, stop, port } = await victim();
    for (const addresses of [[address], ['93.184.215.14', address], [address, '93.184.215.14']]) {
      const { send, close } = webhookSender({ allowsLocal: false, timeout: 500, resolve: answering(addresses) });
      const result = await send({ url: `https://attacker.example:${port}/`, ...request });
      close();
      must(result === 'address_refused', `the result was ${result}`);
    }
    stop();
    must(state.requests === 0, 'the request arrived');
  });

const redirected = (status: number): Attack =>
  attack('a redirect is not followed', String(status), async () => {
    const { state, stop, endpoint } = await victim();
    const server = createServer((_, response) => response.writeHead(status, { location: endpoint }).end());
    const receiver = await listen(server);
    const { send, close } = webhookSender({ allowsLocal: true });
    const result = await send({ url: receiver.endpoint, ...request });
    for (const end of [close, stop, receiver.stop]) end();
    must(result === status && state.requests === 0, `the result was ${result}`, state);
  });
