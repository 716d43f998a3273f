export type BenchRecord = ReturnType<typeof benchRecord>;

/** About 400 bytes of JSON, as a core banking system would send. */
export const benchRecord = (number: string) => ({
  account_number: number,
  contact: { unique_id: `holder-of-${number}`, role: 'primary' },
  product: { code: 'CHK-M', type: 'checking', standardized_type: 'checking', name: 'Current account' } as const,
  opened_date: '1995-03-24',
  status_code: 'A',
  balance: '10482.17',
  number_transactions_last_30_days: 12,
  nickname: 'Household',
  meta_public: { branch: { city: 'Pisek', number: 18 } },
  meta_private: { segment: 'standard', opened_by: 'branch-18' },
});
