import { describe, expect, test } from 'vitest';
import { paragraphs } from '../../lib/web/html.ts';

const htmlOf = (text: string): string => paragraphs(text).join('');

describe('a paragraph', () => {
  test.each(['+15550100100', '+1 555 010-0100', '+44 (20) 7946 0000'])('keeps the order of the number %s', (number) => {
    expect(htmlOf(`رقمكم هو ${number}.`)).toBe(`<p>رقمكم هو <bdi dir="ltr">${number}</bdi>.</p>`);
  });

  test('keeps its line breaks, and other numbers as they are', () => {
    expect(htmlOf('a + 1\n2026-01-01\n\nb <+>')).toBe('<p>a + 1<br>2026-01-01</p><p>b &lt;+&gt;</p>');
  });
});
