import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizedPhone } from '../../lib/domain/contact.ts';

describe('a phone number', () => {
  test.each([
    ['5551234567', '15551234567', 'ten digits get a leading 1'],
    ['(555) 123-4567', '15551234567', 'punctuation and blanks are removed'],
    ['555.123.4567', '15551234567', 'dots too'],
    ['555\u00a0123\u20114567', '15551234567', 'unusual blanks and hyphens too'],
    ['\u202a555 123 4567\u202c', '15551234567', 'marks of direction, as address books copy them, too'],
    ['15551234567', '15551234567', 'eleven digits stay'],
    ['+15551234567', '15551234567', 'a leading + is dropped'],
    ['+49 30 123456', '4930123456', 'with a + even ten digits are kept as they are'],
    [' +49 30 123456 ', '4930123456', 'blanks before the + count for nothing'],
    ['(+49) 30 123456', '4930123456', 'nor does a bracket'],
    ['123', '123', 'short numbers stay'],
    ['1', '1', 'even the shortest'],
    ['00493012345678', '00493012345678', 'leading zeros stay'],
    ['#31#5551234567', '315551234567', 'signs count as punctuation'],
  ])('%j is stored as %s: %s', (value, expected) => {
    expect(normalizedPhone(value)).toBe(expected);
  });

  test.each(['', ' ', '\t\n', '\u00a0'])('%j is null', (value) => {
    expect(normalizedPhone(value)).toBeNull();
  });

  test.each([
    ...['+', '---', '()', 'n/a', 'none', '555-CALL', '5551234567 x12', 'tel:5551234567', '٠١٢٣٤٥٦٧٨٩', '5５5', '①23'],
  ])('%j is none: no digit, or letters, or digits of another script', (value) => {
    expect(normalizedPhone(value)).toBeUndefined();
  });

  test('comes out as digits, whatever stands between them', () => {
    const separator = fc.constantFrom(' ', '-', '.', '(', ')', '/', '\u00a0', '\u2013');
    const parts = fc.array(fc.tuple(fc.stringMatching(/^[0-9]{1,4}$/), separator), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.boolean(), (written, international) => {
        const digits = written.map(([part]) => part).join('');
        const value = (international ? '+' : '') + written.flat().join('');
        const expected = digits.length === 10 && !international ? `1${digits}` : digits;
        expect(normalizedPhone(value)).toBe(expected);
      }),
    );
  });
});
