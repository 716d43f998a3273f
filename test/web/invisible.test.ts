import { expect, test } from 'vitest';
import { markupIn } from '../../lib/web/warnings/markup.ts';

test.each([
  ['Your ac\u200bcount', 'U+200B after "Your ac"'],
  ['Your ac\ufeffcount', 'U+FEFF after "Your ac"'],
  ['Call \u202a+1 555 0100\u202c', 'U+202A after "Call"'],
  ['\u202bRate', 'U+202B at its beginning'],
  ['+1 555 0100\u202c', 'U+202C after "+1 555 0100"'],
  ['\u202d+1 555 0100', 'U+202D at its beginning'],
  ['Rate \u202e% 5', 'U+202E after "Rate"'],
  ['اتصل \u202e+1 555', 'U+202E after "اتصل"'],
])('%j has a character that nobody sees', (text, said) => {
  const message = `has the invisible character ${said}: delete the text and type it again`;
  expect(markupIn(text)).toEqual([message]);
});

test.each([
  ...[
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    '🏳️\u200d🌈',
    '🏴\u{e0067}\u{e0062}\u{e007f}',
    '5\u00a0%',
    '5\u202f%',
  ],
  ...[
    'Rate\u200e: 5',
    'שלום\u200f!',
    '\u061c5',
    'اتصل \u202a+1 555 0100\u202c',
    '\u2067שלום\u2069',
    'Kredit\u00adkarte',
  ],
  ...['สวัสดี\u200bครับ', 'សួស្តី\u200bអ្នក', '口座\u200bへ', 'A\u200bครับ', 'Fixed\u200b', '\ufeffFixed', 'a/\u2060b'],
])('%j has none that languages do not need', (text) => {
  expect(markupIn(text)).toEqual([]);
});
