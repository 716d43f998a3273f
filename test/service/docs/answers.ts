import { expect } from 'vitest';
import type { Block } from '../../support/docs/pages.ts';

/** The base URL in the pages. */
const shown = 'http://127.0.0.1:3000';

/**
 * Compares the output of a block with the block after it. In the latter, `…` replaces what the service chose: as a value,
 * inside a string, or, as a key, for more fields.
 */
export function expectAnswer(written: string, { language, text, place }: Block, baseUrl: string): void {
  const expected = text.replaceAll(shown, baseUrl);
  if (language === 'json') {
    expect(parsed(written, place), place).toEqual(JSON.parse(expected, (_, value) => pattern(value)));
  } else expect(written.trim(), place).toMatch(like(expected.trim()));
}

function parsed(written: string, place: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw new Error(`${place}: what was written before is no JSON: ${written}`);
  }
}

function pattern(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value === '…') return expect.anything();
    return value.includes('…') ? expect.stringMatching(like(value)) : value;
  }
  if (typeof value !== 'object' || value === null || !('…' in value)) return value;
  const { '…': _, ...rest } = value;
  return expect.objectContaining(rest);
}

/** The text as a pattern, with `…` for anything. */
function like(text: string): RegExp {
  const literal = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^]*?')}$`);
}
