import { pageScript } from '../page-script.ts';

/** A page of a journey is seen when its tab is. */
export const journeyScript = pageScript(`const see=()=>{if(document.visibilityState==="visible")seen()};
document.addEventListener("visibilitychange",see);
see();`);
