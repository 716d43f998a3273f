import * as z from 'zod';
import { contactAccount } from '../../domain/contact-account.ts';
import { responses } from '../contract.ts';

export const listContactAccounts = responses({
  200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
});
