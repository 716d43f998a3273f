/** The URL of a path of the API. The base URL may end with a slash. */
export const urlAt = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/$/, '')}${path}`;
