import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearAwsEnvironment } from '../../../bin/local/functions/environment.ts';
import { createThrottle } from '../../../bin/local/gateway/gateway.ts';
import { hiddenAddress, StartFailure } from '../../../bin/local/ports.ts';
import { settingsOf } from '../../../bin/local/settings.ts';
import { startEngine } from '../../../bin/local/storage/engine.ts';
import { openTable } from '../../../bin/local/storage/table.ts';

vi.mock(import('../../../bin/local/ports.ts'), async (load) => {
  const ports = await load();
  return { ...ports, hiddenAddress: vi.fn(ports.hiddenAddress) };
});

describe('the settings', () => {
  it('have defaults, also where a variable is empty', () => {
    const defaults = {
      PORT: 3000,
      DATA_DIR: `${process.cwd()}/.data`,
      inMemory: false,
      DYNAMODB_PORT: 0,
      SQS_PORT: 0,
      TOKEN_LIFETIME_SECONDS: 3600,
      AUDIT_RETENTION_DAYS: 3650,
      PAYLOAD_RETENTION_DAYS: 30,
      EVENT_RETENTION_DAYS: 30,
      EVENT_EPOCH: '',
      LOG_LEVEL: 'WARN',
      FRAME_ANCESTORS: '*',
    };
    expect(settingsOf({}, { memory: false })).toEqual(defaults);
    expect(settingsOf({ PORT: '', DATA_DIR: '', TOKEN_LIFETIME_SECONDS: '' }, { memory: false })).toEqual(defaults);
  });

  it.each([
    { PORT: 'http' },
    { PORT: '65536' },
    { PORT: '1.5' },
    { TOKEN_LIFETIME_SECONDS: '0' },
    { LOG_LEVEL: 'loud' },
    { PAYLOAD_RETENTION_DAYS: '6' },
    { PAYLOAD_RETENTION_DAYS: '31' },
    { DYNAMODB_ENDPOINT: 'localhost' },
    { DYNAMODB_ENDPOINT: 'localhost:8000' },
    { DYNAMODB_PORT: '-1' },
    { SQS_PORT: 'sqs' },
    { FUNCTIONS_DYNAMODB_ENDPOINT: '127.0.0.1' },
    { FUNCTIONS_SQS_ENDPOINT: 'ftp://localhost' },
  ])('refuse %o, naming the variable', (environment) => {
    const [name = ''] = Object.keys(environment);
    expect(() => settingsOf(environment, { memory: true })).toThrow(StartFailure);
    expect(() => settingsOf(environment, { memory: true })).toThrow(name);
  });

  it('name everything that is wrong at once', () => {
    const environment = { PORT: 'http', LOG_LEVEL: 'loud' };
    expect(() => settingsOf(environment, { memory: true })).toThrow(/PORT: .*LOG_LEVEL: /);
  });
});

describe('the environment', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('holds no key of a real account any more', () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'real');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'real');
    vi.stubEnv('AWS_SESSION_TOKEN', 'real');
    vi.stubEnv('AWS_PROFILE', 'real');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    clearAwsEnvironment();
    expect(Object.entries(process.env).filter(([name, value]) => name.startsWith('AWS_') && value === 'real')).toEqual(
      [],
    );
    expect(process.env.AWS_REGION).toBe('us-east-1');
  });
});

describe('the engine', () => {
  it('where this platform has none, names the package and the way around it', async () => {
    const real = Object.getOwnPropertyDescriptor(process, 'arch') as PropertyDescriptor;
    Object.defineProperty(process, 'arch', { ...real, value: 'none' });
    const outcome = await startEngine().catch((error: unknown) => error);
    Object.defineProperty(process, 'arch', real);
    expect(outcome).toBeInstanceOf(StartFailure);
    expect((outcome as Error).message).toMatch(/^[^\n]*@dynoxide\/\w+-none[^\n]*DYNAMODB_ENDPOINT[^\n]*$/);
  });

  it('starts at another port, if another program takes the free one and responds there', async () => {
    const other = createServer((_, response) => response.end('here')).listen(0, '0.0.0.0');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    vi.mocked(hiddenAddress).mockResolvedValueOnce({ host: '127.0.0.1', port });
    const engine = await startEngine();
    other.close();
    other.closeAllConnections();
    expect(engine.endpoint).not.toMatch(new RegExp(`:${port}$`));
    expect((await fetch(engine.endpoint)).headers.get('server')).toMatch(/^Dynoxide/);
    await engine.stop();
  });

  it('of somebody else that does not answer is named', async () => {
    clearAwsEnvironment();
    await expect(openTable('http://127.0.0.1:9', 'any')).rejects.toThrow(
      new StartFailure('The table cannot be created in the database at http://127.0.0.1:9 (ECONNREFUSED).'),
    );
  });
});

describe('the throttle', () => {
  it('lets a burst pass, then as many as the rate gives, and never saves more than a burst', () => {
    const mayPass = createThrottle({ rateLimit: 10, burstLimit: 3 });
    const passed = (times: number, at: number) =>
      Array.from({ length: times }, () => mayPass(at)).filter(Boolean).length;
    expect(passed(5, 1000)).toBe(3);
    expect(passed(5, 1099)).toBe(0);
    expect(passed(5, 1200)).toBe(2);
    expect(passed(5, 60_000)).toBe(3);
  });
});
