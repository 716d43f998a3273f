import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventOf, type Invocation } from '../functions/invocation.ts';

/** The Runtime API of Lambda for one process and one request. */
export class RuntimeApi {
  /** The time at which the process asked for its first request. */
  readonly asked: Promise<number>;
  readonly answered: Promise<{ at: number; status: number }>;
  readonly environment: Record<string, string>;
  /** Sends the request to the process. */
  readonly deliver: () => void;
  readonly close: () => Promise<void>;

  private constructor(parts: Pick<RuntimeApi, 'asked' | 'answered' | 'environment' | 'deliver' | 'close'>) {
    this.asked = parts.asked;
    this.answered = parts.answered;
    this.environment = parts.environment;
    this.deliver = parts.deliver;
    this.close = parts.close;
  }

  static async start(invocation: Invocation, baseUrl: string): Promise<RuntimeApi> {
    const asked = Promise.withResolvers<number>();
    const answered = Promise.withResolvers<{ at: number; status: number }>();
    const limit = setTimeout(() => {
      const late = new Error(`${invocation.id} did not answer within 30 seconds`);
      asked.reject(late);
      answered.reject(late);
    }, 30_000);
    answered.promise.catch(() => {});
    let waiting: ServerResponse | undefined;
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url!, 'http://runtime');
      if (pathname.endsWith('/invocation/next')) {
        // The process asks again after its response, and waits until it is stopped.
        if (waiting) return;
        waiting = response;
        return asked.resolve(performance.now());
      }
      const at = performance.now();
      const body = (await request.toArray()).join('');
      response.writeHead(202).end();
      if (pathname.endsWith('/response')) answered.resolve({ at, status: JSON.parse(body).statusCode as number });
      else answered.reject(new Error(`${invocation.id}: ${pathname} ${body}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new RuntimeApi({
      asked: asked.promise,
      answered: answered.promise,
      environment: {
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
        _HANDLER: 'index.handler',
        AWS_LAMBDA_FUNCTION_NAME: invocation.id,
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
        AWS_LAMBDA_LOG_GROUP_NAME: 'cold-starts',
        AWS_LAMBDA_LOG_STREAM_NAME: 'cold-starts',
      },
      deliver: () => {
        const headers = {
          'content-type': 'application/json',
          'lambda-runtime-aws-request-id': '8f2c1d3a-0000-4000-8000-000000000000',
          'lambda-runtime-deadline-ms': String(Date.now() + 30_000),
          'lambda-runtime-invoked-function-arn': `arn:aws:lambda:us-east-1:000000000000:function:${invocation.id}`,
        };
        waiting!.writeHead(200, headers).end(JSON.stringify(eventOf(invocation, baseUrl)));
      },
      close: async () => {
        clearTimeout(limit);
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
  }
}
