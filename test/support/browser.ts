import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import packages from '../../package.json' with { type: 'json' };

/** A Chromium of the machine's own, in place of the one that comes from npm (which runs on Linux on x64 alone). */
const given = process.env.CHROMIUM_PATH;
const packaged = process.platform === 'linux' && process.arch === 'x64';
const available = Boolean(given) || packaged;

if (!available) {
  console.warn(
    `No browser for ${process.platform} on ${process.arch}: its tests are skipped. Set CHROMIUM_PATH to run them.`,
  );
}

/** A test that drives a browser. Where there is none it counts as skipped, and the reason is printed. */
export const browserTest = test.skipIf(!available);

/** Starts a browser; use one for a file, and close it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = given || (await unpacked());
  // Without the sandbox and the zygote it also runs as root and in containers; it only ever opens pages of ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
}

/**
 * The packaged browser is compressed. Unpacked once for each version and kept; test files that do so at one moment do
 * it side by side, and the first to finish is used by all, so that nobody starts one that is half there.
 */
async function unpacked(): Promise<string> {
  const version = packages.devDependencies['@sparticuz/chromium'];
  const kept = join(tmpdir(), `onboarding-chromium-${version}-${process.getuid?.()}`);
  if (!existsSync(kept)) {
    const fresh = await mkdtemp(`${kept}-`);
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
    await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: fresh } });
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }));
  }
  return join(kept, 'chromium');
}
