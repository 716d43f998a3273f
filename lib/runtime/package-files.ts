import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export type PackageFile = { text: string; gzip: Buffer };

const read = new Map<string, PackageFile>();

/**
 * A text file of a package, as `package/path`; read and compressed once for each instance. Deployed, it lies beside
 * the bundle of the function whose route says that it ships it.
 */
export function packageFile(path: string): PackageFile {
  const known = read.get(path);
  if (known) return known;
  const content = readFileSync(fileURLToPath(import.meta.resolve(path)));
  const file = { text: content.toString('utf8'), gzip: gzipSync(content) };
  read.set(path, file);
  return file;
}
