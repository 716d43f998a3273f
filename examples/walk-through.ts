import { OnboardingClient } from 'onboarding-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = new OnboardingClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

const jana = await client.contacts.upsert({
  unique_id: 'c-1001',
  name_first: 'Jana',
  email: 'jana@example.com',
  meta_private: { segment: { code: 'A1' } },
});
const contact = { unique_id: 'c-1001', role: 'primary' };
const product = { code: 'FREE', type: 'checking', name: 'Free checking' } as const;
const records = [{ account_number: '2002', contact, product, balance: '10.50' }];
await client.batches.upload(records, { batchId: 'first-steps' });
await client.batches.finished('first-steps');
console.log(JSON.stringify(await client.contacts.accounts(jana.id)));
