import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminJson } from '../service/admin.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The smallest PNG; what is added behind its end makes it another file. */
export const png = (more = ''): Buffer => Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from(more)]);

export const svg = (content = '<path d="M0 0h96v32H0z" fill="#064"/>'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">${content}</svg>`);

/** Puts the content as a file of that name, as an administrator does. */
export const putFile = (teamId: string, content: Buffer, name = 'logo.png') =>
  withFile(content, name, (path) => adminJson('file', 'put', path, '--team', teamId));

/** The file exists while `run` does. */
export async function withFile<T>(content: Buffer, name: string, run: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    writeFileSync(join(folder, name), content);
    return await run(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
