import * as z from 'zod';
import { uuid } from '../../domain/uuid.ts';
import { contract } from '../contract.ts';

const nullableText = () => z.string().nullable();
const flattened = () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable();

const service = z
  .object({
    id: uuid().meta({ description: 'Service id' }),
    name: z.string().meta({ description: 'Service name' }),
  })
  .meta({ id: 'ProductService', description: 'A service that comes with a product' });

const product = z
  .object({
    id: uuid().meta({ description: 'Product id' }),
    type: z.string().meta({ description: 'Product type' }),
    code: z.string().meta({ description: 'Product code' }),
    name: nullableText().meta({ description: 'Product name' }),
    description: nullableText().meta({ description: 'Product description' }),
    services: z.array(service).meta({ description: 'What comes with the product' }),
  })
  .meta({ id: 'Product', description: 'What an account is of' });

const account = z
  .object({
    id: uuid().meta({ description: 'Account id' }),
    nickname: nullableText().meta({ description: 'Account nickname' }),
    meta_public: flattened().meta({ description: 'Public metadata, its nested keys joined by dots' }),
    product: product.meta({ description: 'The product that the account is of' }),
  })
  .meta({ id: 'Account', description: 'The part of an account that the interface shows' });

const contactAccount = z
  .object({
    role: nullableText().meta({ description: "The contact's role on the account" }),
    account: account.meta({ description: 'The account, as far as the interface shows it' }),
  })
  .meta({ id: 'ContactAccount', description: 'That a contact has an account, and in which role' });

export const listContactAccounts = contract({
  id: 'list-contact-accounts',
  scope: 'accounts:read',
  tag: 'Accounts',
  summary: "A contact's accounts",
  description:
    'An entry for each account that is linked to the contact. Other attributes of accounts serve targeting and ' +
    'personalizations alone, and are not shown.',
  answers: {
    200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
  },
  problems: ['payload_too_large'],
});
