/** Tests that pass although the operation of their name does nothing, by file and name, with the reason. */
export const reasons: Record<string, Record<string, string>> = {
  'test/operations/channel-content.test.ts': {
    'of two fields that channels declare in different ways, five in all are one too many':
      'It tests the content that declares the fields.',
  },
  'test/operations/person/erase.test.ts': {
    'an export holds everything, and says where records and rows are':
      'It tests export.ts, on the person whom the other tests erase.',
  },
};
