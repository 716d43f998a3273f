import { createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { publicExcept } from '../../../lib/webhooks/addresses.ts';
import { failureOf, type Resolve, type SenderOptions, webhookSender } from '../../../lib/webhooks/sender.ts';
import { startReceiver } from '../../support/http/webhook-receiver.ts';

const message = { headers: { 'content-type': 'application/json', 'webhook-id': 'e1' }, body: '{"type":"é"}' };

function sender(options: Partial<SenderOptions> = {}) {
  const made = webhookSender({ allowsLocal: true, ...options });
  onTestFinished(made.close);
  return (url: string) => made.send({ url, ...message });
}

/** Answers look-ups with these lists of addresses, one after another, and counts them. */
function resolver(...answers: string[][]) {
  const state = { lookups: 0 };
  const resolve: Resolve = (_, __, callback) => {
    const addresses = answers[Math.min(state.lookups, answers.length - 1)]!;
    state.lookups += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, state };
}

test('posts the body and the headers, and returns the status', async () => {
  const receiver = await startReceiver(() => 202);
  expect(await sender()(receiver.url)).toBe(202);
  expect(receiver.received).toEqual([
    { path: '/hook', headers: expect.objectContaining(message.headers), body: message.body },
  ]);
  expect(receiver.received[0]?.headers['content-length']).toBe('13');
});

test('uses a connection again, and another one if the receiver has closed it', async () => {
  const receiver = await startReceiver();
  const send = sender();
  expect([await send(receiver.url), await send(receiver.url)]).toEqual([204, 204]);
  expect(receiver.connections).toBe(1);
  receiver.answer = (_, __, request) => {
    receiver.answer = () => 200;
    request.socket.destroy();
    return undefined;
  };
  expect(await send(receiver.url)).toBe(200);
  expect(receiver.connections).toBe(2);
});

describe('a receiver that', () => {
  test.each([301, 302, 307, 308, 400, 404, 410, 500, 503])(
    'answers %s is not followed or asked again',
    async (status) => {
      const target = await startReceiver();
      const receiver = await startReceiver((_, response) => {
        response.writeHead(status, { location: target.url }).end();
        return undefined;
      });
      expect(await sender()(receiver.url)).toBe(status);
      expect([receiver.received.length, target.received.length]).toEqual([1, 0]);
    },
  );

  test.each([200, 400, 429, 500, 503])(
    'answers %s with Retry-After asks for a pause only with 429 and 503',
    async (status) => {
      const receiver = await startReceiver((_, response) => {
        response.writeHead(status, { 'retry-after': '60' }).end();
        return undefined;
      });
      const isPause = status === 429 || status === 503;
      expect(await sender()(receiver.url)).toEqual(isPause ? { status, retry_after: '60' } : status);
    },
  );

  test('never answers is left after the time limit', async () => {
    const receiver = await startReceiver(() => undefined);
    const began = performance.now();
    expect(await sender({ timeout: 100 })(receiver.url)).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('sends its header byte by byte is left after the time limit', async () => {
    const server = createTcpServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(['timeout', 'invalid_response']).toContain(await sender({ timeout: 150 })(`http://127.0.0.1:${port}/`));
  });

  test('begins a response and hangs has received the webhook, and is left a second later', async () => {
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200).write('wait');
      return undefined;
    });
    const began = performance.now();
    expect(await sender()(receiver.url)).toBe(200);
    expect(performance.now() - began).toBeLessThan(8000);
  });

  test('sends an endless response is left after 64 KB', async () => {
    let sent = 0;
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', write);
      write();
      return undefined;
    });
    expect(await sender()(receiver.url)).toBe(200);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  test.each([
    ['closes the connection', '', 'connection_failed'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.0\r\n', 'invalid_response'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`, 'invalid_response'],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'connection_failed',
    ],
  ])('%s has not received the webhook', async (_, text, result) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await sender()(`http://127.0.0.1:${port}/`)).toBe(result);
  });

  test('is not there', async () => {
    const receiver = await startReceiver();
    receiver.stop();
    expect(await sender()(receiver.url)).toBe('connection_failed');
  });
});

describe('addresses', () => {
  test.each([
    ['https://127.0.0.1/'],
    ['https://[::ffff:127.0.0.1]/'],
    ['http://example.com/'],
    ['https://user@example.com/'],
  ])('%s gets nothing, and is not resolved', async (url) => {
    const { resolve, state } = resolver(['93.184.215.14']);
    expect(await sender({ resolve })(url)).toBe('address_refused');
    expect(state.lookups).toBe(0);
  });

  test('nothing is sent to this machine unless it is the local service', async () => {
    const receiver = await startReceiver();
    expect(await sender({ allowsLocal: false })(receiver.url)).toBe('address_refused');
    expect(receiver.connections).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['::ffff:10.1.2.3']],
    [['64:ff9b::a9fe:a9fe']],
    [['93.184.215.14', '127.0.0.1']],
    [['2606:2800:21f:cb07::1', 'fd00::1']],
    [[]],
  ])('nothing is sent to a name with the addresses %j', async (addresses) => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const { resolve } = resolver(addresses);
    expect(await sender({ resolve })(`https://rebind.example:${port}/`)).toBe('address_refused');
    expect(receiver.connections).toBe(0);
  });

  test('nothing is sent to a public address that the institution uses itself', async () => {
    const isAllowed = publicExcept(['93.184.0.0/16', '2606:2800::/32']);
    for (const addresses of [['93.184.215.14'], ['8.8.8.8', '2606:2800:21f:cb07::1']]) {
      const send = sender({ resolve: resolver(addresses).resolve, isAllowed });
      expect(await send('https://rebind.example/')).toBe('address_refused');
    }
    expect(await sender({ isAllowed })('https://93.184.215.14/')).toBe('address_refused');
    expect([isAllowed('93.185.0.1'), isAllowed('10.0.0.1')]).toEqual([true, false]);
  });

  test('a name is resolved once for a connection, which is made to the address that was checked', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    // The local service may send to this machine only: 127.0.0.1 is checked, and 10.0.0.1 would be the second answer.
    const { resolve, state } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const send = sender({ resolve });
    expect(await send(`http://localhost:${port}/`)).toBe(204);
    expect(state.lookups).toBe(1);
    // The same connection: nothing to resolve.
    expect(await send(`http://localhost:${port}/`)).toBe(204);
    expect(state.lookups).toBe(1);
    expect(await sender({ resolve })(`http://localhost:${port}/`)).toBe('address_refused');
    expect([state.lookups, receiver.connections]).toEqual([2, 1]);
  });

  test('a name that cannot be resolved is reported', async () => {
    const resolve: Resolve = (_, __, callback) => callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []);
    expect(await sender({ resolve })('https://nowhere.example/')).toBe('name_not_found');
  });

  test('a resolver that hangs counts towards the time limit', async () => {
    expect(await sender({ resolve: () => {}, timeout: 100 })('https://slow.example/')).toBe('timeout');
  });
});

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
  ['CERT_HAS_EXPIRED', 'tls_failed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
  ['EPROTO', 'tls_failed'],
  ['EAI_AGAIN', 'name_not_found'],
  ['ECONNRESET', 'connection_failed'],
  ['EHOSTUNREACH', 'connection_failed'],
])('the error %s is reported as %s', (code, failure) => {
  expect(failureOf(Object.assign(new Error(), { code }))).toBe(failure);
});
