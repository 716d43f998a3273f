/**
 * Which sites may show channel content in a frame, as CSP's `frame-ancestors` says it. Imports nothing, so that the
 * stack holds its setting to it.
 */

/** Sites that a channel, or a deployment, may name: a header has no room for any number of them. */
export const maxEmbedders = 20;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A wildcard stands for names below one that somebody can own, never for all of `*.com`. */
const site = new RegExp(`^https://(?:\\*\\.)?(?:${label}\\.)+${label}(?::\\d{1,5})?$`);
const thisMachine = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/** An origin such as `https://online.bank.example` or `https://*.bank.example`; plain HTTP for one's own machine alone. */
export const isEmbedder = (text: string): boolean => text.length <= 255 && (site.test(text) || thisMachine.test(text));

/** A deployment's setting: origins parted by one blank, `*` for every site, nothing for none. */
export function isEmbedderSetting(text: string): boolean {
  if (text === '' || text === '*') return true;
  const sites = text.split(' ');
  return sites.length <= maxEmbedders && sites.every(isEmbedder);
}

/** The sites of the channel, where it names any, else those of the deployment. @returns the value of the directive */
export const frameAncestors = (ofChannel: readonly string[], ofDeployment: string): string =>
  (ofChannel.length > 0 ? ofChannel.join(' ') : ofDeployment) || "'none'";
