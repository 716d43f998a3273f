/** Tests that pass although the operation of their name does nothing, by file and name, with the reason. */
export const reasons: Record<string, Record<string, string>> = {
  'test/operations/channel-content.test.ts': {
    'of two fields that channels declare in different ways, five in all are one too many':
      'It tests the content that declares the fields.',
  },
};
