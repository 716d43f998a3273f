import * as z from 'zod';
import { contract } from '../contract.ts';

const nullableText = () => z.string().nullable();

const contactAccount = z
  .object({
    role: nullableText().meta({ description: "The contact's role on the account" }),
    account: z.object({
      id: z.uuid(),
      nickname: nullableText(),
      meta_public: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Flattened public metadata' }),
      product: z.object({
        id: z.uuid(),
        type: z.string(),
        code: z.string(),
        name: nullableText(),
        description: nullableText(),
        services: z.array(z.object({ id: z.uuid(), name: z.string() })),
      }),
    }),
  })
  .meta({ id: 'ContactAccount' });

export const listContactAccounts = contract({
  id: 'list-contact-accounts',
  tag: 'Accounts',
  summary: "A contact's accounts",
  answers: {
    200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
  },
  problems: ['payload_too_large'],
});
