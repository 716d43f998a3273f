/** How a file writes its dates or numbers. */
export type Format = {
  /** The text in the notation of the API, or `undefined` if it does not have the format. */
  read(text: string): string | undefined;
  /** Why a cell is rejected. */
  reason: string;
};

/** Longer tokens first. */
const tokens = /YYYY|MMM|MM|DD|HH|mm|ss|M|D/g;
const patterns: Record<string, string> = {
  YYYY: String.raw`(?<year>\d{4})`,
  MMM: '(?<name>[A-Za-z]{3})',
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d\d)`,
  D: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`(?<hour>\d\d)`,
  mm: String.raw`(?<minute>\d\d)`,
  ss: String.raw`(?<second>\d\d)`,
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Dates as `MM/DD/YYYY`, `D.M.YYYY`, `YYYYMMDD`, `DD-MMM-YYYY` or `YYYYMMDD HH:mm:ss`. `undefined` for no such format. */
export function dateFormat(form: string): Format | undefined {
  const parts = form.match(tokens) ?? [];
  const between = form.split(tokens);
  const kinds = parts
    .map((part) => part[0]!)
    .toSorted()
    .join('');
  const isDate = ['DMY', 'DHMYm', 'DHMYms'].includes(kinds);
  if (!isDate || between.some((text) => /[\p{L}\p{N}]/u.test(text) && text !== 'T')) return undefined;
  const source = parts.reduce((all, part, at) => all + patterns[part] + RegExp.escape(between[at + 1]!), '');
  const pattern = new RegExp(`^${RegExp.escape(between[0]!)}${source}$`);
  const read = (text: string): string | undefined => {
    const { year, month, name, day, hour, minute, second = '00' } = pattern.exec(text)?.groups ?? {};
    if (year === undefined) return undefined;
    const number = month ?? String(months.indexOf(name!.toLowerCase()) + 1);
    const date = `${year}-${number.padStart(2, '0')}-${day!.padStart(2, '0')}`;
    return hour === undefined ? date : `${date}T${hour}:${minute}:${second}`;
  };
  return { read, reason: `is not a date as ${form}` };
}

const example = /^1([.,'’ \u00a0\u202f]?)234(?:([.,])50?)?$/;
const spaces = ' \u00a0\u2009\u202f';

/** Numbers as `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50` or `1234,50`. `undefined` for no such format. */
export function numberFormat(form: string): Format | undefined {
  const found = example.exec(form);
  if (!found) return undefined;
  const [, thousands = '', decimal = ''] = found;
  if (thousands !== '' && thousands === decimal) return undefined;
  const sign = spaces.includes(thousands) ? spaces : thousands.replace(/['’]/, "'’");
  const whole = thousands === '' ? String.raw`\d+` : String.raw`\d{1,3}(?:[${sign}]\d{3})+|\d+`;
  const fraction = decimal === '' ? '' : String.raw`(?:[${decimal}](?<fraction>\d+))?`;
  const pattern = new RegExp(`^(?<whole>${whole})?${fraction}$`);
  const read = (text: string): string | undefined => {
    const { sign, digits } = unsigned(text) ?? { sign: '', digits: '' };
    const found = digits === '' ? null : pattern.exec(digits);
    if (!found) return undefined;
    const { whole = '0', fraction } = found.groups!;
    return `${sign}${whole.replaceAll(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
  };
  return { read, reason: `is not a number as ${form}` };
}

/** Without one currency sign and one sign, which may be parentheses or stand behind: `-$5`, `($5)`, `5 €-`. */
function unsigned(text: string): { sign: '' | '-'; digits: string } | undefined {
  const signs: string[] = [];
  let digits = text.trim();
  for (const [pattern, sign] of [...outer, ...outer]) {
    const inner = pattern.exec(digits)?.groups?.inner;
    if (inner === undefined) continue;
    signs.push(sign);
    digits = inner.trim();
  }
  const minus = signs.filter((sign) => sign !== '$');
  if (signs.length - minus.length > 1 || minus.length > 1) return undefined;
  return { sign: minus[0] === '-' ? '-' : '', digits };
}

const outer: readonly (readonly [RegExp, string])[] = [
  [/^\p{Sc}(?<inner>.*)$/u, '$'],
  [/^(?<inner>.*)\p{Sc}$/u, '$'],
  [/^\((?<inner>.*)\)$/, '-'],
  [/^[-\u2212](?<inner>.*)$/, '-'],
  [/^(?<inner>.*)[-\u2212]$/, '-'],
  [/^\+(?<inner>.*)$/, '+'],
];

/** The formats that a remedy or a proposed map names. */
export const numberForms = ['1,234.50', '1.234,50', '1 234,50', "1'234.50"];
export const dateForms = [
  ...['MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'MM-DD-YYYY', 'DD-MM-YYYY', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYYMMDD'],
  ...['M/D/YYYY', 'D/M/YYYY', 'D.M.YYYY', 'DD-MMM-YYYY', 'MMDDYYYY', 'DDMMYYYY'],
];
