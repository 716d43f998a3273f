import { describe, expect, test } from 'vitest';
import {
  defaultSenderOf,
  hasCompletionSets,
  isSenderOf,
  languageFor,
  missingForCompletionSets,
  secretsOf,
  senderOf,
  type TeamFeature,
  teamSchema,
  withNewSecret,
} from '../../../lib/domain/teams/team.ts';

const stored = {
  team_id: '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10',
  name: 'Bank',
  features: [],
  secret: 'one',
  secret_id: 1,
  previous_secret: null,
  language: null,
  timezone: null,
  words: null,
  privacy_policy_url: null,
  terms_of_service_url: null,
  inserted_at: '2026-01-01T00:00:00.000000Z',
  updated_at: '2026-01-01T00:00:00.000000Z',
};
const team = teamSchema.parse(stored);

test('a rotated secret still decrypts what it encrypted, until the next rotation', () => {
  expect(secretsOf(team)).toEqual([{ id: 1, secret: 'one' }]);
  const rotated = withNewSecret(team, 'two');
  expect(secretsOf(rotated)).toEqual([
    { id: 2, secret: 'two' },
    { id: 1, secret: 'one' },
  ]);
  expect(secretsOf(withNewSecret(rotated, 'three'))).toEqual([
    { id: 3, secret: 'three' },
    { id: 2, secret: 'two' },
  ]);
});

describe('completion product sets', () => {
  const [first, second]: TeamFeature[] = ['product_objective_reporting', 'product_objective_reporting_phase_2'];
  test.each<[features: TeamFeature[], missing: TeamFeature[]]>([
    [[], [first!, second!]],
    [[first!], [second!]],
    [[second!], [first!]],
    [[first!, second!], []],
  ])('with the features %j need %j', (features, missing) => {
    expect(teamSchema.parse({ ...stored, features }).features).toEqual(features);
    expect(missingForCompletionSets(features)).toEqual(missing);
    expect(hasCompletionSets(features)).toBe(missing.length === 0);
  });
});

test.each([
  [undefined, null, null],
  [undefined, 'es', 'es'],
  [{ language: null }, 'es', 'es'],
  [{ language: 'de' }, 'es', 'de'],
])('the language for the template %j of a team with language %s is %s', (template, language, expected) => {
  expect(languageFor(template, { ...team, language })).toBe(expected);
});

test.each([
  ['Hello@Bank.example', 'hello@bank.example'],
  ['bank.example', '@bank.example'],
  [' @bank.example ', '@bank.example'],
  ['bank', undefined],
  ['a b@bank.example', undefined],
  ['a@bank.example, b@bank.example', undefined],
  ['a@bank.example\r\nBcc: c@other.example', undefined],
])('the sender %j is stored as %j', (text, stored) => {
  expect(senderOf(text)).toBe(stored);
});

test.each([
  ['loans@bank.example', true],
  ['LOANS@Bank.example', true],
  ['hello@cards.example', true],
  ['other@cards.example', false],
  ['loans@sub.bank.example', false],
  ['loans@notbank.example', false],
  ['loans@bank.example@other.example', false],
  ['@bank.example', false],
  ['', false],
])('that a team may send from %j is %j', (address, may) => {
  expect(isSenderOf({ senders: ['@bank.example', 'hello@cards.example'] }, address)).toBe(may);
});

test('a message without a sender has the first address of the team', () => {
  expect(defaultSenderOf({ senders: ['@bank.example', 'hello@cards.example', 'b@cards.example'] })).toBe(
    'hello@cards.example',
  );
  expect(defaultSenderOf({ senders: ['@bank.example'] })).toBeUndefined();
});
