/** A mutant that no test can kill, as its line of code reads, and why. */
export type Equivalent = { file: string; mutant: string; reason: string };

export const equivalents: readonly Equivalent[] = [];
