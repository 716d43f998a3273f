import { pageScript } from '../page-script.ts';
import { proofScript } from './proof-end.ts';

/** A page of a journey is visible when its tab is. */
export const journeyScript = (body: string): string =>
  pageScript(body, '!document.hidden', 'see();\n', / data-left="|id="ended"/.test(body) ? proofScript : '');

/** The ending reports no view. It has a script only if it must be hidden when the proof of identity ends. */
export const endingScript = (body: string): string | undefined =>
  body.includes(' data-left="') ? `(()=>{\n${proofScript}})();` : undefined;
