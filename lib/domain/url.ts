/** The address of a path of the API; its base address may end with a slash. */
export const urlAt = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/$/, '')}${path}`;
