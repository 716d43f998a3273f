import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../bin/preview/content.ts';
import { previewed, viewOf } from '../../../bin/preview/views.ts';
import { fill, noValues } from '../../../lib/domain/journeys/placeholders.ts';
import { wordsIn } from '../../../lib/web/words/words.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { blockOf, htmlOfBlocks, openPage } from '../../support/samples/rendered-blocks.ts';

describe('the date of a time', () => {
  test.each<[at: string, language: string, timeZone: string | null | undefined, date: string]>([
    ['2026-03-27T23:30:00.000000Z', 'en', undefined, 'March 27, 2026'],
    ['2026-03-27T23:30:00.000000Z', 'en', null, 'March 27, 2026'],
    ['2026-03-27T23:30:00.000000Z', 'en', 'Nowhere/City', 'March 27, 2026'],
    ['2026-03-27T23:30:00.000000Z', 'en', 'x'.repeat(1024), 'March 27, 2026'],
    ['2026-03-27T23:30:00.000000Z', 'en', 'America/New_York', 'March 27, 2026'],
    ['2026-03-27T23:30:00.000000Z', 'de', 'Europe/Prague', '28. März 2026'],
    ['2026-03-27T02:30:00.000000Z', 'en', 'America/New_York', 'March 26, 2026'],
    ['2025-12-31T22:30:00.000000Z', 'en', 'Pacific/Kiritimati', 'January 1, 2026'],
    // In summer Prague is two hours ahead of UTC.
    ['2026-07-01T22:00:00.000000Z', 'en', 'Europe/Prague', 'July 2, 2026'],
    ['2026-01-01T22:00:00.000000Z', 'en', 'Europe/Prague', 'January 1, 2026'],
  ])('%s in %s for the time zone %j is %s', (at, language, timeZone, date) => {
    expect(wordsIn(language, timeZone).date(at)).toBe(date);
  });

  test('is never an error, whatever the time zone is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 1024 }), (timeZone) => {
        expect(wordsIn('en', timeZone).date('2026-03-27T12:00:00Z')).toMatch(/^March 2[678], 2026$/);
      }),
    );
  });
});

describe('the date and time of an answer', () => {
  test.each<[language: string, timeZone: string | null, said: string]>([
    ['en', null, 'November 22, 2026'],
    ['en', 'America/New_York', 'November 22, 2026 at 5:05 PM EST'],
    ['de', 'Europe/Prague', '22. November 2026 um 23:05 MEZ'],
    ['es', 'Asia/Tokyo', '23 de noviembre de 2026 a las 7:05 GMT+9'],
    ['fr', null, '22 novembre 2026'],
    ['cs', 'Europe/Prague', '22. listopadu 2026 v 23:05 SEČ'],
    ['fr', 'America/Montreal', '22 novembre 2026 à 17:05 UTC−5'],
    ['ar', null, '22 نوفمبر 2026'],
    ['ar', 'Asia/Dubai', '23 نوفمبر 2026 في 2:05 ص غرينتش+4'],
  ])('in %s for the time zone %j', (language, timeZone, said) => {
    const shown = wordsIn(language, timeZone).dateTime('2026-11-22T22:05:33.000000Z');
    expect(shown.replaceAll(/\s/g, ' ')).toBe(said);
  });

  test.each([
    [['Europe/Prague', 'Asia/Tokyo'], '11:05 PM GMT+1'],
    [[null, 'Asia/Tokyo'], '7:05 AM GMT+9'],
    [['Nowhere', 'America/Chicago'], '4:05 PM CST'],
  ] as const)('is in the zone of the contact, or else of the team: %j', (zones, said) => {
    expect(
      wordsIn('en', ...zones)
        .dateTime('2026-11-22T22:05:33.000000Z')
        .replaceAll(/\s/g, ' '),
    ).toMatch(said);
  });

  test('is the date alone if there is no time', () => {
    expect(wordsIn('en', 'Asia/Tokyo').dateTime('2026-11-22')).toBe('November 22, 2026');
  });
});

const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Prague'];

describe.each(zones)('a calendar date in %s', (timeZone) => {
  test('is the same day', () => {
    expect(wordsIn('en', timeZone).date('2026-03-27')).toBe('March 27, 2026');
  });

  test('is the same in the text of a placeholder', () => {
    const contact = { ...previewed, timezone: timeZone, birthdate: '1985-03-27' };
    const values = { ...noValues, contact, isIdentityValidated: true };
    expect(fill('{{birthdate}}', values)).toBe('1985-03-27');
  });
});

const { content } = contentOf(`${projectRoot}examples/mortgage.json`);

test.each([
  [null, 'January 1, 2026'],
  ['America/Los_Angeles', 'January 1, 2026'],
  ['Pacific/Pago_Pago', 'December 31, 2025'],
  ['Nowhere', 'January 1, 2026'],
])('the page of a contact with the time zone %j says that the answer was recorded on %s', (timezone, date) => {
  const template = content!.templates[0]!;
  const page = template.template_pages.at(-1)!.page.id;
  const contact = { ...previewed, timezone };
  const { html } = viewOf(content!, contact, { template: 0, state: 'answered', language: 'en', page })!;
  expect(html).toContain(date);
});

test('a declined answer has the date of the time zone', () => {
  const block = blockOf('agreement', { agreementText: 'I agree' }, { id: 'a' });
  const at = '2026-03-27T23:30:00.000000Z';
  const answer = { id: 'r', page_id: 'p', block_id: 'a', answer: 'declined', at } as const;
  const page = { ...openPage, condition: 'view', isCompleted: true, answers: new Map([['a', answer]]) };
  const html = (timeZone: string) => htmlOfBlocks([block], { page, words: wordsIn('en', timeZone) });
  expect(html('UTC')).toContain('March 27, 2026');
  expect(html('Asia/Tokyo')).toContain('March 28, 2026');
});
