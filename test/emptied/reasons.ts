/** Tests that pass although the operation of their name does nothing, by file and name, with the reason. */
export const reasons: Record<string, Record<string, string>> = {
  'test/operations/channel-content.test.ts': {
    'a field that is declared when there are contacts is waited for where somebody may still write without it, then filled in, once':
      'It tests fill-lookups.ts, which completes a declared field.',
    'a field that is declared when there are contacts stays unfilled where filling breaks off, and the next time what is done is not written again':
      'It tests fill-lookups.ts, which completes a declared field.',
    'a field that is declared when there are contacts is filled in right where contacts change meanwhile':
      'It tests fill-lookups.ts, which completes a declared field.',
    'a field that is declared when there are contacts begins anew where another field is declared while it is filled in':
      'It tests fill-lookups.ts, which completes a declared field.',
    'of two fields that channels declare in different ways, five in all are one too many':
      'It tests the content that declares the fields.',
  },
  'test/operations/person/erase.test.ts': {
    'an export holds everything, and says where records and rows are':
      'It tests export.ts, on the person whom the other tests erase.',
  },
};
