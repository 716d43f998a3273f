import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** A Chromium of the machine's own, in place of the one that comes from npm (which runs on Linux on x64 alone). */
const given = process.env.CHROMIUM_PATH;
const packaged = process.platform === 'linux' && process.arch === 'x64';

/** Why there is no browser to drive; nothing where there is one. */
export const missingBrowser: string | undefined =
  given || packaged ? undefined : `No browser for ${process.platform} on ${process.arch}. Name one by CHROMIUM_PATH.`;

/**
 * Starts a browser. The caller closes it.
 * @param options.ownFonts lets pages have the fonts that the packaged browser brings along, not the machine's alone
 */
export async function launchBrowser({ ownFonts = false } = {}): Promise<Browser> {
  // Without the sandbox and the zygote it also runs as root and in containers; it only ever opens pages of ours.
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu'];
  if (given) return chromium.launch({ executablePath: given, args });
  const folder = await unpacked();
  const env = { ...process.env, ...(ownFonts ? { XDG_DATA_HOME: folder } : {}) };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/**
 * The packaged browser is compressed. Unpacked once for each version and kept; test files that do so at one moment do
 * it side by side, and the first to finish is used by all, so that nobody starts one that is half there.
 */
async function unpacked(): Promise<string> {
  const packages = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const version: string = JSON.parse(packages).devDependencies['@sparticuz/chromium'];
  const kept = join(tmpdir(), `onboarding-chromium-${version}-${process.getuid?.()}`);
  if (!existsSync(kept)) {
    const fresh = await mkdtemp(`${kept}-`);
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
    await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: fresh } });
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }));
  }
  return kept;
}
