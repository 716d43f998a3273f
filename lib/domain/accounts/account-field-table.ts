const text = (description: string) => ({ kind: 'text', description }) as const;
const date = (description: string) => ({ kind: 'date', description }) as const;
const decimal = (description: string) => ({ kind: 'decimal', description }) as const;
const integer = (description: string) => ({ kind: 'integer', description }) as const;

/**
 * The fields of an account except number, contact, product and metadata, in the order of the specification. Functions
 * that only read accounts load the names without the schemas.
 */
export const accountFieldTable = {
  micr: text('Account number as on a check MICR line'),
  routing_number: text("Used by the direct deposit widget before the team's routing number"),
  opened_date: date('Date of opening'),
  closed_date: date('Date of closing'),
  nickname: text('Account nickname'),
  balance: decimal('Balance'),
  number_transactions_last_30_days: integer('Count of transactions in the last 30 days'),
  total_amount_last_30_days: decimal('Sum of transactions in the last 30 days'),
  status_code: text('Status code'),
  adverse_status: text('Adverse status code(s)'),
  channel_opened: text('Channel through which it was opened'),
  closed_reason: text('Reason for closing'),
  credit_card_activation: date('Activation date of the card'),
  last_mobile_pay_transaction: date('Date of latest mobile pay transaction'),
  last_statement_balance: decimal('Balance on the latest statement'),
  last_transaction_amount: decimal('Amount of latest transaction'),
  last_transaction_date: date('Date of latest transaction'),
  apy: decimal('APY'),
  charge_off: text('Charge-off code'),
  payment_due_date: date('Next payment due'),
  in_person_deposit_check_date: date('Latest in-person check deposit'),
  payment_frequency: text('If applicable'),
  payment_method: text('If applicable'),
  loan_payment: decimal('If applicable'),
  loan_payoff_date: date('If applicable'),
  loan_principal: decimal('If applicable'),
  loan_term: text('If applicable'),
  maturity_date: date('If applicable'),
  last_debit_card_transaction: date('Latest debit card transaction'),
  last_mobile_pay_amount: decimal('Amount of latest mobile pay transaction'),
  remote_deposit_last_30_days: date('Latest remote deposit if within the last 30 days'),
} as const;

export type AccountField = keyof typeof accountFieldTable;
export const accountFieldNames = Object.keys(accountFieldTable) as AccountField[];
