/** Groups of three digits, separated by a point, a space or one of the spaces that spreadsheets write. */
const grouped = /^[+-]?\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?$/;
const plain = /^[+-]?\d+,\d+$/;

/**
 * A decimal with a comma in the notation of the API: `1 234,50`, `1.234,50` and `1234,50` become `1234.50`. Other texts
 * are unchanged.
 */
export function withDecimalPoint(word: string): string {
  if (!grouped.test(word) && !plain.test(word)) return word;
  return word.replaceAll(/[. \u00a0\u202f]/g, '').replace(',', '.');
}
