import { expect, test } from 'vitest';
import { brokenCharacters } from '../../lib/web/warnings/encodings.ts';
import { markupIn } from '../../lib/web/warnings/markup.ts';

const readAs = (encoding: string, text: string) => new TextDecoder(encoding).decode(new TextEncoder().encode(text));

test.each([
  ...['Geschäft', 'Österreich', 'für', 'Straße', 'señor', '¿Qué?', 'façade', 'É', 'don’t', '“A”', 'A – B', '5 €'],
  ...['Příhlášení', 'žluťoučký kůň', 'Ž', 'č', 'ě', 'ř', 'Łódź', 'привет', 'Ελλάδα', 'שלום', 'السلام', '😀', '\ufeffA'],
])('%s in UTF-8, read as windows-1252', (text) => {
  expect(readAs('windows-1252', text)).toMatch(brokenCharacters);
});

test.each([
  'Äpfel',
  'für',
  'Straße',
  'É',
  'señor',
  'Příhlášení',
  'žluťoučký kůň',
  'č',
  'ě',
  'ř',
  'Łódź',
  'привет',
  '5 €',
])('%s in UTF-8, read as windows-1250', (text) => {
  expect(readAs('windows-1250', text)).toMatch(brokenCharacters);
});

test.each([
  ...['Geschäft', 'Österreich', 'ÄPFEL, ÖL', 'señor', 'Ñandú', 'ÑANDÚ', 'Île', 'ÂGE', '5 € – 6 €', 'A… “B” ‘C’'],
  ...['„MANHÃ“', 'AMANHÃ…', 'AMANHÃ”', 'AMANHÃ – IRMÃ', 'Ä…', '“Ä”', '«Å»', 'På Å.', 'Ål – Å', '3 Å², 2 Å°', 'Ø–Å'],
  ...['Příhlášení', 'ŽLUŤOUČKÝ KŮŇ', 'VĹČA', 'Ľubomír', 'ŁÓDŹ', 'Ăştia', 'MĂRĂȘEȘTI', 'ĐURO', 'ĐĐ'],
  ...['10 × 5', '2× 3× 4×', 'Ðe', 'Привет', 'Ελλάδα', 'שלום', 'السلام', '😀', 'Café®, Ö™'],
])('%s is right', (text) => {
  expect(text).not.toMatch(brokenCharacters);
});

test.each([
  ['A &amp;nbsp; B', '&amp;nbsp;'],
  ['A &amp;amp; B', '&amp;amp;'],
  ['A &amp;#39; B', '&amp;#39;'],
  ['A &amp; B', '&amp;'],
  ['A&nbsp;B', '&nbsp;'],
])('the warning of %s has the whole entity', (text, entity) => {
  expect(markupIn(text)).toEqual([expect.stringContaining(`an HTML entity, \`${entity}\``)]);
});
