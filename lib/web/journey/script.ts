import { pageScript } from '../page-script.ts';

/** A page of a journey counts as viewed when its tab is visible. */
export const journeyScript = (body: string): string =>
  pageScript(
    body,
    `const see=()=>{if(document.visibilityState==="visible")seen()};
document.addEventListener("visibilitychange",see);
see();`,
  );
