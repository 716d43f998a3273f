import type { Equivalent } from '../equivalent.ts';

export const inAuth: readonly Equivalent[] = [
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'const { alg = "Stryker was here!", kid } = decodeProtectedHeader(assertion);',
    reason: 'No key has an algorithm of either name.',
  },
  {
    file: 'lib/auth/seal.ts',
    mutant: 'const options = {};',
    reason: 'A tag of 16 bytes is the default, and always passed.',
  },
  {
    file: 'lib/auth/seal.ts',
    mutant: `const prefix = /[1-9]\\d{0,8}\\./.exec(text)?.[0] ?? '';`,
    reason: 'A prefix from the middle of the text removes other characters, so the text does not open.',
  },
  {
    file: 'lib/auth/secrets.ts',
    mutant: `return timingSafeEqual(given, hash === undefined ? noHash : Buffer.from(hash, 'base64url')) && true;`,
    reason: 'No known text has the digest of zeros.',
  },
  {
    file: 'lib/auth/token-check.ts',
    mutant: 'if (false) return known;',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/token-check.ts',
    mutant: 'if (known && Math.floor(now() * 1000) < known.exp && (await keyOf(known.kid))) return known;',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/token-check.ts',
    line: 'passed.set(token, checked);',
    reason: 'The token is verified again. Only the time differs.',
  },
  {
    file: 'lib/auth/tokens.ts',
    mutant: 'return async (claims) => signToken(claims, keyToSignWith(await cached.get("", load), now())!);',
    reason: 'The cache has one entry, whatever its key.',
  },
  {
    file: 'lib/auth/verifier.ts',
    mutant: 'function tokenIn(authorization = "Stryker was here!"): string {',
    reason: 'Neither text is a Bearer header.',
  },
  {
    file: 'lib/auth/verifier.ts',
    mutant: `if (false) throw new Problem('invalid_token');`,
    reason: 'The check of the token refuses `undefined` with the same error.',
  },
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'for (const key of keysFor(client.keys ?? ["Stryker was here"], claimed)) {',
    reason: 'A text is not a key, so it verifies nothing.',
  },
  {
    file: 'lib/auth/client-assertion.ts',
    mutant: 'if (named.length === 0 || !named.every((each) => true && audiences.includes(each))) return undefined;',
    reason: 'No allowed audience is undefined.',
  },
];
