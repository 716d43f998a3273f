import { html } from './html.ts';

/**
 * Reports a view without scripts: the browser loads the image as a background after two seconds, or when a part of the
 * page is pressed or has the focus. An element of HTML would load it at once, as machines do.
 * @param image URL path without quotation marks
 */
export const unscriptedView = (image: string) => ({
  html: html`<noscript></noscript>`,
  css:
    `noscript{--v:url("${image}");animation:v 1ms 2s forwards!important}` +
    '@keyframes v{to{background:var(--v)}}:is(:active,:focus-within) noscript{background:var(--v)}',
});
