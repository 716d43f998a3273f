import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemporaryFolder } from '../support/temporary-folder.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.runIf(process.platform === 'linux')(
  'a process that a test left does not outlive its temporary folder',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onboarding-folder-'));
    const script = "require('fs').writeFileSync(process.env.TMPDIR + '/written', ''); setInterval(() => {}, 1000)";
    const shell = spawn('sh', ['-c', '"$0" -e "$1" & echo $!; wait', process.execPath, script], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = once(shell, 'close');
    const [output] = await once(shell.stdout, 'data');
    const pid = Number(String(output));
    await expect.poll(() => existsSync(join(folder, 'written')), { timeout: 5000 }).toBe(true);
    removeTemporaryFolder(folder);
    expect(existsSync(folder)).toBe(false);
    await closed;
    expect(isRunning(pid)).toBe(false);
  },
);
