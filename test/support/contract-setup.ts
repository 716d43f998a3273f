import { afterEach } from 'vitest';
import { contractFaults } from './http/contract-fetch.ts';

afterEach(() => {
  const found = contractFaults.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
});
