/** Tests that pass although the operation of their name does nothing, by file and name, with the reason. */
export const reasons: Record<string, Record<string, string>> = {};
