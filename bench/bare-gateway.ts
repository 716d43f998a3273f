import { startGateway } from '../bin/local/gateway.ts';

const unlimited = { rateLimit: 1_000_000, burstLimit: 1_000_000 };

/** The local gateway with an empty handler. Sends its port to the parent process. */
const gateway = await startGateway(0, {
  routes: [{ id: 'bare', methods: ['GET', 'POST'], path: '/bare', file: '', access: 'public', grants: { read: [] } }],
  fallback: 'bare',
  throttles: { partners: unlimited, token: unlimited, public: unlimited },
  invoke: async () => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{}' }),
});
process.send?.(gateway.port);
