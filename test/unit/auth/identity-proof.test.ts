import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encrypt } from '../../../lib/auth/encryption.ts';
import { identityProof, identityProofEnd, isSameText, proofLifetime } from '../../../lib/auth/identity-proof.ts';
import { teamSecrets } from './team-secrets.ts';

const secrets = teamSecrets();
const place = { teamId: randomUUID(), contactId: randomUUID(), slug: randomUUID(), facts: 'as on file' };
const now = Date.UTC(2026, 0, 1);
const proof = identityProof(secrets, place, now);

describe('a proof of identity', () => {
  test('counts for half an hour', () => {
    expect(proofLifetime).toBe(30 * 60_000);
    expect(
      [0, proofLifetime - 1, proofLifetime].map((age) => identityProofEnd(secrets, place, proof, now + age)),
    ).toEqual([now + proofLifetime, now + proofLifetime, undefined]);
  });

  test.each(['teamId', 'contactId', 'slug', 'facts'] as const)('does not count for another %s', (name) => {
    expect(identityProofEnd(secrets, { ...place, [name]: randomUUID() }, proof, now)).toBeUndefined();
  });

  test('does not count with another team’s secrets, altered, or encrypted for something else', () => {
    const last = proof.at(-6) === 'A' ? 'B' : 'A';
    const altered = `${proof.slice(0, -6)}${last}${proof.slice(-5)}`;
    const { teamId, contactId, slug } = place;
    const foreign = encrypt(secrets, 'channel content', JSON.stringify([teamId, contactId, slug, now + 1000]));
    expect(identityProofEnd(teamSecrets(), place, proof, now)).toBeUndefined();
    for (const text of [altered, foreign, `${proof}A`, '', 'x']) {
      expect(identityProofEnd(secrets, place, text, now)).toBeUndefined();
    }
  });

  test('of an earlier version of the service counts, and one of another shape does not', () => {
    const { teamId, contactId, slug, facts } = place;
    const sealed = (...values: unknown[]) => encrypt(secrets, 'identity proof', JSON.stringify(values));
    const digest = createHash('sha256').update(facts).digest('base64url');
    expect(identityProofEnd(secrets, place, sealed(teamId, contactId, slug, now + 1, digest), now)).toBe(now + 1);
    expect(identityProofEnd(secrets, place, sealed(teamId, contactId, slug, now + 1), now)).toBeUndefined();
  });

  test('tells nothing of what it is for', () => {
    expect(Buffer.from(proof.split('.')[1]!, 'base64url').toString('latin1')).not.toContain(place.contactId);
  });
});

test.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['é', 'e', false],
])('%j and %j are the same text: %s', (a, b, expected) => {
  expect(isSameText(a, b)).toBe(expected);
});
