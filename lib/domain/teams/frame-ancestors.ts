/**
 * The sites that may show channel content in a frame, for the CSP directive `frame-ancestors`. Imports nothing, so that
 * the stack can validate its setting with it.
 */

/** Most sites of a channel or a deployment, because the size of a header is limited. */
export const maxEmbedders = 20;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A wildcard needs at least two labels after it, so `*.com` is refused. */
const site = new RegExp(`^https://(?:\\*\\.)?(?:${label}\\.)+${label}(?::\\d{1,5})?$`);
const thisMachine = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/**
 * An origin such as `https://online.bank.example` or `https://*.bank.example`. Plain HTTP is allowed only for
 * localhost.
 */
export const isEmbedder = (text: string): boolean => text.length <= 255 && (site.test(text) || thisMachine.test(text));

/** The setting of a deployment: origins separated by single spaces, `*` for every site, or empty for none. */
export function isEmbedderSetting(text: string): boolean {
  if (text === '' || text === '*') return true;
  const sites = text.split(' ');
  return sites.length <= maxEmbedders && sites.every(isEmbedder);
}

/** The value of the directive: the sites of the channel if it names any, else those of the deployment. */
export const frameAncestors = (ofChannel: readonly string[], ofDeployment: string): string =>
  (ofChannel.length > 0 ? ofChannel.join(' ') : ofDeployment) || "'none'";
