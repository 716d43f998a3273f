import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultProxy } from '../../support/aws/fault-proxy.ts';
import { reservedPort } from '../../support/http/ports.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const contact = { unique_id: 'c1', role: 'primary' };
const product = { code: 'P', type: 'checking' };
/** The account that every chunk writes, after others that keep the worker busy. */
const recordsNaming = (nickname: string) => [
  ...Array.from({ length: 249 }, (_, n) => ({ account_number: `${nickname}-${n}`, contact, product })),
  { account_number: 'A', contact, product, nickname },
];

async function ended(api: TestService, token: string): Promise<object> {
  const read = async () => (await api.request('GET', '/v1/batches/nightly', { token })).body;
  return until('the batch ends', read, ({ status }) => status !== 'processing');
}

test('what was accepted before the service was killed comes before what is sent while it starts again', async () => {
  const options = { persistent: true, directory, environment: { PORT: String(await reservedPort()) } };
  const first = await startService(options);
  const team = await first.newTeam();
  const sent = (api: TestService, index: number, nickname: string) => {
    const body = { type: 'accounts', batch_id: 'nightly', chunk_index: index, records: recordsNaming(nickname) };
    return api.request('POST', '/v1/batches', { token: team.token, body });
  };
  const holder = await first.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'c1' } });
  for (let index = 0; index < 5; index++) expect((await sent(first, index, `early-${index}`)).status).toBe(202);
  first.process.kill('SIGKILL');
  await first.process.exited;

  const restarted = startService(options);
  const isSent = () =>
    sent(first, 5, 'last').then(
      ({ status }) => status === 202,
      () => false,
    );
  await until('the service accepts a chunk', isSent);
  const second = await restarted;
  try {
    expect(await ended(second, team.token)).toMatchObject({
      status: 'completed',
      records: { accepted: 1500, superseded: 0 },
    });
    const { body } = await second.request('GET', `/v1/contacts/${holder.body.id}/accounts`, { token: team.token });
    const nicknames = body.map(({ account }: { account: { nickname: string | null } }) => account.nickname);
    expect(nicknames.filter(Boolean)).toEqual(['last']);
  } finally {
    await second.process.stop();
  }
});

test('what was open when the service was killed is applied although the first sends of its next start fail', async () => {
  const sqs = await reservedPort();
  let sends = 0;
  const proxy = await faultProxy(`http://127.0.0.1:${sqs}`, ({ operation }) => {
    if (operation !== 'SendMessage' || ++sends > 4) return undefined;
    return sends % 2 === 1 ? { hangs: 'before' } : { status: 500, body: '{}' };
  });
  // Tokens are valid only for the URL of their issuer.
  const port = { PORT: String(await reservedPort()) };
  const first = await startService({ persistent: true, directory, environment: port });
  const teams = await Promise.all([first.newTeam(), first.newTeam(), first.newTeam()]);
  const post = (token: string, index: number) => {
    const body = { type: 'accounts', batch_id: 'nightly', chunk_index: index, records: recordsNaming(`${index}`) };
    return first.request('POST', '/v1/batches', { token, body });
  };
  for (let index = 0; index < 3; index++) {
    const answers = await Promise.all(teams.map(({ token }) => post(token, index)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  }
  first.process.kill('SIGKILL');
  await first.process.exited;

  const environment = { ...port, SQS_PORT: String(sqs), FUNCTIONS_SQS_ENDPOINT: proxy.endpoint };
  const second = await startService({ persistent: true, directory, environment });
  try {
    for (const { token } of teams) {
      expect(await ended(second, token)).toMatchObject({
        status: 'completed',
        records: { accepted: 750, superseded: 0 },
      });
    }
    expect(sends).toBeGreaterThan(4);
  } finally {
    await second.process.stop();
    proxy.stop();
  }
});
