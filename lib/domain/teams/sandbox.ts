/**
 * Sandbox teams: teams for tests, which an administrator can reset. The id of the team says that it is one (UUID version
 * 8, which no other team has), so neither kind of team can become the other.
 */
const versionAt = 14;
const sandboxVersion = '8';

export const isSandbox = (teamId: string): boolean => teamId[versionAt] === sandboxVersion;

/** The id of a new sandbox team, from a random UUID. */
export const sandboxIdOf = (id: string): string => id.slice(0, versionAt) + sandboxVersion + id.slice(versionAt + 1);
