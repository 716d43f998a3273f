/** Where the checks can run, as in the headings of the page. */
export const places = {
  local: 'local service',
  'dynamodb-local': 'DynamoDB Local',
  emulator: 'emulator',
  stage: 'deployed stage',
} as const;

export type Place = keyof typeof places;
export const placeNames = Object.keys(places) as Place[];

/** The last results of each place, which `docs/conformance.md` is made from. */
export type Results = {
  /** Day of the last run in each place. */
  run_on: Partial<Record<Place, string>>;
  /** By the key of a row. */
  rows: Record<string, Partial<Record<Place, 'passed' | 'failed'>>>;
};
