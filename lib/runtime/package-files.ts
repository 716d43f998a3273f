import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export type PackageFile = { text: string; gzip: Buffer };

const cache = new Map<string, PackageFile>();

/**
 * A text file of a package, named `package/path`. It is read and compressed once for each instance. In a deployment, it
 * is in the same folder as the bundle of the function; the function's route lists it.
 */
export function packageFile(path: string): PackageFile {
  const cached = cache.get(path);
  if (cached) return cached;
  const content = readFileSync(fileURLToPath(import.meta.resolve(path)));
  const file = { text: content.toString('utf8'), gzip: gzipSync(content) };
  cache.set(path, file);
  return file;
}
