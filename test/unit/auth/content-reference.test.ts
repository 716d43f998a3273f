import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  contentReference,
  defaultReference,
  openReference,
  teamOfReference,
} from '../../../lib/auth/content-reference.ts';
import { codeFor, encrypt } from '../../../lib/auth/encryption.ts';
import { teamSecrets } from './team-secrets.ts';

const [teamId, channelId] = [randomUUID(), randomUUID()];
const secrets = teamSecrets();
const place = { channelId, contactId: randomUUID(), journeyId: randomUUID(), containerId: randomUUID() };
const made = contentReference(teamId, secrets, place);
const byDefault = defaultReference(teamId, secrets, channelId);
const opened = (reference: string) => openReference(teamId, secrets, channelId, reference);

test('a reference opens to what it was made of, and names its team', () => {
  expect(opened(made)).toEqual(place);
  expect(opened(byDefault)).toBe('default');
  expect([made, byDefault].map(teamOfReference)).toEqual([teamId, teamId]);
});

test('a reference takes ids that a campaign document brought, of no version that RFC 9562 knows', () => {
  const given = { ...place, channelId: `${'1'.repeat(8)}-1111-1111-1111-${'1'.repeat(12)}` };
  const reference = contentReference(teamId, secrets, given);
  expect(openReference(teamId, secrets, given.channelId, reference)).toEqual(given);
});

test('the default reference is always the same; one to content never is', () => {
  expect(defaultReference(teamId, secrets, channelId)).toBe(byDefault);
  expect(contentReference(teamId, secrets, place)).not.toBe(made);
});

test('a reference does not open for another channel, another team or with another secret', () => {
  for (const reference of [made, byDefault]) {
    expect(openReference(teamId, secrets, randomUUID(), reference)).toBeUndefined();
    expect(openReference(randomUUID(), secrets, channelId, reference)).toBeUndefined();
    expect(openReference(teamId, teamSecrets(), channelId, reference)).toBeUndefined();
  }
  const other = randomUUID();
  const moved = `${Buffer.from(other).toString('base64url')}.${made.split('.').slice(1).join('.')}`;
  expect(openReference(other, teamSecrets(), channelId, moved)).toBeUndefined();
});

test.each([
  ['content', made],
  ['the default', byDefault],
])('no character of a reference to %s can be changed, left out or added', (_, reference) => {
  for (let at = 0; at < reference.length; at++) {
    const [before, after] = [reference.slice(0, at), reference.slice(at + 1)];
    const other = reference[at] === 'A' ? 'B' : 'A';
    for (const altered of [before + other + after, before + after, `${before}A${reference.slice(at)}`]) {
      if (altered !== reference) expect(opened(altered)).toBeUndefined();
    }
  }
  for (const altered of ['', '.', `${reference}.`, `${reference}A`, `${reference}=`]) {
    expect(opened(altered)).toBeUndefined();
  }
});
test('encrypted text of an earlier version of the service is read', () => {
  const value = JSON.stringify([channelId, place.contactId, place.journeyId, place.containerId]);
  const [team] = made.split('.');
  expect(opened(`${team}.${encrypt(secrets, 'channel content', value)}`)).toEqual(place);
  expect(opened(`${team}.${codeFor(secrets, 'channel default', channelId)}`)).toBe('default');
});
test.each(['', '.', 'x.y', 'é', `${Buffer.from('team').toString('base64url')}.x`, `${made.split('.')[0]}=.x`])(
  '%j names no team',
  (reference) => {
    expect(teamOfReference(reference)).toBeUndefined();
  },
);
