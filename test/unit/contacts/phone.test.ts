import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizedPhone } from '../../../lib/domain/contacts/contact.ts';

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
    ['0049 30 12345678', '493012345678', 'a leading 00 is a +'],
    ['(00)6581234567', '6581234567', 'also before ten digits, and in brackets'],
    ['\uff0b6581234567', '6581234567', 'a wide + is a +'],
    ['+0065', '0065', 'after a + they are kept as they are'],
    ['0301234567', '10301234567', 'one leading zero is a digit like any other'],
    ['030/1234567', '0301234567'.replace(/^/, '1'), 'a slash is punctuation'],
    ['123456789012345', '123456789012345', '15 digits stay'],
    ['00 1234 5678 9012 345', '123456789012345', 'the 00 is none of them'],
    ['555-123-4567 #', '15551234567', 'nothing follows the last sign'],
    ['#31#5551234567', '315551234567', 'signs count as punctuation'],
  ])('%j is stored as %s: %s', (value, expected) => {
    expect(normalizedPhone(value)).toBe(expected);
  });

  test.each(['', ' ', '\t\n', '\u00a0'])('%j is null', (value) => {
    expect(normalizedPhone(value)).toBeNull();
  });

  test.each([
    ...['+', '---', '()', 'n/a', 'none', '555-CALL', '5551234567 x12', 'tel:5551234567', '٠١٢٣٤٥٦٧٨٩', '5５5', '①23'],
    ...['00', '1234567890123456', '00 1234 5678 9012 3456', '+1234567890123456'],
    ...['420601234567.0', '6125550123.00', '4206.0 ', '4.20601E+11', '420601234567,0'],
    ...[
      '6125550123;6125550199',
      '612-555-0123, 612-555-0199',
      '+1 612 555 0123 +1 612 555 0199',
      '555-0123 / 555-0199',
    ],
    ...['555-0123 555-0199', '5550123|5550199', '5550123\n5550199', '+16125550123,,123#', '6125550123#12', '555+0123'],
  ])('%j is none: no digit, letters, digits of another script, too many, a decimal, or two numbers', (value) => {
    expect(normalizedPhone(value)).toBeUndefined();
  });

  test('comes out as digits, whatever stands between them', () => {
    const separator = fc.constantFrom(' ', '-', '.', '(', ')', '/', '\u00a0', '\u2013');
    const parts = fc.array(fc.tuple(fc.stringMatching(/^[0-9]{1,4}$/), separator), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.boolean(), (written, international) => {
        const digits = written.map(([part]) => part).join('');
        fc.pre(
          digits.length <= 15 && !digits.startsWith('00') && written.every(([, sign]) => !' /\u00a0'.includes(sign)),
        );
        const value = (international ? '+' : '') + written.flat().join('');
        const expected = digits.length === 10 && !international ? `1${digits}` : digits;
        expect(normalizedPhone(value)).toBe(expected);
      }),
    );
  });
});
