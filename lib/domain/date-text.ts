/** The fields of accounts that are dates, without their schemas. */
export const accountDateFields: readonly string[] = [
  'opened_date',
  'closed_date',
  'credit_card_activation',
  'last_mobile_pay_transaction',
  'last_transaction_date',
  'payment_due_date',
  'in_person_deposit_check_date',
  'loan_payoff_date',
  'maturity_date',
  'last_debit_card_transaction',
  'remote_deposit_last_30_days',
];

/**
 * A date in the long form of the language, such as `March 27, 2026`.
 * @param at ISO 8601
 * @param language well-formed BCP 47
 */
export const longDate = (at: string, language: string, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone, calendar: 'gregory' }).format(new Date(at));

/** The same for a text that is a date without a time. Any other text is returned as it is. */
export const longDay = (text: string, language: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? longDate(text, language) : text;
