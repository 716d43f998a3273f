import type { Account } from '../../../lib/domain/accounts/account.ts';
import { accountOf } from '../../../lib/store/accounts/accounts.ts';

/** The account in an item with this text. */
export const accountIn = (data: string): Account => accountOf({ pk: '', sk: '', data, order: 1, outcomes: '' })!;
