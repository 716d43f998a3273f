import { numbersIn, westernDigits } from './amounts.ts';

/** The sign, the code and the local name of a currency. Others, such as `kr`, are those of several currencies. */
const currencies: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  Kč: 'CZK',
  zł: 'PLN',
  Ft: 'HUF',
  '₹': 'INR',
};
const codes = ['USD', 'EUR', 'GBP', 'CZK', 'PLN', 'HUF', 'INR', 'CHF'];
const written = [...codes, ...Object.keys(currencies).toReversed()].map((each) => each.replace('$', '\\$')).join('|');
const amounts = new RegExp(
  `(?<![\\p{L}\\p{Sc}])(${written})[ \\u00a0\\u202f]?\\d[\\d.,]*|\\d[ \\u00a0\\u202f]?(${written})(?![\\p{L}\\p{Sc}])`,
  'gu',
);

/** A currency that differs, if each text has amounts in one currency only. */
export function currencyDifferences(text: string, translation: string): string[] {
  const [own, other] = [currenciesIn(text), currenciesIn(translation)];
  const [[code, sign] = [], [otherCode, otherSign] = []] = [[...own][0], [...other][0]];
  if (own.size !== 1 || other.size !== 1 || code === otherCode) return [];
  return [`has another currency than the text: ${otherSign} in place of ${sign}`];
}

/** The codes of the currencies, each as it is written. */
const currenciesIn = (text: string): Map<string, string> =>
  new Map(
    [...westernDigits(text).matchAll(amounts)].map(([, before, after]) => {
      const sign = before ?? after!;
      return [currencies[sign] ?? sign, sign];
    }),
  );

/** Beginnings of the word in languages of the pages and their neighbors. */
const percentWords =
  /[%٪]|per ?cent|pr[oó](?:z|c|s|ts)ent|pct|por ?ci?ento|pour ?cent|per cento|posto|odstot|százal|yüzde|la sut|процент|відсот|τοις|אחוז|مئة|مائة|بالم|प्रतिशत|パーセント|퍼센트|百分|phần trăm|persen/i;

/** A percentage whose number is in the translation without a sign and without a word for it. */
export function percentDifferences(text: string, translation: string): string[] {
  if (percentWords.test(translation)) return [];
  const other = numbersIn(translation);
  const lost = numbersIn(text).find(
    (number) => /%/.test(number.written) && other.some((each) => !each.isAmount && each.digits === number.digits),
  );
  return lost === undefined ? [] : [`has a number without the % of the text: ${lost.written}`];
}
