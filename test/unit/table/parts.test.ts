import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { digestOf, digestOfBytes, uuid5 } from '../../../lib/store/table/digest.ts';
import { partsOf, textOf } from '../../../lib/store/table/parts.ts';

describe('a value in parts', () => {
  test.each([
    ['a small value', 'ü', 1],
    ['a value that compresses well', 'x'.repeat(100_000), 1],
    ['a value that hardly compresses', randomBytes(700 * 1024).toString('base64'), 3],
  ])('of %s has as few as possible', async (_, value, count) => {
    const parts = await partsOf({ value });
    expect(parts).toHaveLength(count);
    for (const part of parts) expect(part.byteLength).toBeLessThanOrEqual(350 * 1024);
    expect(JSON.parse(await textOf(parts))).toEqual({ value });
  });

  test('has whole parts but for the last', async () => {
    const parts = await partsOf(randomBytes(700 * 1024).toString('base64'));
    expect(parts.slice(0, -1).map((part) => part.byteLength)).toEqual([350 * 1024, 350 * 1024]);
  });

  test('cannot be read without one of them', async () => {
    const parts = await partsOf(randomBytes(400 * 1024).toString('base64'));
    await expect(textOf(parts.slice(1))).rejects.toThrow();
    await expect(textOf(parts.slice(0, -1))).rejects.toThrow();
    await expect(textOf([])).rejects.toThrow();
  });

  test('is compressed quickly', async () => {
    const value = {
      records: Array.from({ length: 2000 }, (_, number) => ({ number: String(number), type: 'checking' })),
    };
    const [part] = await partsOf(value);
    expect(part).toEqual(gzipSync(JSON.stringify(value), { level: 3 }));
  });
});

describe('a digest', () => {
  test('is equal for the same JSON values in the same order', () => {
    expect(digestOf([{ a: 1, b: 'x' }])).toBe(digestOf([{ b: 'x', a: 1 }]));
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
    expect(digestOf(undefined)).toBe(digestOf(null));
    expect(digestOf([])).toMatch(/^[\w-]{43}$/);
  });

  test('of bytes is SHA-256 in base64url', () => {
    expect(digestOfBytes(Buffer.from('abc'))).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
    expect(digestOf('abc')).toBe(digestOfBytes(Buffer.from('"abc"')));
  });

  test('as an id is a UUID of version 5', () => {
    expect(uuid5('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});
