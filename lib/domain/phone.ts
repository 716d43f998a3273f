/** Letters, marks and digits of other scripts. All other characters are punctuation and are removed. */
const foreign = /[\p{L}\p{M}]|(?![0-9])\p{N}/u;

/**
 * A phone number as stored (contract, section 3, "Phones"): digits only. Ten digits without a `+` get a leading `1`.
 * @returns `null` for a blank text, `undefined` if the text is not a phone number
 */
export function normalizedPhone(value: string): string | null | undefined {
  if (value.trim() === '') return null;
  const digits = value.replace(/[^0-9]/g, '');
  if (digits === '' || foreign.test(value)) return undefined;
  return digits.length === 10 && !value.includes('+') ? `1${digits}` : digits;
}
