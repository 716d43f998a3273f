/** All algorithms that a client assertion may be signed with. */
export const assertionAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];
