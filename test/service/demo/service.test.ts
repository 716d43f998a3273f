import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { borrowService } from '../../../bin/demo/service.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';

test('a running service is used, and left running', async () => {
  const running = await service();
  const { local, startedHere, release } = await borrowService(inject('serviceDirectory'));
  await release();
  expect(startedHere).toBe(false);
  expect(local.base_url).toBe(running.baseUrl);
  expect((await running.request('GET', '/openapi.json')).status).toBe(200);
});

test('one that was killed and left its description behind is started anew, and stopped after use', async () => {
  const directory = temporaryDirectory();
  const { pid } = spawnSync('true');
  writeFileSync(join(directory, 'local.json'), JSON.stringify({ pid, base_url: 'http://127.0.0.1:9' }));
  try {
    const { local, startedHere, release } = await borrowService(directory);
    expect(startedHere).toBe(true);
    expect((await fetch(`${local.base_url}/openapi.json`)).status).toBe(200);
    await release();
    expect(existsSync(join(directory, 'local.json'))).toBe(false);
    await expect(fetch(`${local.base_url}/openapi.json`)).rejects.toThrow();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
