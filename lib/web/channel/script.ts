import { pageScript } from '../page-script.ts';

/** Content in a frame is seen when a good part of it comes into view there, which may be far down the page around it. */
export const channelScript = pageScript(
  `if(page())new IntersectionObserver(([{isIntersecting}])=>{if(isIntersecting)seen()},{threshold:.25}).observe(page());`,
);
