/** Letters, marks and digits of other scripts; whatever else stands between the digits is punctuation and goes. */
const foreign = /[\p{L}\p{M}]|(?![0-9])\p{N}/u;

/**
 * A phone number as stored (contract, section 3, "Phones"): digits alone, ten of them with a leading `1` unless the
 * number was written with a `+`. Nothing but blanks is `null`; `undefined` means that it is no phone number.
 */
export function normalizedPhone(value: string): string | null | undefined {
  if (value.trim() === '') return null;
  const digits = value.replace(/[^0-9]/g, '');
  if (digits === '' || foreign.test(value)) return undefined;
  return digits.length === 10 && !value.includes('+') ? `1${digits}` : digits;
}
