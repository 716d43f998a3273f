import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** An installed Chromium to use instead of the one from npm, which runs only on Linux on x64. */
const given = process.env.CHROMIUM_PATH;
const packaged = process.platform === 'linux' && process.arch === 'x64';

/** Why there is no browser; `undefined` if there is one. */
export const missingBrowser: string | undefined =
  given || packaged ? undefined : `No browser for ${process.platform} on ${process.arch}. Set CHROMIUM_PATH to one.`;

/**
 * Starts a browser. The caller closes it.
 * @param options.ownFonts makes the fonts of the packaged browser available, in addition to those of the machine
 */
export async function launchBrowser({ ownFonts = false } = {}): Promise<Browser> {
  // Without sandbox and zygote it also runs as root and in containers. It opens only pages of this project.
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu'];
  if (given) return chromium.launch({ executablePath: given, args });
  const folder = await unpacked();
  const env = { ...process.env, ...(ownFonts ? { XDG_DATA_HOME: folder } : {}) };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/**
 * Unpacks the packaged browser once for each version. Test files may do this in parallel, each into its own folder; the
 * first to finish renames its folder, so that a partly unpacked browser is never started.
 */
async function unpacked(): Promise<string> {
  const packages = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const version: string = JSON.parse(packages).devDependencies['@sparticuz/chromium'];
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  const kept = join(cache, `chromium-${version}`);
  if (!existsSync(kept)) {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(`${kept}-`);
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
    await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: fresh } });
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }));
  }
  return kept;
}
