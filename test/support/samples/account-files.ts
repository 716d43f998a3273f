import { loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import type { DropWorld } from '../drop-box.ts';

export const header = 'account_number,contact.unique_id,product.code,product.type,balance';
export const row = (number: number, balance = `${number}.50`) => `${number},c${number},CHK,checking,${balance}`;
export const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));
export const csv = (...lines: string[]) => `${[header, ...lines].join('\n')}\n`;

/** Balances of the accounts with these numbers. */
export async function balances(world: DropWorld, numbers: readonly number[]) {
  const found = await loadAccounts(world.database, world.teamId, numbers.map(String));
  return found.map((account) => account?.fields.balance);
}
