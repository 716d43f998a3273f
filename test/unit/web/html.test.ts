import { describe, expect, test } from 'vitest';
import { paragraphs } from '../../../lib/web/html.ts';

const htmlOf = (text: string): string => paragraphs(text).join('');

describe('a paragraph', () => {
  test.each(['+15550100100', '+1 555 010-0100', '+44 (20) 7946 0000'])('keeps the order of the number %s', (number) => {
    expect(htmlOf(`رقمكم هو ${number}.`)).toBe(`<p>رقمكم هو <bdi dir="ltr">${number}</bdi>.</p>`);
  });

  test.each([
    ['القسط $31,400 شهريًا', 'القسط <bdi dir="ltr">$31,400</bdi> شهريًا'],
    ['من -€ 5.00.', 'من <bdi dir="ltr">-€ 5.00</bdi>.'],
    ['السعر 5% أو ١٢٪', 'السعر 5% أو ١٢٪'],
    ['You pay $31,400', 'You pay $31,400'],
    ['السعر \u2068-2.5 %\u2069.', 'السعر <bdi>-2.5 %</bdi>.'],
    ['Hello \u2068أحمد $5\u2069!', 'Hello <bdi>أحمد <bdi dir="ltr">$5</bdi></bdi>!'],
    ['\u2068one', '\u2068one'],
  ])('has the values and amounts of %j in their own order', (text, expected) => {
    expect(htmlOf(text)).toBe(`<p>${expected}</p>`);
  });

  test('keeps its line breaks, and other numbers as they are', () => {
    expect(htmlOf('a + 1\n2026-01-01\n\nb <+>')).toBe('<p>a + 1<br>2026-01-01</p><p>b &lt;+&gt;</p>');
  });
});
